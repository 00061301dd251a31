import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql, type Sql } from '../index.js'
import { SqliteConnection } from '../sqlite-connection.js'
import { SqliteLog } from '../sqlite-log.js'
import { transactionsOn } from '../sqlite-transactions.js'
import type { Transact } from '../write-queue.js'

const BOUNDS = { pages: 50, rest: 10, lookEvery: 4 }
const PAGES_LOOK = sql`PRAGMA wal_checkpoint(NOOP)`

describe('write-ahead log of a SQLite file', () => {
  let folder: string
  let writer: SqliteConnection
  let mover: SqliteConnection
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-log-'))
    const open = (readOnly: boolean) =>
      SqliteConnection.open(join(folder, 'file.sqlite'), { busyTimeoutMs: 1000, readOnly })
    ;[writer, mover] = [await open(false), await open(true)]
    await writer.run(sql`CREATE TABLE note (content BLOB)`)
  })
  afterEach(async () => {
    await writer.close()
    await rm(folder, { recursive: true })
  })

  const pagesInLog = async () => {
    const [row] = await writer.query<{ log: number; checkpointed: number }>(PAGES_LOOK)
    return row ?? assert.fail()
  }
  async function writeTo(transact: Transact, commits: number, bytes: number): Promise<void> {
    for (let n = 0; n < commits; n += 1)
      await transact((connection) => connection.run(sql`INSERT INTO note VALUES (zeroblob(${bytes}))`))
  }
  const transactions = (log: SqliteLog) =>
    transactionsOn(writer, {
      busyTimeoutMs: 1000,
      files: { mustBeThere: () => undefined, mustHaveStayed: () => undefined },
      log,
      remembered: new Set(),
    })

  it('is checkpointed in parallel with writes, and restarts', async () => {
    const log = new SqliteLog(mover, BOUNDS)
    const transact = transactions(log)
    await writeTo(transact, 4, 100_000)
    await log.idle()
    const { checkpointed } = await pagesInLog()
    assert.ok(checkpointed > 90, String(checkpointed))
    await writeTo(transact, 1, 100)
    assert.ok((await pagesInLog()).log < 10)
    for (let n = 0; n < 20; n += 1) {
      await writeTo(transact, 4, 100_000)
      await log.idle()
    }
    assert.ok((await stat(join(folder, 'file.sqlite-wal'))).size < 1_000_000)
    await log.close()
  })

  it('is not checkpointed while it is small', async () => {
    const log = new SqliteLog(mover, BOUNDS)
    await writeTo(transactions(log), 8, 1000)
    await log.idle()
    assert.equal((await pagesInLog()).checkpointed, 0)
    await log.close()
  })

  it('is checkpointed again while many pages arrive, and completely once nobody writes', async () => {
    const left = [100, 60, 5]
    const asked: string[] = []
    const query = <Row>(statement: Sql) => {
      const how = /\((\w+)\)/.exec(statement.text('sqlite'))?.[1] ?? ''
      asked.push(how)
      return Promise.resolve([{ log: how === 'NOOP' ? left.shift() : 0, checkpointed: 0 }] as Row[])
    }
    const log = new SqliteLog({ query, close: () => mover.close() }, BOUNDS)
    const transact = transactions(log)
    await writeTo(transact, 4, 1)
    await log.idle()
    assert.deepEqual(asked, ['NOOP', 'PASSIVE', 'NOOP', 'PASSIVE', 'NOOP'])
    await writeTo(transact, 2, 1)
    assert.deepEqual(asked.slice(5), ['PASSIVE'])
    await log.close()
  })

  it('delays no COMMIT, and retries after a failure', async () => {
    const asked: ((error: Error) => void)[] = []
    const query = () => new Promise<never>((_resolve, reject) => asked.push(reject))
    const log = new SqliteLog({ query, close: () => Promise.resolve() }, BOUNDS)
    const transact = transactions(log)
    await writeTo(transact, 12, 1000)
    assert.equal(asked.length, 1)
    asked[0]?.(new Error('no room'))
    await log.idle()
    await writeTo(transact, 4, 1000)
    assert.equal(asked.length, 2)
    asked[1]?.(new Error('no room'))
    await log.close()
    await mover.close()
  })
})
