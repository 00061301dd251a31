import assert from 'node:assert/strict'
import { runInAccountScope } from '@vidimus/core-types'
import { sql, type Database } from '@vidimus/database'
import { CheqdInstallation, CHEQ, PAYER, publish, Subject } from './support/cheqd-installation.js'
import { CheqdNode } from './support/cheqd-node/cheqd-node.js'
import { freshDatabase, PLACES } from './support/fresh-database.js'
import { until } from './support/until.js'

const OTHER = 'cheqd1x6weed6d4nchwax2ajnhu0cqqr9kd5z399vxq2'

for (const place of PLACES) {
  describe(`installations sharing an outbox to a cheqd network (${place})`, () => {
    let node: CheqdNode
    let url: string
    before(async () => {
      node = await CheqdNode.start({ blockTime: 20 })
      await node.fund(PAYER, 100_000_000n * CHEQ)
      url = await freshDatabase(place)
    })
    after(() => node.stop())

    const executed = () =>
      new Set(node.chain.messages.filter((sent) => sent.executed).map(({ identity }) => identity))

    it('have one sender for all, and another one when that ends', async () => {
      const [one, other] = [
        await CheqdInstallation.open(url, { rpc: node.url }),
        await CheqdInstallation.open(url, { rpc: node.url }),
      ]
      await Promise.all([one, other].map(({ ledger }) => Subject.created(ledger)))
      await one.close()
      await Subject.created(other.ledger)
      assert.deepEqual(node.chain.sentTwice, [])
      await other.close()
    })

    it('send nothing twice if several believe they are the only sender', async () => {
      const forged = (database: Database) => {
        // as where a connection that holds a lock is lost without a word
        database.lock = () => Promise.resolve(() => Promise.resolve())
      }
      const several = await Promise.all(
        [1, 2, 3].map(() => CheqdInstallation.open(url, { rpc: node.url }, forged)),
      )
      const before = executed().size
      await Promise.all(
        Array.from({ length: 24 }, async (_, n) => {
          const { ledger } = several[n % 3]!
          const subject = await Subject.created(ledger)
          await publish(ledger, subject.publish(), null)
          await ledger.bank.pay({ to: OTHER, amount: 1n, memo: subject.did })
        }),
      )
      assert.deepEqual(node.chain.sentTwice, [])
      assert.equal(executed().size - before, 24 * 3)
      assert.equal(node.balanceOf(OTHER), 24n)
      await Promise.all(several.map((one) => one.close()))
    })

    it('report the outcome of a message to the process that did not send it', async () => {
      const [one, other] = await Promise.all([
        CheqdInstallation.open(url, { rpc: node.url }),
        CheqdInstallation.open(url, { rpc: node.url }),
      ])
      await Promise.all([one, other].map(({ ledger }) => Subject.created(ledger)))
      await Promise.all([one.close(), other.close()])
    })
  })
}

describe('a version of a cheqd network that was sent by another process since it was read', () => {
  it('is no version that came between', async () => {
    const node = await CheqdNode.start({ blockTime: 'by hand' })
    await node.fund(PAYER, 100n * CHEQ)
    const one = await CheqdInstallation.open(await freshDatabase('SQLite'), { rpc: node.url })
    const inBlock = async <T>(write: Promise<T>): Promise<T> => {
      await until(() => node.pending.length > 0)
      await node.produceBlock()
      return write
    }
    const subject = await inBlock(Subject.created(one.ledger))
    const isVersion = sql`"subject" = ${subject.did} AND "kind" = 'createResource'`
    const read = async () => {
      const [row] = await one.database.query<{ state: string; message: Buffer }>(
        sql`SELECT "state", "message" FROM "cheqd_message" WHERE ${isVersion}`,
      )
      return row
    }
    const published = publish(one.ledger, subject.publish(), null)
    await until(async () => (await read())?.state === 'signed')
    const { message } = (await read())!
    await inBlock(published)
    await one.database.write((connection) =>
      connection.run(sql`UPDATE "cheqd_message" SET "state" = 'queued', "message" = ${message}, "attempts" = 0,
        "tx_hash" = NULL, "height" = NULL, "result" = NULL, "finished_at" = NULL WHERE ${isVersion}`),
    )
    await inBlock(Subject.created(one.ledger))
    await until(async () => (await read())?.state !== 'queued')
    assert.equal((await read())?.state, 'done')
    assert.deepEqual(node.chain.sentTwice, [])
    await one.close()
    await node.stop()
  })
})

/** Transactions that are under way at a time. */
const IN_FLIGHT = 4
/** Messages of one account that wait: fifteen transactions of four. */
const MANY = 60

describe('accounts sharing the payer of a cheqd network', () => {
  let node: CheqdNode
  let one: CheqdInstallation
  before(async () => {
    node = await CheqdNode.start({ blockTime: 'by hand' })
    await node.fund(PAYER, 100_000_000n * CHEQ)
    one = await CheqdInstallation.open(await freshDatabase('SQLite'), {
      rpc: node.url,
      batch: { maxMessages: 4 },
      outbox: { submitTimeoutMs: 120_000 },
    })
  })
  after(async () => {
    await one.close()
    await node.stop()
  })

  const ofAccount = <T>(id: string, work: () => Promise<T>): Promise<T> =>
    runInAccountScope({ id, name: id, createdAt: '2026-01-01T00:00:00Z' }, work)
  const count = async (state: string): Promise<number> => {
    const [row] = await one.database.query<{ count: number | string }>(
      sql`SELECT COUNT(*) AS "count" FROM "cheqd_message" WHERE "state" = ${state}`,
    )
    return Number(row?.count)
  }

  const isFull = () => node.pending.length === IN_FLIGHT

  /** Makes blocks until something is done. */
  async function blocksUntil(done: Promise<unknown>): Promise<number> {
    let isDone = false
    const ended = done.finally(() => (isDone = true))
    let blocks = 0
    while (!isDone) {
      // A block holds as many transactions as may be under way, or all that are left.
      await until(
        async () => isDone || isFull() || (node.pending.length > 0 && (await count('queued')) === 0),
      )
      if (isDone) break
      const [first] = node.pending
      await node.produceBlock()
      blocks += 1
      await until(() => isDone || first === undefined || !node.pending.includes(first))
    }
    await ended
    return blocks
  }

  for (const [what, greedily] of [
    ['writes', (signal: AbortSignal) => one.ledger.submit(new Subject().create(), { signal })],
    ['payments, which never share a transaction', (_: AbortSignal, n: number) => pay(n)],
  ] as const) {
    it(`block nobody's writes while many transactions are waiting: ${what}`, async () => {
      const many = what === 'writes' ? MANY : 24
      const given = new AbortController()
      const greedy = ofAccount('greedy', async () => {
        const all = Array.from({ length: many }, (_, n) => greedily(given.signal, n))
        return Promise.allSettled(all)
      })
      await until(async () => (await count('queued')) + (await count('signed')) === many)
      for (let n = 0; n < 2; n++) {
        const own = ofAccount('neighbour', () => one.ledger.submit(new Subject().create()))
        const blocks = await blocksUntil(own)
        // The message in flight, and the next one.
        assert.ok(blocks <= 2, `${blocks} blocks`)
      }
      assert.ok((await count('queued')) > 0)
      given.abort()
      await blocksUntil(greedy)
    })
  }

  const pay = (n: number) => one.ledger.bank.pay({ to: OTHER, amount: 1n, memo: `payment ${n}` })
})
