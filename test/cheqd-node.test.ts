import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import * as didProto from '@cheqd/ts-proto/cheqd/did/v2/index.js'
import * as resourceProto from '@cheqd/ts-proto/cheqd/resource/v2/index.js'
import {
  assertIsDeliverTxSuccess,
  createProtobufRpcClient,
  QueryClient,
  type DeliverTxResponse,
} from '@cosmjs/stargate'
import { connectComet } from '@cosmjs/tendermint-rpc'
import type { LedgerMessage, UnsignedLedgerMessage } from '@vidimus/ledger'
import {
  createDid,
  createResource,
  deactivateDid,
  didDoc,
  ed25519Key,
  newDid,
  signed,
  updateDid,
  type Ed25519Key,
} from '../packages/ledger/src/__tests__/signing.js'
import { CheqdNode, type CheqdNodeOptions } from './support/cheqd-node/cheqd-node.js'
import { Wallet } from './support/cheqd-node/wallet.js'

const CHEQ = 10n ** 9n

/** A DID with one key. */
class Subject {
  readonly did = newDid()
  readonly key = ed25519Key()
  readonly doc = didDoc(this.did, [this.key])

  sign(message: UnsignedLedgerMessage, key: Ed25519Key = this.key): LedgerMessage {
    return signed(message, [`${this.did}#key-1`, key])
  }

  create = () => this.sign(createDid(this.doc))
  update = () => this.sign(updateDid({ ...this.doc, alsoKnownAs: [`https://${randomUUID()}.example`] }))
  deactivate = () => this.sign(deactivateDid(this.did))
  publish = (changes: Parameters<typeof createResource>[1] = {}) =>
    this.sign(createResource(this.did, changes))
}

const outcomeOf = ({ code, rawLog = '' }: DeliverTxResponse) => ({ code, log: rawLog })

describe('a node of cheqd for tests', () => {
  let node: CheqdNode
  let wallet: Wallet
  const start = async (options: CheqdNodeOptions = {}, funds = 10_000n * CHEQ) => {
    node = await CheqdNode.start({ blockTime: 10, ...options })
    wallet = await Wallet.connect(node.url)
    if (funds > 0n) await node.fund(wallet.address, funds)
  }
  afterEach(() => node.stop())

  describe('with the stock clients', () => {
    beforeEach(() => start())

    it('creates, updates and deactivates a DID, and answers with what it keeps', async () => {
      const subject = new Subject()
      const created = await wallet.send([subject.create()])
      assertIsDeliverTxSuccess(created)
      const [response] = created.msgResponses
      assert.equal(response?.typeUrl, '/cheqd.did.v2.MsgCreateDidDocResponse')
      const { value } = didProto.MsgCreateDidDocResponse.decode(response.value)
      assert.deepEqual(value?.didDoc, subject.doc)
      assert.deepEqual(value.metadata?.created, node.chain.blocks[created.height - 1]?.time)

      assertIsDeliverTxSuccess(await wallet.send([subject.update()]))
      const deactivated = await wallet.send([subject.deactivate()])
      const last = didProto.MsgDeactivateDidDocResponse.decode(
        deactivated.msgResponses[0]?.value ?? new Uint8Array(),
      )
      assert.equal(last.value?.metadata?.deactivated, true)
      assert.match((await wallet.send([subject.update()])).rawLog ?? '', /already deactivated/)
    })

    it('publishes resources whose versions are linked', async () => {
      const subject = new Subject()
      const messages = [subject.create(), subject.publish(), subject.publish()]
      const sent = await wallet.send(messages)
      assertIsDeliverTxSuccess(sent)
      const [, first, second] = sent.msgResponses.map(({ value }) => value)
      const one = resourceProto.MsgCreateResourceResponse.decode(first ?? new Uint8Array()).resource
      const other = resourceProto.MsgCreateResourceResponse.decode(second ?? new Uint8Array()).resource
      assert.equal(one?.mediaType, 'application/json')
      assert.equal(one.previousVersionId, '')
      assert.equal(other?.previousVersionId, one.id)
      const queries = new resourceProto.QueryClientImpl(
        createProtobufRpcClient(new QueryClient(await connectComet(node.url))),
      )
      const latest = await queries.LatestResourceVersion({
        collectionId: one.collectionId,
        name: one.name,
        resourceType: one.resourceType,
      })
      assert.deepEqual(latest.resource?.metadata, other)
      const { resource } = await queries.ResourceMetadata({ collectionId: one.collectionId, id: one.id })
      assert.equal(resource?.nextVersionId, other.id)
    })

    it('refuses what the ledger refuses, with its code and text', async () => {
      const subject = new Subject()
      const wrong = subject.sign(createDid(subject.doc), ed25519Key())
      const refused = await wallet.send([wrong])
      assert.deepEqual(outcomeOf(refused), {
        code: 1100,
        log: `failed to execute message; message index: 0: method id: ${subject.did}#key-1: invalid signature detected`,
      })
      assertIsDeliverTxSuccess(await wallet.send([subject.create()]))
      assert.equal((await wallet.send([subject.create()])).code, 1200)
    })
  })
})
