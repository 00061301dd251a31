import assert from 'node:assert/strict'
import type { CheqdLedgerOptions } from '@vidimus/ledger-cheqd'
import { CheqdInstallation, CHEQ, PAYER, publish, Subject } from './support/cheqd-installation.js'
import { CheqdNode, type CheqdNodeOptions } from './support/cheqd-node/cheqd-node.js'
import type { FaultKind, FaultOptions } from './support/cheqd-node/misbehaviour.js'
import { freshDatabase } from './support/fresh-database.js'

const SENDING = (occasion: { method: string }) => occasion.method === 'broadcast_tx_sync'

/** What happens once or some times while messages are sent, and must not be seen by anybody. */
const FAULTS: { [Kind in FaultKind]?: FaultOptions<Kind>[] } = {
  dropRequest: [{ times: 3 }, { times: 2, when: SENDING }],
  loseResponse: [{ times: 3 }, { times: 2, when: SENDING }],
  deliverTwice: [{ times: 5 }, { times: 2, when: SENDING }],
  stallRequest: [{ times: 1, when: SENDING }],
  stallResponse: [{ times: 1, when: SENDING }],
  limitRate: [{ times: 3, retryAfter: 0 }, { times: 2, when: SENDING }],
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

describe('a cheqd network that misbehaves', () => {
  let node: CheqdNode
  let installation: CheqdInstallation
  const start = async (options: CheqdNodeOptions = {}, ledger: Partial<CheqdLedgerOptions> = {}) => {
    node = await CheqdNode.start({ blockTime: 15, ...options })
    await node.fund(PAYER, 100_000_000n * CHEQ)
    installation = await CheqdInstallation.open(await freshDatabase('SQLite'), {
      rpc: node.url,
      ...ledger,
      requests: { timeoutMs: 300, attempts: 5, ...ledger.requests },
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
        const published = []
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
      it(`gets everything there once: ${kind} (${n + 1})`, async () => {
        await start({}, { outbox: { timeoutBlocks: 12 } })
        await Subject.created(installation.ledger)
        const fault = node.misbehave(kind as FaultKind, options as never)
        await work(4, 2)
        assert.ok(fault.struck > 0)
        assertOnceEach(1 + 4 * 3)
      })
    })
  }
})
