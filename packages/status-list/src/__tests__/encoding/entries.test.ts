import assert from 'node:assert/strict'
import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { entriesIn, getEntry, setEntry, type EntryLayout } from '../../encoding/entries.js'
import { refused } from '../refused.js'
import { bitstringVectors, tokenVectors } from '../vectors.js'

const ORDERS = ['msb', 'lsb', 'lsb-in-entry'] as const
const layouts = fc.record({
  statusSize: fc.integer({ min: 1, max: 8 }),
  order: fc.constantFrom(...ORDERS),
})

const values = (bits: Uint8Array, layout: EntryLayout) =>
  Array.from({ length: entriesIn(bits, layout.statusSize) }, (_, index) => getEntry(bits, layout, index))

/** The whole list as one row of bits, written by hand. */
function rowOf(entries: readonly number[], { statusSize, order }: EntryLayout): string {
  const texts = entries.map((value) => value.toString(2).padStart(statusSize, '0'))
  const reversed = (text: string) => [...text].reverse().join('')
  const row = texts.map((text) => (order === 'msb' ? text : reversed(text))).join('')
  const bytes = row.padEnd(Math.ceil(row.length / 8) * 8, '0').match(/.{8}/g) ?? []
  return bytes.map((byte) => (order === 'lsb' ? reversed(byte) : byte)).join('')
}

describe('entries', () => {
  it('lays out every size and order as a row of bits', () => {
    fc.assert(
      fc.property(layouts, fc.array(fc.nat(255), { minLength: 1, maxLength: 40 }), (layout, raw) => {
        const entries = raw.map((value) => value % 2 ** layout.statusSize)
        const row = rowOf(entries, layout)
        const bits = new Uint8Array(row.length / 8)
        entries.forEach((value, index) => {
          setEntry(bits, layout, index, value)
        })
        assert.equal([...bits].map((byte) => byte.toString(2).padStart(8, '0')).join(''), row)
        assert.deepEqual(values(bits, layout).slice(0, entries.length), entries)
      }),
    )
  })

  it('changes one entry and no others', () => {
    fc.assert(
      fc.property(
        layouts,
        fc.uint8Array({ minLength: 8, maxLength: 32 }),
        fc.nat(),
        fc.nat(),
        (layout, bits, i, v) => {
          const before = values(bits, layout)
          const index = i % before.length
          const value = v % 2 ** layout.statusSize
          setEntry(bits, layout, index, value)
          assert.deepEqual(values(bits, layout), before.with(index, value))
        },
      ),
    )
  })

  it('agrees with the published multi-bit examples', () => {
    const orders = ['msb', 'lsb-in-entry', 'lsb'] as const
    bitstringVectors.multiBit.forEach(({ values: expected, byteHex }, n) => {
      const layout = { statusSize: 2, order: orders[n] ?? 'msb' }
      assert.deepEqual(values(Buffer.from(byteHex, 'hex'), layout), expected)
    })
    for (const { bits, values: expected, bytes } of tokenVectors.small) {
      const found = values(Buffer.from(bytes, 'hex'), { statusSize: bits, order: 'lsb' })
      assert.deepEqual(found.slice(0, expected.length), expected)
    }
  })

  for (const [size, { bits, entries, lst, size: length }] of Object.entries(tokenVectors.long)) {
    it(`reads and writes the token status list of ${size} bits`, () => {
      const published = inflateSync(Buffer.from(lst, 'base64url'))
      const layout = { statusSize: bits, order: 'lsb' } as const
      const own = new Uint8Array((length * bits) / 8)
      for (const [index, value] of entries) {
        assert.equal(getEntry(published, layout, index), value)
        setEntry(own, layout, index, value)
      }
      assert.ok(published.equals(own))
    })
  }

  it('handles positions beyond 2 ** 31 bits', () => {
    const bits = new Uint8Array(2 ** 28 + 8)
    const layout = { statusSize: 8, order: 'msb' } as const
    setEntry(bits, layout, 2 ** 28 + 1, 200)
    assert.equal(bits[2 ** 28 + 1], 200)
    assert.equal(getEntry(bits, layout, 2 ** 28 + 1), 200)
  })

  for (const index of [16, -1, 1.5, 2 ** 53, Number.NaN]) {
    it(`refuses the index ${index} of 16`, async () => {
      const layout = { statusSize: 1, order: 'msb' } as const
      await refused(() => getEntry(new Uint8Array(2), layout, index), {
        code: 'index_out_of_range',
        says: /0 to 15/,
      })
      await refused(() => setEntry(new Uint8Array(2), layout, index, 1), { code: 'index_out_of_range' })
    })
  }

  for (const value of [4, 5, -1, 1.5]) {
    it(`refuses the value ${value} in two bits, without changing anything`, async () => {
      const bits = Uint8Array.of(0x6c)
      await refused(() => setEntry(bits, { statusSize: 2, order: 'msb' }, 0, value), {
        code: 'value_too_wide',
      })
      assert.equal(bits[0], 0x6c)
    })
  }
})
