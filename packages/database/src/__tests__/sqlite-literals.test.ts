import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql, type SqlValue } from '../sql.js'
import { SqliteConnection, withLiterals } from '../sqlite-connection.js'

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(
      "'",
      '"',
      '\\',
      ';',
      '\n',
      '--',
      '/*',
      '\0',
      '?',
      '?1',
      ':a',
      '$1',
      'é',
      '\u{1f600}',
      '\ud800',
    ),
  }),
)
const anyNumber = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double(),
  fc.constantFrom(0, -0, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 2 ** 53 - 1, NaN, Infinity, 1e300),
)
const anyBytes = fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes))
const anyValue: fc.Arbitrary<SqlValue> = fc.oneof(anyText, anyNumber, anyBytes, fc.constant(null))

describe('batched SQLite statements', () => {
  let folder: string
  let connection: SqliteConnection
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-literals-'))
    connection = await SqliteConnection.open(join(folder, 'file.sqlite'), {
      busyTimeoutMs: 1000,
      readOnly: false,
    })
    // Nothing of it is to be kept.
    await connection.execute([sql`PRAGMA synchronous = OFF`])
    for (const table of ['bound', 'written'])
      await connection.execute([
        table === 'bound'
          ? sql`CREATE TABLE bound (n INTEGER PRIMARY KEY, free, text TEXT, whole INTEGER, bytes BLOB)`
          : sql`CREATE TABLE written (n INTEGER PRIMARY KEY, free, text TEXT, whole INTEGER, bytes BLOB)`,
      ])
  })
  after(async () => {
    await connection.close()
    await rm(folder, { recursive: true })
  })

  it('store exactly what the driver binds, for all values and column types', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyValue, { minLength: 1, maxLength: 12 }), async (values) => {
        await emptied()
        for (const [n, value] of values.entries())
          await connection.run(sql`INSERT INTO bound VALUES (${n}, ${value}, ${value}, ${value}, ${value})`)
        await connection.execute(
          values.map(
            (value, n) => sql`INSERT INTO written VALUES (${n}, ${value}, ${value}, ${value}, ${value})`,
          ),
        )
        const [bound, written] = [await rowsOf('bound'), await rowsOf('written')]
        assert.deepEqual(written, bound)
        assert.equal(written.length, values.length)
      }),
      { numRuns: 300 },
    )
  })

  it('compare like values bound by the driver', async () => {
    await emptied()
    await fc.assert(
      fc.asyncProperty(anyValue, anyValue, async (stored, asked) => {
        const count = async (where: string) =>
          (
            await connection.query<{ n: number }>(
              sql`SELECT whole AS n FROM bound WHERE n = ${where === 'bound' ? 1 : 2}`,
            )
          )[0]?.n
        await connection.execute([sql`DELETE FROM bound`])
        for (const n of [1, 2])
          await connection.run(sql`INSERT INTO bound VALUES (${n}, ${stored}, ${stored}, 0, NULL)`)
        await connection.run(
          sql`UPDATE bound SET whole = 1 WHERE n = 1 AND (text = ${asked} OR free < ${asked})`,
        )
        await connection.execute([
          sql`UPDATE bound SET whole = 1 WHERE n = 2 AND (text = ${asked} OR free < ${asked})`,
        ])
        assert.equal(await count('written'), await count('bound'))
      }),
      { numRuns: 300 },
    )
  })

  it('use literals only where these are exact', () => {
    const written = (value: SqlValue) => withLiterals(sql`SELECT ${value}`)
    assert.equal(written("it's"), "SELECT 'it''s'")
    assert.equal(written(Buffer.from([0, 255])), "SELECT X'00ff'")
    assert.equal(written(-5), 'SELECT -5')
    for (const value of ['a\0b', 2 ** 31, 0.5, NaN, Buffer.alloc(65_537)])
      assert.equal(written(value), undefined)
  })

  it('run in order, and stop after a failing one', async () => {
    await connection.execute([sql`DELETE FROM written`])
    const insert = (n: number, text: string) => sql`INSERT INTO written (n, text) VALUES (${n}, ${text})`
    await assert.rejects(
      connection.execute([insert(1, 'a'), insert(2, 'b\0'), insert(2, 'c'), insert(3, 'd')]),
      { code: 'SQLITE_CONSTRAINT', duplicateIn: new Set(['written']) },
    )
    const rows = await connection.query<{ text: string }>(sql`SELECT text FROM written ORDER BY n`)
    assert.deepEqual(rows, [{ text: 'a' }, { text: 'b\0' }])
  })

  it('reveal no values if one fails', async () => {
    const insert = sql`INSERT INTO written (n, text) VALUES (9, ${'a secret'})`
    const error: unknown = await connection.execute([insert, insert]).catch((failure: unknown) => failure)
    assert.ok(error instanceof Error)
    assert.ok(!JSON.stringify({ ...error, message: error.message, stack: error.stack }).includes('secret'))
  })

  const emptied = () => connection.execute([sql`DELETE FROM bound`, sql`DELETE FROM written`])
  const rowsOf = async (table: 'bound' | 'written') => {
    const columns = sql`n, free, typeof(free) AS a, text, hex(text) AS h, typeof(text) AS b, whole, typeof(whole) AS c, bytes, typeof(bytes) AS d`
    return connection.query(
      table === 'bound'
        ? sql`SELECT ${columns} FROM bound ORDER BY n`
        : sql`SELECT ${columns} FROM written ORDER BY n`,
    )
  }
})
