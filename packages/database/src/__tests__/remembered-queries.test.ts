import assert from 'node:assert/strict'
import { CACHES } from '@vidimus/core-types'
import { freshDatabase, PLACES, type Place } from '../../../../test/support/fresh-database.js'
import { assertCountsWhatItTakes } from '../../../../test/support/memory-taken.js'
import { Database, sql, type Reader, type Sql } from '../index.js'
import { RememberedQueries } from '../remembered-queries.js'
import { CreateNote1700000000000 } from './migrations.js'

for (const place of PLACES) {
  describe(`remembered queries (${place})`, () => rememberedQueries(place))
}

function rememberedQueries(place: Place): void {
  let url: string
  let database: Database
  const open = async () => {
    const opened = new Database({ url, migrations: [[CreateNote1700000000000]] })
    await opened.lifecycle.start()
    return opened
  }
  const put = (to: Database, id: string, body: string) =>
    to.write((connection) =>
      connection.run(
        sql`INSERT INTO note (id, body) VALUES (${id}, ${body}) ON CONFLICT (id) DO UPDATE SET body = excluded.body`,
      ),
    )
  const bodyOf = async (id: string) => {
    const [row] = await database.queryRemembered<{ body: string }>(
      sql`SELECT body FROM note WHERE id = ${id}`,
    )
    return row?.body
  }

  beforeEach(async () => {
    url = await freshDatabase(place)
    database = await open()
  })
  afterEach(async () => {
    await database.lifecycle.stop()
  })

  it('show every write that was acknowledged before they were asked', async () => {
    assert.equal(await bodyOf('a'), undefined)
    for (let n = 0; n < 200; n++) {
      const [, before] = await Promise.all([put(database, 'a', `${n}`), bodyOf('a')])
      assert.ok([undefined, `${n - 1}`, `${n}`].includes(before))
      assert.equal(await bodyOf('a'), `${n}`)
    }
  })

  it('show writes of another process', async () => {
    const other = await open()
    for (let n = 0; n < 50; n++) {
      await put(other, 'a', `${n}`)
      const seen = await Promise.all([bodyOf('a'), bodyOf('a'), bodyOf('b')])
      assert.deepEqual(seen, [`${n}`, `${n}`, undefined])
    }
    await other.lifecycle.stop()
  })

  it('ask once while nothing changes, and share the question whether it did', async () => {
    const statements: string[] = []
    const connection: Reader = {
      query: async <Row>(statement: Sql) => {
        statements.push(statement.text('sqlite'))
        return (
          statement.text('sqlite').startsWith('PRAGMA') ? [{ data_version: 1 }] : [{ id: 'a' }]
        ) as Row[]
      },
    }
    const remembered = new RememberedQueries(connection, sql`PRAGMA data_version`, 'sqlite')
    const ask = (id: string) => remembered.query(sql`SELECT id FROM note WHERE id = ${id}`)
    await Promise.all([ask('a'), ask('a'), ask('b')])
    await ask('a')
    const queries = statements.filter((text) => !text.startsWith('PRAGMA'))
    assert.equal(queries.length, 2)
    assert.equal(statements.length - queries.length, 3)
  })

  it('count what they remember, ask again where the budget of all caches had no room, and forget at the end', async () => {
    await put(database, 'a', 'x'.repeat(5000))
    const rowsOf = (n: number) =>
      database.queryRemembered(sql`SELECT id, body, CAST(${`${n}`} AS TEXT) AS number FROM note`)
    // Whatever else is committed on the server meanwhile, as by its autovacuum, makes all be forgotten: then once more.
    const rowsFrom = async (first: number): Promise<void> => {
      const rows = await rowsOf(first)
      await Promise.all(Array.from({ length: 200 }, (_, n) => rowsOf(first + n)))
      if ((await rowsOf(first)) !== rows) await rowsFrom(first)
    }
    await rowsFrom(1000)
    await put(database, 'b', '')
    await bodyOf('b')
    await assertCountsWhatItTakes('query', { buffers: 0 }, () => rowsFrom(0))
    assert.equal(await rowsOf(0), await rowsOf(0))
    const rows = await rowsOf(0)
    const { bytes } = CACHES
    CACHES.bytes = 1024
    assert.notEqual(await rowsOf(0), rows)
    CACHES.bytes = bytes
    await rowsOf(0)
    const before = CACHES.takenBy.get('query') ?? 0
    await database.lifecycle.stop()
    assert.ok((CACHES.takenBy.get('query') ?? 0) < before)
    database = await open()
  })

  it('do not remember a failure', async () => {
    await assert.rejects(database.queryRemembered(sql`SELECT id FROM later`), /no such table|does not exist/)
    await database.write((connection) => connection.run(sql`CREATE TABLE later (id TEXT)`))
    assert.deepEqual(await database.queryRemembered(sql`SELECT id FROM later`), [])
  })
}
