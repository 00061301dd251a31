import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database, sql } from '../index.js'
import { CreateNote1700000000000 } from './migrations.js'

describe('a SQLite file', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-sqlite-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const inFolder = () =>
    new Database({ url: null, dataDirectory: join(folder, 'sub'), migrations: [[CreateNote1700000000000]] })

  it('lies in the data directory, for the owner alone', async () => {
    const database = inFolder()
    await database.lifecycle.start()
    await database.write((connection) => connection.run(sql`INSERT INTO note VALUES ('a', 'b')`))
    for (const path of ['sub', 'sub/agent.sqlite', 'sub/agent.sqlite-wal']) {
      assert.equal((await stat(join(folder, path))).mode & 0o077, 0, path)
    }
    await database.lifecycle.stop()
  })

  it('is not made to tell which migrations it would get', async () => {
    assert.deepEqual(await inFolder().pendingMigrations(), ['CreateNote1700000000000'])
    assert.deepEqual(await readdir(folder), [])
  })
})
