import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database, isUniqueViolation, sql } from '../index.js'
import { CreateNote1700000000000 } from './migrations.js'

interface Note {
  id: string
  body: string
}

describe('Database', () => {
  let folder: string
  let database: Database
  const open = async (migrations = [[CreateNote1700000000000]]) => {
    const opened = new Database({ url: null, dataDirectory: join(folder, 'sub'), migrations })
    await opened.lifecycle.start()
    return opened
  }
  const insert = (id: string, body = '') => sql`INSERT INTO note (id, body) VALUES (${id}, ${body})`
  const ids = async (from = database) =>
    (await from.query<Note>(sql`SELECT id FROM note ORDER BY id`)).map(({ id }) => id)

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-database-'))
    database = await open()
  })
  afterEach(async () => {
    await database.lifecycle.stop()
    await rm(folder, { recursive: true })
  })

  it('creates folder and file for the owner alone and applies the migrations once', async () => {
    for (const path of ['sub', 'sub/agent.sqlite', 'sub/agent.sqlite-wal']) {
      assert.equal((await stat(join(folder, path))).mode & 0o077, 0, path)
    }
    assert.deepEqual(database.appliedMigrations, ['CreateNote1700000000000'])
    await database.lifecycle.stop()
    database = await open()
    assert.deepEqual(database.appliedMigrations, [])
  })

  it('opens once however often it is started', async () => {
    const fresh = new Database({
      url: `sqlite:${join(folder, 'other.sqlite')}`,
      migrations: [[CreateNote1700000000000]],
    })
    await Promise.all([1, 2, 3, 4].map(() => fresh.lifecycle.start()))
    await fresh.write((connection) => connection.run(insert('a')))
    assert.deepEqual(await ids(fresh), ['a'])
    await fresh.lifecycle.stop()
  })

  it('commits every one of many concurrent transactions, or undoes it whole', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 300 }, (_, n) =>
        database.write(async (connection) => {
          await connection.run(insert(`a${n}`))
          if (n % 3 === 0) throw new Error('no')
          await connection.run(insert(`b${n}`))
        }),
      ),
    )
    const acknowledged = outcomes.flatMap(({ status }, n) =>
      status === 'fulfilled' ? [`a${n}`, `b${n}`] : [],
    )
    assert.equal(acknowledged.length, 400)
    assert.deepEqual(await ids(), acknowledged.sort())
  })

  it('lets a failing statement undo its own transaction alone', async () => {
    const [first, second, third] = await Promise.allSettled([
      database.write((connection) => connection.run(insert('a'))),
      database.write(async (connection) => {
        await connection.run(insert('b'))
        await connection.run(insert('a'))
      }),
      database.write((connection) => connection.run(insert('c'))),
    ])
    assert.equal(first.status, 'fulfilled')
    assert.equal(third.status, 'fulfilled')
    assert.equal(second.status, 'rejected')
    assert.ok(isUniqueViolation(second.reason, 'note'))
    assert.deepEqual(await ids(), ['a', 'c'])
  })

  it('answers readers with committed rows only', async () => {
    let seen: string[] | undefined
    await assert.rejects(
      database.write(async (connection) => {
        await connection.run(insert('a'))
        assert.equal((await connection.query(sql`SELECT id FROM note`)).length, 1)
        seen = await ids()
        throw new Error('undo')
      }),
    )
    assert.deepEqual(seen, [])
  })

  it('shows a reader what was acknowledged before', async () => {
    for (let n = 0; n < 50; n++) {
      const id = String(n).padStart(2, '0')
      await database.write((connection) => connection.run(insert(id)))
      assert.ok((await ids()).includes(id))
    }
  })

  it('keeps two processes on one file apart', async () => {
    const other = await open()
    await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        (n % 2 ? database : other).write(async (connection) => {
          const rows = await connection.query<{ count: number }>(sql`SELECT count(*) AS count FROM note`)
          await connection.run(insert(String(rows[0]?.count).padStart(3, '0')))
        }),
      ),
    )
    assert.equal((await ids()).length, 100)
    await other.lifecycle.stop()
  })

  it('finishes accepted writes before it closes, and refuses later ones', async () => {
    const writes = Array.from({ length: 20 }, (_, n) =>
      database.write((connection) => connection.run(insert(String(n)))),
    )
    await database.lifecycle.stop()
    await Promise.all(writes)
    await assert.rejects(
      database.write((connection) => connection.run(insert('late'))),
      { code: 'unavailable' },
    )
    database = await open()
    assert.equal((await ids()).length, 20)
  })

  it('refuses a database that a newer version wrote', async () => {
    await database.lifecycle.stop()
    const older = new Database({ url: `sqlite:${database.location}`, migrations: [] })
    await assert.rejects(older.lifecycle.start(), /newer version .*CreateNote1700000000000/)
    await older.lifecycle.stop()
    database = await open()
  })

  it('never repeats the values of a statement in an error', async () => {
    await database.write((connection) => connection.run(insert('a')))
    const error: unknown = await database
      .write((connection) => connection.run(insert('a', 'TOP-SECRET')))
      .catch((reason: unknown) => reason)
    assert.ok(error instanceof Error)
    assert.doesNotMatch(
      JSON.stringify({ ...error, message: error.message, stack: error.stack }),
      /TOP-SECRET/,
    )
  })

  it('reports its health', async () => {
    assert.deepEqual(await database.lifecycle.check(), [{ name: 'database', ok: true }])
    await database.lifecycle.stop()
    assert.equal((await database.lifecycle.check())[0]?.ok, false)
    database = await open()
  })
})
