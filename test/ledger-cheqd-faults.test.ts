import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { LedgerError, ResourceMetadata } from '@vidimus/ledger'
import type { CheqdLedgerOptions } from '@vidimus/ledger-cheqd'
import fc from 'fast-check'
import { CheqdInstallation, CHEQ, MNEMONIC, PAYER, publish, Subject } from './support/cheqd-installation.js'
import { CheqdNode, type CheqdNodeOptions } from './support/cheqd-node/cheqd-node.js'
import type { FaultKind, FaultOptions } from './support/cheqd-node/misbehaviour.js'
import { Wallet } from './support/cheqd-node/wallet.js'
import { freshDatabase } from './support/fresh-database.js'
import { until } from './support/until.js'

const SENDING = (occasion: { method: string }) => occasion.method === 'broadcast_tx_sync'

/** Faults that occur once or several times while messages are sent, invisibly to callers. */
const FAULTS: { [Kind in FaultKind]?: FaultOptions<Kind>[] } = {
  dropRequest: [{ times: 3 }, { times: 2, when: SENDING }],
  loseResponse: [{ times: 3 }, { times: 2, when: SENDING }],
  deliverTwice: [{ times: 5 }, { times: 2, when: SENDING }],
  stallRequest: [{ times: 1, when: SENDING }],
  stallResponse: [{ times: 1, when: SENDING }],
  limitRate: [
    { times: 3, retryAfter: 0 },
    { times: 2, when: SENDING },
  ],
  unavailable: [{ times: 3 }],
  answerHtml: [{ times: 3 }, { times: 2, when: SENDING }],
  answerInvalidJson: [{ times: 3 }, { times: 2, when: SENDING }],
  truncateAnswer: [{ times: 3 }, { times: 2, when: SENDING }],
  answerWrongId: [{ times: 3 }, { times: 2, when: SENDING }],
  refuseSequence: [{ times: 2 }],
  refuseAsFull: [{ times: 2 }],
  runOutOfGas: [{ times: 1 }],
  forgetTransaction: [{ times: 2 }],
  holdTransaction: [{ times: 10 }],
  refuseTransaction: [
    { times: 1, at: 'check', codespace: 'sdk', code: 13, log: 'insufficient fee' },
    { times: 1, at: 'deliver', codespace: 'sdk', code: 13, log: 'insufficient fee' },
    { times: 1, at: 'deliver', codespace: 'sdk', code: 30, log: 'tx timeout height' },
    { times: 1, at: 'deliver', codespace: 'sdk', code: 32, log: 'account sequence mismatch' },
  ],
  catchUp: [{ times: 3 }],
}

describe('a misbehaving cheqd network', () => {
  let node: CheqdNode
  let installation: CheqdInstallation
  const start = async (options: CheqdNodeOptions = {}, ledger: Partial<CheqdLedgerOptions> = {}) => {
    node = await CheqdNode.start({ blockTime: 15, ...options })
    await node.fund(PAYER, 100_000_000n * CHEQ)
    installation = await CheqdInstallation.open(await freshDatabase('SQLite'), {
      rpc: node.url,
      ...ledger,
      requests: { timeoutMs: 1000, attempts: 5, ...ledger.requests },
    })
  }
  afterEach(async () => {
    await installation.close()
    await node.stop()
  })

  /** DIDs with resources, several at the same time. */
  const work = (subjects: number, resources: number) =>
    Promise.all(
      Array.from({ length: subjects }, async () => {
        const subject = await Subject.created(installation.ledger)
        const published: ResourceMetadata[] = []
        for (let n = 0; n < resources; n++) {
          published.push(await publish(installation.ledger, subject.publish(), published.at(-1)?.id ?? null))
        }
        return published
      }),
    )

  const assertOnceEach = (messages: number) => {
    assert.deepEqual(node.chain.sentTwice, [])
    assert.equal(node.chain.messages.filter(({ executed }) => executed).length, messages)
  }

  for (const [kind, several] of Object.entries(FAULTS)) {
    several.forEach((options, n) => {
      it(`delivers everything exactly once: ${kind} (${n + 1})`, async () => {
        await start({}, { outbox: { timeoutBlocks: 12 } })
        await Subject.created(installation.ledger)
        const fault = node.misbehave(kind as FaultKind, options)
        await work(4, 2)
        assert.ok(fault.struck > 0)
        assertOnceEach(1 + 4 * 3)
      })
    })
  }

  it('recovers after a restart of the node that lost its mempool', async () => {
    await start()
    const held = node.misbehave('holdTransaction')
    const working = work(4, 1)
    await until(() => node.pending.length > 0)
    await node.restart()
    held.stop()
    await working
    assertOnceEach(8)
  })

  it('re-signs only what no block included in time', async () => {
    await start({ blockTime: 'by hand' }, { outbox: { timeoutBlocks: 6 } })
    const subject = new Subject()
    const forgotten = node.misbehave('forgetTransaction')
    const creating = installation.ledger.submit(subject.create())
    await until(() => sendings().length >= 1)
    const [first] = sendings()
    for (let block = 1; block < 6; block++) await node.produceBlock()
    const sent = sendings().length
    await until(() => sendings().length > sent)
    assert.ok(sendings().every((hash) => hash === first))
    const oneMore = async () => {
      await node.produceBlock()
      return sendings().some((hash) => hash !== first)
    }
    await until(oneMore)
    forgotten.stop()
    let written: string | undefined
    void creating.then(({ txHash = '' }) => (written = txHash))
    await until(async () => {
      await node.produceBlock()
      return written !== undefined
    })
    const { txHash } = await creating
    assert.notEqual(txHash, first)
    assertOnceEach(1)
  })

  it('recovers the sequence after another wallet used the same account', async () => {
    await start()
    const wallet = await Wallet.connect(node.url, MNEMONIC)
    await Subject.created(installation.ledger)
    for (let n = 0; n < 3; n++) {
      const foreign = new Subject()
      const { code } = await wallet.send([foreign.create()])
      assert.equal(code, 0)
      await Promise.all([work(2, 1), work(1, 1)])
    }
    assertOnceEach(1 + 3 + 3 * 6)
  })

  it('fails only the refused message, and resends those that shared its transaction', async () => {
    await start()
    const { ledger } = installation
    const subjects = await Promise.all([1, 2, 3, 4].map(() => Subject.created(ledger)))
    // Signed before, so that all pass the look at the chain and meet in a transaction.
    const held = node.misbehave('holdTransaction')
    const first = ledger.submit(subjects[0]!.update())
    await until(() => node.pending.length > 0)
    const id = randomUUID()
    const name = 'same id'
    const messages = subjects.map((subject) => ledger.submit(subject.publish({ name })))
    const twice = [1, 2].map(() => ledger.submit(subjects[3]!.publish({ id, name: randomUUID() })))
    await until(async () => (await waitingRows()) >= 7)
    held.stop()
    const outcomes = await Promise.allSettled([first, ...messages, ...twice])
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    assert.equal(refused.length, 1)
    const reason = (refused[0] as PromiseRejectedResult).reason as LedgerError
    assert.deepEqual([reason.codespace, reason.code, reason.phase], ['resource', 2200, 'deliver'])
    assert.match(reason.message, /Resource exists$/)
    assert.ok(!reason.message.includes('message index'))
    assert.deepEqual(node.chain.messages.filter(({ executed }) => executed).length, 4 + 1 + 4 + 1)
  })

  it('resends a message that ran out of gas with more of it each time', async () => {
    await start()
    const fault = node.misbehave('runOutOfGas')
    await assert.rejects(installation.ledger.submit(new Subject().create()), { codespace: 'sdk', code: 11 })
    assert.equal(fault.struck, 5)
  })

  it('uses no node of another chain', async () => {
    await start({ chainId: 'cheqd-testnet-7' })
    await assert.rejects(installation.ledger.getDidDoc(new Subject().did), (error: LedgerError) => {
      assert.equal(error.phase, 'transport')
      assert.match(
        error.message,
        /127\.0\.0\.1:\d+: it belongs to the chain "cheqd-testnet-7", not to "cheqd-testnet-6"/,
      )
      return true
    })
    const [check] = await installation.ledger.check()
    assert.equal(check?.ok, false)
  })

  it('uses another node if one does not respond, and returns to it later', async () => {
    await start()
    const follower = await node.follower({ lagBlocks: 0 })
    const both = await CheqdInstallation.open(await freshDatabase('SQLite'), {
      rpc: [node.url, follower.url],
    })
    const silent = node.misbehave('dropRequest')
    const subject = await Subject.created(both.ledger)
    const asked = follower.calls.length
    assert.ok(asked > 0)
    silent.stop()
    const before = node.calls.length
    await until(async () => {
      await both.ledger.getDidDoc(subject.did)
      return node.calls.length > before
    })
    await both.close()
  })

  it('reads what it has written, whichever node lags behind', async () => {
    await start()
    const late = await node.follower({ lagBlocks: 8 })
    const both = await CheqdInstallation.open(await freshDatabase('SQLite'), {
      rpc: [late.url, node.url],
      requests: { attempts: 5 },
    })
    for (let n = 0; n < 4; n++) {
      const subject = await Subject.created(both.ledger)
      assert.ok(await both.ledger.getDidDoc(subject.did))
      const resource = await publish(both.ledger, subject.publish(), null)
      assert.equal((await both.ledger.listResources(resource.collectionId, { limit: 1000 })).length, 1)
    }
    assert.deepEqual(node.chain.sentTwice, [])
    await both.close()
  })

  it('delivers everything exactly once under random faults', async function () {
    const kinds = Object.entries(FAULTS).flatMap(([kind, several]) =>
      several.map((options) => [kind, options] as const),
    )
    await start({}, { outbox: { timeoutBlocks: 12 } })
    let expected = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 5 }),
        async (faults) => {
          for (const [kind, options] of faults) node.misbehave(kind as FaultKind, options)
          // Many concurrent faults may exceed the retries or the gas of a simulation.
          const outcomes = await Promise.allSettled([work(3, 2), work(1, 1)])
          node.behave()
          for (const outcome of outcomes) {
            if (outcome.status === 'rejected')
              assert.ok([2, 11].includes((outcome.reason as LedgerError).code))
          }
          if (outcomes.every(({ status }) => status === 'fulfilled')) expected += 11
          assert.deepEqual(node.chain.sentTwice, [])
        },
      ),
      { numRuns: 15 },
    )
    assert.ok(expected > 0)
  })

  const sendings = () =>
    node.calls.flatMap(({ method, transaction }) =>
      method === 'broadcast_tx_sync' && transaction ? [transaction.hash] : [],
    )

  const waitingRows = async () => {
    const { waiting } = await installation.ledger.report()
    return waiting
  }
})
