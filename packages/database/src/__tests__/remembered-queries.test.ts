import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database, sql, type Connection, type Sql } from '../index.js'
import { RememberedQueries } from '../remembered-queries.js'
import { CreateNote1700000000000 } from './migrations.js'

describe('remembered queries', () => {
  let folder: string
  let database: Database
  const open = async () => {
    const opened = new Database({ url: null, dataDirectory: folder, migrations: [[CreateNote1700000000000]] })
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
    folder = await mkdtemp(join(tmpdir(), 'vidimus-remembered-'))
    database = await open()
  })
  afterEach(async () => {
    await database.lifecycle.stop()
    await rm(folder, { recursive: true })
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
    const connection: Pick<Connection, 'query'> = {
      query: async <Row>(statement: Sql) => {
        statements.push(statement.text('sqlite'))
        return (
          statement.text('sqlite').startsWith('PRAGMA') ? [{ data_version: 1 }] : [{ id: 'a' }]
        ) as Row[]
      },
    }
    const remembered = new RememberedQueries(connection as Connection)
    const ask = (id: string) => remembered.query(sql`SELECT id FROM note WHERE id = ${id}`)
    await Promise.all([ask('a'), ask('a'), ask('b')])
    await ask('a')
    const queries = statements.filter((text) => !text.startsWith('PRAGMA'))
    assert.equal(queries.length, 2)
    assert.equal(statements.length - queries.length, 3)
  })

  it('do not remember a failure', async () => {
    await assert.rejects(database.queryRemembered(sql`SELECT id FROM later`), /no such table/)
    await database.write((connection) => connection.run(sql`CREATE TABLE later (id TEXT)`))
    assert.deepEqual(await database.queryRemembered(sql`SELECT id FROM later`), [])
  })
})
