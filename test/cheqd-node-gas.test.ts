import assert from 'node:assert/strict'
import * as did from '@cheqd/ts-proto/cheqd/did/v2/index.js'
import type { LedgerMessage } from '@vidimus/ledger'
import { createDid, createResource, updateDid } from '../packages/ledger/src/__tests__/signing.js'
import { Subject } from './support/cheqd-installation.js'
import { GasMeter, GAS_SCHEDULE } from './support/cheqd-node/gas-meter.js'
import { executeMessage } from './support/cheqd-node/message-execution.js'
import { StateOverlay } from './support/cheqd-node/state.js'
import { identityOf } from './support/cheqd-node/identity-messages.js'

const TYPES = {
  createDidDoc: '/cheqd.did.v2.MsgCreateDidDoc',
  updateDidDoc: '/cheqd.did.v2.MsgUpdateDidDoc',
  deactivateDidDoc: '/cheqd.did.v2.MsgDeactivateDidDoc',
  createResource: '/cheqd.resource.v2.MsgCreateResource',
} as const

/** What the handlers of cheqd-node v4.2.0 used: bytes of the document, versions before, gas. */
const DOCUMENTS = {
  create: [
    [317, 0, 34_357],
    [1_507, 0, 70_057],
    [5_209, 0, 181_117],
    [20_173, 0, 630_067],
  ],
  update: [
    [317, 1, 63_021],
    [317, 2, 64_845],
    [1_507, 5, 146_955],
    [20_173, 20, 1_434_978],
  ],
  deactivate: [
    [317, 1, 103_682],
    [317, 5, 187_399],
    [317, 50, 1_107_109],
    [1_507, 10, 807_239],
    [5_209, 1, 778_778],
    [20_173, 50, 35_956_144],
  ],
} as const

/** Bytes of the content, whether it is the second of its name, gas. */
const RESOURCES = [
  [10, false, 44_224],
  [10, true, 63_572],
  [1_000, false, 73_948],
  [1_000, true, 93_272],
  [100_000, true, 3_063_272],
] as const

/** What the first DID of a chain takes more, as a counter begins with it. */
const FIRST_DID = 2_540
/** A few bytes: which of the versions comes first in the store, by their ids, is paid for twice. */
const NEAR = 150
const assertNear = (used: number, expected: number) =>
  assert.ok(Math.abs(used - expected) <= NEAR, `${used} gas, and the node took ${expected}`)

describe('the gas of messages to a cheqd network', () => {
  for (const [kind, cases] of Object.entries(DOCUMENTS)) {
    for (const [bytes, versions, expected] of cases) {
      it(`is the node's: ${kind}, ${bytes} bytes, ${versions} versions before`, async () => {
        const chain = new TinyChain()
        const subject = sized(bytes)
        for (let n = 0; n < versions; n++) {
          const { doc } = subject
          await chain.run(subject.sign(n === 0 ? createDid(doc) : updateDid(doc)))
        }
        const message =
          kind === 'create' ? createDid(subject.doc) : kind === 'update' ? updateDid(subject.doc) : undefined
        const used = await chain.run(message ? subject.sign(message) : subject.deactivate())
        assertNear(used, kind === 'create' ? expected - FIRST_DID : expected)
      })
    }
  }

  for (const [bytes, isSecond, expected] of RESOURCES) {
    it(`is the node's: a resource of ${bytes} bytes, ${isSecond ? 'second' : 'first'} of its name`, async () => {
      const chain = new TinyChain()
      const subject = sized(317)
      await chain.run(subject.sign(createDid(subject.doc)))
      const publish = () =>
        subject.sign(
          createResource(subject.did, { name: 'gas', resourceType: 'gas', data: Buffer.alloc(bytes, 'x') }),
        )
      if (isSecond) await chain.run(publish())
      assertNear(await chain.run(publish()), expected)
    })
  }
})

/** A state to which messages are applied, a second after the other, as the figures were measured. */
class TinyChain {
  private readonly state = new StateOverlay({ get: () => undefined })
  private seconds = Date.UTC(2021, 0, 1) / 1000

  async run(message: LedgerMessage): Promise<number> {
    const gas = new GasMeter(Number.MAX_SAFE_INTEGER, GAS_SCHEDULE)
    const sent = {
      kind: 'identity' as const,
      typeUrl: TYPES[message.type],
      identity: identityOf(message),
      message,
    }
    const time = new Date(++this.seconds * 1000)
    await executeMessage({ network: 'testnet', time }, this.state, sent, { gas, index: 0 })
    return gas.used
  }
}

/** A subject whose document has so many bytes. */
function sized(bytes: number): Subject {
  const subject = new Subject()
  const doc = { ...subject.doc, controller: [] as string[], alsoKnownAs: [] as string[] }
  const size = () => did.DidDoc.encode(did.DidDoc.fromPartial(doc)).finish().length
  for (let n = 0; size() < bytes; n++) {
    // Each takes a tag and a length beside its text.
    const left = bytes - size()
    const length = left <= 120 ? left : Math.min(100, left - 20)
    doc.alsoKnownAs.push(`did:x:${n}-`.padEnd(length - 2, 'a'))
  }
  assert.equal(size(), bytes)
  return Object.assign(subject, { doc })
}
