import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { AgentError, runInAccountScope } from '@vidimus/core-types'
import type { RunningTransaction } from '../batched-work.js'
import { DatabaseError } from '../errors.js'
import { sql, type Sql } from '../sql.js'
import { WriteQueue } from '../write-queue.js'
import { SqliteFolder } from './sqlite-folder.js'

describe('write queue', () => {
  let folder: SqliteFolder
  before(async () => {
    folder = await SqliteFolder.create()
  })
  after(() => folder.remove())

  it('alternates between accounts, however many writes one of them has waiting', async () => {
    const database = await folder.open()
    const order: string[] = []
    const write = (name: string) =>
      runInAccountScope({ id: name, name, createdAt: '2026-01-01T00:00:00.000Z' }, () =>
        database.write(() => Promise.resolve(order.push(name))),
      )
    const greedy = Array.from({ length: 1000 }, () => write('greedy'))
    const neighbour = Array.from({ length: 3 }, () => write('neighbour'))
    await Promise.all([...greedy, ...neighbour])
    assert.ok(order.lastIndexOf('neighbour') < 10, String(order.lastIndexOf('neighbour')))
  })
  it('lets writes share the transaction that come before it can begin', async () => {
    const { queue, begin, transactions } = waitingQueue()
    const first = queue.run(() => Promise.resolve(1))
    await setImmediate()
    const second = queue.run(() => Promise.resolve(2))
    begin()
    assert.deepEqual(await Promise.all([first, second]), [1, 2])
    assert.equal(transactions(), 1)
  })

  it('reports to those that wait that a transaction could not begin, and continues', async () => {
    const { queue, begin } = waitingQueue()
    const refused = queue.run(() => Promise.resolve(1))
    await setImmediate()
    begin(new Error('no connection'))
    await assert.rejects(refused, /no connection/)
    await queue.idle()
    const next = queue.run(() => Promise.resolve(2))
    await setImmediate()
    begin()
    assert.equal(await next, 2)
  })

  it('says that the database is away to all works of a transaction in which not even a savepoint could be set', async () => {
    const away = new AgentError('unavailable', 'away', { cause: new DatabaseError('gone', '08006') })
    const refuse = (statements: readonly Sql[]) => {
      const [first] = statements.map((statement) => statement.text('postgres'))
      if (first?.startsWith('ROLLBACK TO'))
        throw new DatabaseError('savepoint "work" does not exist', '3B001')
      throw away
    }
    const queue = new WriteQueue((works) =>
      works({ ...RUNNING, execute: (statements) => Promise.resolve(statements).then(refuse) }),
    )
    const written = await Promise.allSettled(
      [1, 2].map(() => queue.run((connection) => connection.run(sql`DELETE FROM note`))),
    )
    for (const outcome of written)
      assert.equal(outcome.status === 'rejected' && (outcome.reason as unknown), away)
  })

  it('makes nobody wait for more than 64 writes that share a COMMIT', async () => {
    let transactions = 0
    const queue = new WriteQueue((works) => {
      transactions += 1
      return works(RUNNING)
    })
    const ofTransaction = await Promise.all(
      Array.from({ length: 130 }, () => queue.run(() => Promise.resolve(transactions))),
    )
    const sizes = [1, 2, 3].map((n) => ofTransaction.filter((each) => each === n).length)
    assert.deepEqual(sizes, [64, 64, 2])
  })
})

const RUNNING: RunningTransaction = {
  query: () => Promise.resolve([]),
  run: () => Promise.resolve(0),
  execute: () => Promise.resolve(),
  commit: () => Promise.resolve(),
  pipelined: false,
}

/** A queue whose transactions wait, as for a lock, until they are let begin or are refused. */
function waitingQueue() {
  let transactions = 0
  let begin: (failure?: Error) => void = () => assert.fail('no transaction waits')
  const queue = new WriteQueue(async (works) => {
    transactions += 1
    await new Promise<void>((resolve, reject) => {
      begin = (failure) => (failure ? reject(failure) : resolve())
    })
    return works(RUNNING)
  })
  return { queue, begin: (failure?: Error) => begin(failure), transactions: () => transactions }
}
