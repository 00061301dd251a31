import assert from 'node:assert/strict'
import { runInAccountScope } from '@vidimus/core-types'
import type { LedgerError } from '@vidimus/ledger'
import type { CheqdLedgerOptions } from '@vidimus/ledger-cheqd'
import { CheqdInstallation, CHEQ, PAYER, publish, Subject } from '../support/cheqd-installation.js'
import { CheqdNode, type CheqdNodeOptions } from '../support/cheqd-node/cheqd-node.js'
import type { FaultKind } from '../support/cheqd-node/misbehaviour.js'
import { freshDatabase } from '../support/fresh-database.js'
import { withLateBlocks } from '../support/late-blocks.js'
import { LoadBalancer } from '../support/load-balancer.js'
import { until } from '../support/until.js'

/** A network and its callers at their worst, unnoticed by users. @param blockMs - the interval of blocks */
export function cheqdTrials(blockMs: number): void {
  describe(`trials of a cheqd network with a block every ${blockMs} ms`, () => {
    let node: CheqdNode
    let installation: CheqdInstallation
    const start = async (options: CheqdNodeOptions = {}, ledger: Partial<CheqdLedgerOptions> = {}) => {
      node = await CheqdNode.start({ blockTime: 'by hand', price: 0.02, ...options })
      await node.fund(PAYER, 100_000_000n * CHEQ)
      installation = await CheqdInstallation.open(await freshDatabase('SQLite'), {
        rpc: node.url,
        shortestBlockMs: blockMs,
        outbox: { submitTimeoutMs: 100_000, timeoutBlocks: 30 },
        ...ledger,
      })
    }
    afterEach(async () => {
      await installation.close()
      await node.stop()
    })

    const create = (subject = new Subject()) => installation.ledger.submit(subject.create())
    const creations = (count: number) => Promise.all(Array.from({ length: count }, () => create()))
    const late = <T>(work: Promise<T>) => withLateBlocks(node, blockMs, work)
    const assertOnceEach = (messages: number) => {
      assert.deepEqual(node.chain.sentTwice, [])
      assert.equal(node.chain.messages.filter(({ executed }) => executed).length, messages)
    }

    const FAULTS: [FaultKind, object][] = [
      [
        'loseResponse',
        { times: 2, when: ({ method }: { method: string }) => method === 'broadcast_tx_sync' },
      ],
      ['deliverTwice', { times: 4 }],
      ['refuseSequence', { times: 3 }],
      [
        'refuseTransaction',
        { times: 1, at: 'deliver', codespace: 'sdk', code: 30, log: 'tx timeout height' },
      ],
    ]
    for (const [kind, options] of FAULTS) {
      it(`delivers everything exactly once: ${kind}`, async () => {
        await start({}, { batch: { maxMessages: 4 } })
        await late(create())
        const fault = node.misbehave(kind, options)
        await late(creations(20))
        assert.ok(fault.struck > 0)
        assertOnceEach(21)
      })
    }

    it('survives a price drop in the middle of a pipeline', async () => {
      await start({}, { batch: { maxMessages: 4 } })
      const working = creations(30)
      await until(() => node.pending.length === 4)
      node.setPrice(0.016)
      await late(working)
      assertOnceEach(30)
      // Those that were under way with the old price, and none that was signed after it.
      const failed = node.chain.transactions.filter(({ result }) => result.code !== 0)
      assert.ok(failed.length <= 4, `${failed.length} transactions`)
    })

    it('survives a halt and an upgrade with messages queued and in flight', async () => {
      await start({}, { batch: { maxMessages: 4 } })
      await late(create())
      const working = creations(40)
      await until(() => node.pending.length === 4)
      const halted = node.chain.height
      // Pending messages are lost with the mempool; afterwards fees, block size and price are different.
      await node.restart()
      node.setPrice(0.01)
      node.setBlock({ maxBytes: 60_000, maxGas: 1_500_000 })
      assert.equal(node.chain.height, halted)
      await late(working)
      assertOnceEach(41)
      assert.equal((await installation.ledger.report()).waiting, 0)
    })

    it('handles two nodes behind one address, one of them late', async () => {
      await start()
      const slow = await node.follower({ lagBlocks: 2 })
      const balancer = await LoadBalancer.inFrontOf([node, slow])
      const behind = await CheqdInstallation.open(await freshDatabase('SQLite'), {
        rpc: balancer.url,
        shortestBlockMs: blockMs,
        outbox: { submitTimeoutMs: 100_000 },
        requests: { attempts: 8 },
      })
      const work = async () => {
        const subject = await Subject.created(behind.ledger)
        // Every writer can read its own writes, and nobody sees an older version again.
        assert.ok(await behind.ledger.getDidDoc(subject.did))
        const first = await publish(behind.ledger, subject.publish(), null)
        const second = await publish(behind.ledger, subject.publish(), first.id)
        const newest = await behind.ledger.getLatestResourceMetadata(
          second.collectionId,
          second.name,
          second.resourceType,
        )
        assert.equal(newest?.id, second.id)
      }
      await late(Promise.all([work(), work(), work()]))
      await behind.close()
      await balancer.close()
      assertOnceEach(9)
    })

    it('serves twenty accounts, one of which misbehaves', async () => {
      await start({ block: { maxBytes: 200_000, maxGas: 2_000_000 } }, { maxSpendPerDayCheq: 3000 })
      const by = <T>(id: string, work: () => Promise<T>) =>
        runInAccountScope({ id, name: id, createdAt: '2026-01-01T00:00:00Z' }, work)
      const owner = new Subject()
      const taken = owner.create()
      await late(by('bad', () => installation.ledger.submit(taken)))
      const large = () => owner.publish({ data: Buffer.alloc(100_000, 'x') })
      const badly = [
        ...Array.from({ length: 10 }, () => installation.ledger.submit.bind(installation.ledger, taken)),
        ...Array.from({ length: 10 }, () => () => installation.ledger.submit(large())),
        ...Array.from({ length: 40 }, () => () => create()),
      ]
      const bad = by('bad', () => Promise.allSettled(badly.map((one) => one())))
      const good = Promise.all(Array.from({ length: 19 }, (_, n) => by(`account-${n}`, () => creations(2))))
      await late(good)
      const { result } = await late(bad)
      const codes = result.flatMap((one) =>
        one.status === 'rejected' ? [(one.reason as LedgerError).code] : [],
      )
      // Existing objects, messages that no block accepts, and messages over the account's budget; the rest is arbitrary.
      assert.deepEqual(
        [1200, 7, 8].map((code) => codes.includes(code)),
        [true, true, true],
        String(codes),
      )
      const done = result.filter(({ status }) => status === 'fulfilled').length
      assertOnceEach(1 + 19 * 2 + done)
    })
  })
}
