import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { ColumnType } from '../archive-format.js'
import { toArchived, toStored } from '../archived-value.js'

/** The result of selecting a column, in both kinds of database. */
const stored: Record<ColumnType, fc.Arbitrary<unknown>> = {
  text: fc.string({ unit: 'binary' }),
  integer: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  bytes: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  time: fc
    .tuple(
      fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      fc.constantFrom('', '000', '123'),
      fc.constantFrom(' ', 'T'),
      fc.constantFrom('', 'Z'),
    )
    .map(([date, micros, between, zone]) =>
      date.toISOString().replace('Z', `${micros}${zone}`).replace('T', between),
    ),
  boolean: fc.constantFrom(0, 1),
}

const column = fc
  .constantFrom<ColumnType>('text', 'integer', 'bytes', 'time', 'boolean')
  .chain((type) => fc.record({ type: fc.constant(type), value: fc.option(stored[type]) }))

/** The result of storing and reading a value. */
const readBack = (type: ColumnType, value: unknown) => (type === 'boolean' ? Number(value) : value)

describe('archived values', () => {
  it('survive the conversion to JSON and into either kind of database', () => {
    fc.assert(
      fc.property(
        column,
        fc.constantFrom('sqlite' as const, 'postgres' as const),
        ({ type, value }, dialect) => {
          const archived = toArchived(type, value)
          assert.notEqual(archived, undefined)
          const read = JSON.parse(JSON.stringify(archived)) as unknown
          assert.deepEqual(read, archived)
          const written = toStored(dialect, type, read)
          if (value === null) return assert.equal(written, null)
          const again = type === 'boolean' ? Number(written === 'true' || written === 1) : written
          assert.deepEqual(toArchived(type, readBack(type, again)), archived)
          if (type === 'text' || type === 'bytes' || type === 'integer') assert.deepEqual(again, value)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('preserve integers beyond the exact range of JSON', () => {
    assert.equal(toArchived('integer', '9223372036854775807'), '9223372036854775807')
    assert.equal(toArchived('integer', '9007199254740991'), 9_007_199_254_740_991)
    assert.equal(toStored('sqlite', 'integer', '9223372036854775807'), '9223372036854775807')
  })

  it('have one spelling for each time', () => {
    const times = ['2026-01-02 03:04:05', '2026-01-02T03:04:05.000Z', '2026-01-02T03:04:05.000000Z']
    for (const text of times) assert.equal(toArchived('time', text), '2026-01-02T03:04:05.000Z')
    assert.equal(toArchived('time', '2026-01-02T03:04:05.123450Z'), '2026-01-02T03:04:05.12345Z')
  })

  it('are refused if they do not fit the type of the column', () => {
    const wrong: [ColumnType, unknown][] = [
      ['text', Buffer.from('bytes')],
      ['text', 7],
      ['integer', '1.5'],
      ['integer', 'seven'],
      ['bytes', 'text'],
      ['time', 'yesterday'],
      ['time', 1_700_000_000],
      ['time', '2026-01-02T03:04:05+02:00'],
      ['boolean', 2],
    ]
    for (const [type, value] of wrong)
      assert.equal(toArchived(type, value), undefined, `${type} ${String(value)}`)
    for (const value of [{}, [], 1.5, undefined]) {
      for (const type of ['text', 'integer', 'bytes', 'time', 'boolean'] as const) {
        assert.equal(toStored('sqlite', type, value), undefined)
      }
    }
  })
})
