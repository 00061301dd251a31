import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Database, sql, type Connection } from '../index.js'
import { ALL, CreateNote1700000000000 } from './migrations.js'

describe('SQLite file', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-sqlite-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const inFolderThatMustBeThere = () => {
    const database = inFolder()
    database.refuseEmpty(() => Promise.resolve('but something says so'))
    return database
  }
  const inFolder = (options: { busyTimeoutMs?: number } = {}) =>
    new Database({
      url: null,
      dataDirectory: join(folder, 'sub'),
      migrations: [[CreateNote1700000000000]],
      ...options,
    })

  it('is in the data directory, for the owner only', async () => {
    const database = inFolder()
    await database.lifecycle.start()
    await database.write((connection) => connection.run(sql`INSERT INTO note VALUES ('a', 'b')`))
    for (const path of ['sub', 'sub/agent.sqlite', 'sub/agent.sqlite-wal']) {
      assert.equal((await stat(join(folder, path))).mode & 0o077, 0, path)
    }
    await database.lifecycle.stop()
  })

  it('flushes every COMMIT to disk before it is acknowledged', async () => {
    const database = inFolder()
    await database.lifecycle.start()
    const FULL = 2
    const read = (connection: Connection) => connection.query(sql`PRAGMA synchronous`)
    assert.deepEqual(await database.write(read), [{ synchronous: FULL }])
    await database.lifecycle.stop()
  })

  it('receives committed pages in large portions, in parallel with writes', async () => {
    const database = inFolder()
    await database.lifecycle.start()
    const file = join(folder, 'sub', 'agent.sqlite')
    const before = (await stat(file)).size
    const write = async (commits: number, bytes: number) => {
      for (let n = 0; n < commits; n += 1)
        await database.write((connection) =>
          connection.run(sql`INSERT INTO note VALUES (HEX(RANDOMBLOB(9)), zeroblob(${bytes}))`),
        )
    }
    await write(40, 250_000)
    assert.equal((await stat(file)).size, before)
    const log = (await stat(`${file}-wal`)).size
    assert.ok(log > 10_000_000)
    await write(56, 1_200_000)
    while ((await stat(file)).size < 64_000_000) await setTimeout(10)
    await database.lifecycle.stop()
    assert.ok((await stat(file)).size > 76_000_000)
  })

  it('is not created just to list pending migrations', async () => {
    assert.deepEqual(await inFolder().pendingMigrations(), ALL)
    assert.deepEqual(await readdir(folder), [])
  })

  it('accepts no writes after it, its log, its shared memory or its lock was deleted or replaced', async () => {
    const path = join(folder, 'sub', 'agent.sqlite')
    const insert = (database: Database) =>
      database.write((connection) => connection.run(sql`INSERT INTO note VALUES ('a', 'b')`))
    const refused = { code: 'unavailable', message: /deleted or replaced/ }
    for (const suffix of ['', '-wal', '-shm', '-migration.lock', 'presence']) {
      const database = inFolder()
      await database.lifecycle.start()
      const id = await database.presence()
      const lost = suffix === 'presence' ? `${path}-present-${id}.lock` : `${path}${suffix}`
      await rename(lost, `${lost}.aside`)
      await assert.rejects(insert(database), refused)
      assert.deepEqual((await database.lifecycle.check())[0]?.ok, false)
      await writeFile(lost, '')
      await assert.rejects(insert(database), refused)
      assert.deepEqual(await database.query(sql`SELECT * FROM note`), [])
      await rename(`${lost}.aside`, lost)
      assert.deepEqual((await database.lifecycle.check())[0]?.ok, true)
      await insert(database)
      await database.write((connection) => connection.run(sql`DELETE FROM note`))
      await database.lifecycle.stop()
    }
  })

  it('acknowledges no commit into a deleted file', async () => {
    const database = inFolder()
    await database.lifecycle.start()
    const write = database.write(async (connection) => {
      await connection.run(sql`INSERT INTO note VALUES ('a', 'b')`)
      await rm(join(folder, 'sub', 'agent.sqlite'))
    })
    await assert.rejects(write, { code: 'outcome_unknown', message: /deleted or replaced/ })
    await database.lifecycle.stop()
  })

  it('is not created if it must already exist', async () => {
    const refused = {
      code: 'invalid_configuration',
      message: /agent\.sqlite is missing or empty, but something/,
    }
    await assert.rejects(inFolderThatMustBeThere().lifecycle.start(), refused)
    assert.deepEqual(await readdir(folder), [])
    await mkdir(join(folder, 'sub'))
    await writeFile(join(folder, 'sub', 'agent.sqlite'), '')
    await assert.rejects(inFolderThatMustBeThere().lifecycle.start(), refused)
  })

  it('can also be written by another process while one writes continuously', async () => {
    const [busy, other] = [inFolder(), inFolder()]
    await busy.lifecycle.start()
    await other.lifecycle.start()
    let writing = true
    let written = 0
    const write = (database: Database, id: string) =>
      database.write(async (connection) => {
        await connection.run(sql`INSERT INTO note (id, body) VALUES (${id}, '')`)
        // A transaction of some length, in which the other looks whether it has ended.
        await setTimeout(5)
      })
    const keepWriting = async (writer: string) => {
      while (writing) await write(busy, `${writer} ${++written}`)
    }
    const writers = Promise.all(['one', 'two'].map(keepWriting))
    for (let n = 0; n < 20; n++) await write(other, `other ${n}`)
    writing = false
    await writers
    const [row] = await other.query<{ notes: number }>(sql`SELECT COUNT(*) AS notes FROM note`)
    assert.equal(row?.notes, written + 20)
    await Promise.all([busy.lifecycle.stop(), other.lifecycle.stop()])
  })

  it('is not waited for longer than configured', async () => {
    const [busy, other] = [inFolder(), inFolder({ busyTimeoutMs: 50 })]
    await busy.lifecycle.start()
    await other.lifecycle.start()
    let end: () => void = () => undefined
    let begin: () => void = () => undefined
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const writing = busy.write(async (connection) => {
      await connection.query(sql`SELECT 1`)
      begin()
      await new Promise<void>((resolve) => (end = resolve))
    })
    await begun
    const insert = () =>
      other.write((connection) => connection.run(sql`INSERT INTO note (id, body) VALUES ('a', 'b')`))
    await assert.rejects(insert, {
      code: 'unavailable',
      message: 'the database is too busy to answer in time',
    })
    end()
    await writing
    assert.equal(await insert(), 1)
    await Promise.all([busy.lifecycle.stop(), other.lifecycle.stop()])
  })
})
