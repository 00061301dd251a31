import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import * as didProto from '@cheqd/ts-proto/cheqd/did/v2/index.js'
import { QueryClientImpl as OracleQueries } from '@cheqd/ts-proto/cheqd/oracle/v2/query.js'
import * as resourceProto from '@cheqd/ts-proto/cheqd/resource/v2/index.js'
import {
  assertIsDeliverTxSuccess,
  BroadcastTxError,
  createProtobufRpcClient,
  QueryClient,
  type DeliverTxResponse,
  StargateClient,
} from '@cosmjs/stargate'
import { Comet38Client, connectComet, HttpBatchClient, Tendermint37Client } from '@cosmjs/tendermint-rpc'
import { ServiceClientImpl as NodeQueries } from 'cosmjs-types/cosmos/base/tendermint/v1beta1/query'
import { QueryClientImpl as ConsensusQueries } from 'cosmjs-types/cosmos/consensus/v1/query'
import { ServiceClientImpl } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import fc from 'fast-check'
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
import { NCHEQ_FEES } from './support/cheqd-node/fee-params.js'
import type { Occasion } from './support/cheqd-node/misbehaviour.js'
import { toEncodeObject, Wallet } from './support/cheqd-node/wallet.js'

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

/** A call of the JSON-RPC without any client. */
async function rpc(url: string, method: string, params: object = {}, patience = 120_000) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })
  const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(patience) })
  return (await response.json()) as { id: number; result?: Record<string, unknown>; error?: { data: string } }
}

const queriesOf = async ({ url }: { url: string }) =>
  createProtobufRpcClient(new QueryClient(await connectComet(url)))

const broadcast = (url: string, tx: Uint8Array, patience?: number) =>
  rpc(url, 'broadcast_tx_sync', { tx: Buffer.from(tx).toString('base64') }, patience)

const isRefusal =
  (codespace: string, code: number, log = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof BroadcastTxError, String(error))
    assert.deepEqual({ codespace: error.codespace, code: error.code }, { codespace, code })
    assert.match(error.log ?? '', log)
    return true
  }

describe('cheqd test node', () => {
  let node: CheqdNode
  let wallet: Wallet
  const start = async (options: CheqdNodeOptions = {}, funds = 10_000n * CHEQ) => {
    node = await CheqdNode.start({ blockTime: 10, ...options })
    wallet = await Wallet.connect(node.url)
    if (funds > 0n) await node.fund(wallet.address, funds)
  }
  afterEach(() => node.stop())

  describe('with stock clients', () => {
    beforeEach(() => start())

    it('creates, updates and deactivates a DID, and returns what it stores', async () => {
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

      const queries = new didProto.QueryClientImpl(await queriesOf(node))
      const { versions } = await queries.AllDidDocVersionsMetadata({ id: subject.did, pagination: undefined })
      assert.deepEqual(
        versions.map(({ deactivated: off, versionId }) => [off, versionId]),
        versions.map(({ versionId }) => [true, versionId]).sort(),
      )
      assert.equal(versions.length, 3)
      const first = await queries.DidDocVersion({ id: subject.did, version: value.metadata?.versionId ?? '' })
      assert.deepEqual(first.value?.didDoc, subject.doc)
      assert.notEqual(first.value.metadata?.nextVersionId, '')
      await assert.rejects(queries.DidDoc({ id: newDid() }), /not found/)
    })

    it('publishes resources with linked versions', async () => {
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
      const queries = new resourceProto.QueryClientImpl(await queriesOf(node))
      const latest = await queries.LatestResourceVersion({
        collectionId: one.collectionId,
        name: one.name,
        resourceType: one.resourceType,
      })
      assert.deepEqual(latest.resource?.metadata, other)
      const { resource } = await queries.ResourceMetadata({ collectionId: one.collectionId, id: one.id })
      assert.equal(resource?.nextVersionId, other.id)
    })

    it('refuses what the ledger refuses, with the same code and text', async () => {
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

    it('accepts a batch of five, and ten transactions signed ahead', async () => {
      const subjects = Array.from({ length: 15 }, () => new Subject())
      const [batch, ahead] = [subjects.slice(0, 5), subjects.slice(5)]
      const sent = await wallet.send(batch.map((subject) => subject.create()))
      assertIsDeliverTxSuccess(sent)
      assert.equal(sent.msgResponses.length, 5)

      const { sequence } = await wallet.client.getSequence(wallet.address)
      const signedAhead = await Promise.all(
        ahead.map((subject, n) =>
          wallet.sign([toEncodeObject(subject.create())], { sequence: sequence + n }),
        ),
      )
      const hashes: string[] = []
      for (const tx of signedAhead) hashes.push(await wallet.client.broadcastTxSync(tx))
      while (node.pending.length > 0) await node.produceBlock()
      for (const hash of hashes) assert.equal((await wallet.client.getTx(hash))?.code, 0)
      assert.equal(node.chain.messages.length, 15)
      assert.deepEqual(node.chain.sentTwice, [])
    })

    it('rolls back the whole transaction if one message fails, and names that message', async () => {
      const [one, other] = [new Subject(), new Subject()]
      const wrong = other.sign(createDid(other.doc), ed25519Key())
      const right = one.create()
      const failed = await wallet.send([right, wrong])
      assert.match(outcomeOf(failed).log, /^failed to execute message; message index: 1: /)
      assertIsDeliverTxSuccess(await wallet.send([right]))
      assert.deepEqual(
        node.chain.messages.map(({ executed }) => executed),
        [false, false, true],
      )
      assert.deepEqual(node.chain.sentTwice, [])
      assert.equal(node.chain.repeated.length, 1)
    })

    it('transfers coins, and finds the transfers again', async () => {
      const recipient = await Wallet.connect(node.url)
      const fee = { amount: [{ denom: 'ncheq', amount: '1000000000' }], gas: '200000' }
      for (const amount of ['5', '6', '7']) {
        const coins = [{ denom: 'ncheq', amount }]
        const sent = await wallet.client.sendTokens(
          wallet.address,
          recipient.address,
          coins,
          fee,
          `memo ${amount}`,
        )
        assertIsDeliverTxSuccess(sent)
      }
      assert.equal((await recipient.client.getBalance(recipient.address, 'ncheq')).amount, '18')
      assert.equal(node.balanceOf(wallet.address), 10_000n * CHEQ - 18n - 3n * 1_000_000_000n)
      const comet = await connectComet(node.url)
      const query = `transfer.recipient='${recipient.address}'`
      const page = await comet.txSearch({ query, order_by: 'desc', per_page: 2, page: 1 })
      assert.equal(page.totalCount, 3)
      assert.equal(page.txs.length, 2)
      const second = await comet.txSearch({ query, order_by: 'desc', per_page: 2, page: 2 })
      assert.deepEqual(
        second.txs.map(({ height }) => height),
        [Math.min(...node.chain.transactions.map(({ height }) => height))],
      )
      assert.ok((page.txs[0]?.height ?? 0) > (page.txs[1]?.height ?? 0))
      assert.equal(
        (await recipient.client.searchTx([{ key: 'message.sender', value: wallet.address }])).length,
        3,
      )
      await assert.rejects(
        comet.txSearch({ query, page: 9 }),
        /page should be within \[1, 1\] range, given 9/,
      )
    })

    it('refuses to spend a missing balance', async () => {
      const poor = await Wallet.connect(node.url)
      await assert.rejects(poor.client.getSequence(poor.address), /does not exist on chain/)
      await node.fund(poor.address, 1n * CHEQ)
      await assert.rejects(
        poor.send([new Subject().create()]),
        isRefusal(
          'undefined',
          1,
          new RegExp(
            `^failed to deduct fees from ${poor.address}: spendable balance 1000000000ncheq is smaller than ` +
              `40000000000ncheq: insufficient funds: insufficient funds$`,
          ),
        ),
      )
      assert.equal((await poor.client.getSequence(poor.address)).sequence, 0)
      assert.equal(node.balanceOf(poor.address), CHEQ)
    })

    it('returns blocks, headers and their times, which always increase', async () => {
      await wallet.send([new Subject().create()])
      node.advanceTime(3_600_000)
      await node.produceBlock()
      node.advanceTime(-60_000)
      await node.produceBlock()
      const client = await StargateClient.connect(node.url)
      const height = await client.getHeight()
      assert.ok(Date.parse((await client.getBlock(height)).header.time) > Date.now() + 3_500_000)
      const { blockMetas } = await (await connectComet(node.url)).blockchain(1, height)
      const times = blockMetas.map(({ header }) => header.time.getTime())
      assert.deepEqual(
        times,
        [...new Set(times)].sort((a, b) => b - a),
      )
      const [included] = node.chain.transactions
      // The oracle's votes come first.
      assert.equal((await client.getBlock(included?.height)).txs.length, 2)
    })

    it('reports its limits, its release and the results of a block', async () => {
      const { height } = await wallet.send([new Subject().create()])
      const comet = await connectComet(node.url)
      const { results } = await comet.blockResults(height)
      assert.deepEqual(
        results.map(({ code, codespace, log }) => ({ code, codespace, log })),
        [
          { code: 2, codespace: 'sdk', log: 'tx parse error' },
          { code: 0, codespace: '', log: '' },
        ],
      )
      const queries = await queriesOf(node)
      const { params } = await new ConsensusQueries(queries).Params()
      assert.deepEqual(params?.block, { maxBytes: 200_000n, maxGas: 30_000_000n })
      const limits = (await rpc(node.url, 'consensus_params')).result?.consensus_params
      assert.deepEqual((limits as { block: object }).block, { max_bytes: '200000', max_gas: '30000000' })
      const { applicationVersion } = await new NodeQueries(queries).GetNodeInfo()
      assert.equal(applicationVersion?.name, 'cheqd-node')
    })

    it('answers several calls concurrently', async () => {
      const client = new HttpBatchClient(node.url, { dispatchInterval: 5 })
      const comet = Comet38Client.create(client)
      const [status, health, info] = await Promise.all([comet.status(), comet.health(), comet.abciInfo()])
      comet.disconnect()
      assert.equal(status.nodeInfo.network, 'cheqd-testnet-6')
      assert.equal(health, null)
      assert.equal(info.data, 'cheqd-node')
    })

    it('derives its account from the mnemonic of the public local network', async () => {
      const words =
        'sketch mountain erode window enact net enrich smoke claim kangaroo another visual ' +
        'write meat latin bacon pulp similar forum guilt father state erase bright'
      const faucet = await Wallet.connect(node.url, words)
      assert.equal(faucet.address, 'cheqd1rnr5jrt4exl0samwj0yegv99jeskl0hsxmcz96')
    })

    it('finds a transaction by its hash, or reports that there is none', async () => {
      const { transactionHash, height } = await wallet.send([new Subject().create()])
      const comet = await connectComet(node.url)
      assert.equal((await comet.tx({ hash: Buffer.from(transactionHash, 'hex') })).height, height)
      await assert.rejects(comet.tx({ hash: new Uint8Array(32) }), /tx \(0{64}\) not found/)
    })
  })

  describe('before accepting a transaction', () => {
    beforeEach(() => start({ blockTime: 'by hand' }))

    const message = () => toEncodeObject(new Subject().create())
    const send = async (...[messages, options]: Parameters<Wallet['sign']>) =>
      wallet.client.broadcastTxSync(await wallet.sign(messages, options))

    it('validates DID documents, but no resources yet', async () => {
      const subject = new Subject()
      const invalid = subject.sign(createDid({ ...subject.doc, id: `did:cheqd:testnet:short` }))
      await assert.rejects(
        send([toEncodeObject(invalid)]),
        isRefusal('cheqd', 1205, /basic validation failed/),
      )
      const hash = await send([toEncodeObject(subject.publish({ name: '' }))])
      await node.produceBlock()
      assert.deepEqual((await wallet.client.getTx(hash))?.code, 38)
    })

    it('requires a named payer with a signature for this chain', async () => {
      const { payer: _, ...nobody } = wallet.fee(100)
      await assert.rejects(
        send([message()], { fee: nobody }),
        isRefusal('sdk', 4, /invalid number of signer/),
      )
      await assert.rejects(
        send([message()], { chainId: 'cheqd-mainnet-1' }),
        isRefusal('sdk', 4, /signature verification failed/),
      )
      const somebody = { ...nobody, payer: (await Wallet.connect(node.url)).address }
      await assert.rejects(send([message()], { fee: somebody }), isRefusal('sdk', 8))
      const tx = await wallet.sign([message()])
      tx[tx.length - 1] = (tx.at(-1) ?? 0) ^ 1
      await assert.rejects(wallet.client.broadcastTxSync(tx), isRefusal('sdk', 4))
    })

    it('counts sequences including pending transactions, and again without lost ones', async () => {
      await send([message()])
      await assert.rejects(send([message()]), isRefusal('sdk', 32, /expected 1, got 0/))
      await send([message()], { sequence: 1 })
      assert.equal((await wallet.client.getSequence(wallet.address)).sequence, 0)
      await node.restart()
      assert.equal(node.pending.length, 0)
      await send([message()], { sequence: 0 })
      await node.produceBlock()
      assert.equal((await wallet.client.getSequence(wallet.address)).sequence, 1)
    })

    it('rejects every corrupted transaction, and continues', async () => {
      const tx = await wallet.sign([message()])
      const change = fc.record({ at: fc.nat(tx.length - 1), flip: fc.integer({ min: 1, max: 255 }) })
      await fc.assert(
        fc.asyncProperty(change, async ({ at, flip }) => {
          const { result, error } = await broadcast(node.url, tx.with(at, (tx[at] ?? 0) ^ flip))
          assert.equal(error, undefined)
          assert.notEqual(result?.code, 0)
        }),
        { numRuns: 60 },
      )
      assert.equal((await broadcast(node.url, tx)).result?.code, 0)
    })

    it('rejects duplicate, oversized and excess transactions in the mempool', async () => {
      const tx = await wallet.sign([message()])
      await broadcast(node.url, tx)
      assert.equal((await broadcast(node.url, tx)).error?.data, 'tx already exists in cache')
      await node.produceBlock()
      assert.equal((await broadcast(node.url, tx)).error?.data, 'tx already exists in cache')
      const large = new Subject().publish({ data: new Uint8Array(200_000) })
      const tooLarge = await wallet.sign([toEncodeObject(large)])
      assert.match(
        (await broadcast(node.url, tooLarge)).error?.data ?? '',
        /^tx pre check: tx size is too big: \d+, max: 199158$/,
      )
      await node.stop()

      await start({ blockTime: 'by hand', mempool: { maxTransactions: 1 }, translatesMempoolErrors: true })
      const taken = await wallet.sign([message()])
      await broadcast(node.url, taken)
      assert.equal((await broadcast(node.url, await wallet.sign([message()]))).result?.code, 20)
      await node.restart()
      assert.equal((await broadcast(node.url, taken)).result?.code, 0)
      await node.produceBlock()
      assert.equal((await broadcast(node.url, taken)).result?.code, 19)
    })

    it('accepts a failed transaction again', async () => {
      node.misbehave('runOutOfGas', { times: 1 })
      const tx = await wallet.sign([message()])
      await broadcast(node.url, tx)
      await node.produceBlock()
      assert.equal(node.chain.transactions[0]?.result.code, 11)
      assert.equal((await broadcast(node.url, tx)).result?.code, 32)
    })

    it('respects the timeout height', async () => {
      const late = node.chain.height
      await node.produceBlock()
      await assert.rejects(send([message()], { timeoutHeight: BigInt(late) }), isRefusal('sdk', 30))
      const hold = node.misbehave('holdTransaction')
      await send([message()], { timeoutHeight: BigInt(node.chain.height + 1) })
      await node.produceBlock()
      await node.produceBlock()
      hold.stop()
      assert.equal(hold.struck, 2)
      assert.deepEqual(node.pending, [])
      assert.deepEqual(node.chain.transactions, [])
      const inTime = await send([message()], { timeoutHeight: BigInt(node.chain.height + 1) })
      await node.produceBlock()
      assert.equal((await wallet.client.getTx(inTime))?.code, 0)
    })

    it('charges gas per byte', async () => {
      const subject = new Subject()
      await send([toEncodeObject(subject.create())])
      const data = Buffer.alloc(40_000, 'x')
      const fee = (gas: number) => ({ fee: wallet.fee(100, gas), sequence: node.chain.transactions.length })
      await node.produceBlock()
      await assert.rejects(
        send([toEncodeObject(subject.publish({ data }))], fee(300_000)),
        isRefusal('sdk', 11, /out of gas in location: txSize/),
      )
      const failed = await send([toEncodeObject(subject.publish({ data }))], fee(1_000_000))
      await node.produceBlock()
      const result = await wallet.client.getTx(failed)
      assert.equal(result?.code, 11)
      assert.match(
        result.rawLog,
        /out of gas in location: WritePerByte; gasWanted: 1000000, gasUsed: \d+: out of gas/,
      )
      const enough = await send([toEncodeObject(subject.publish({ data }))], fee(150_000 + 45 * 41_000))
      await node.produceBlock()
      assert.equal((await wallet.client.getTx(enough))?.code, 0)
      await assert.rejects(send([message()], { fee: wallet.fee(100, 31_000_000) }), isRefusal('sdk', 41))
      await assert.rejects(send([message()], { fee: wallet.fee(100, 0) }), isRefusal('sdk', 41))
    })

    it('simulates on top of pending transactions', async () => {
      const subject = new Subject()
      await send([toEncodeObject(subject.create())])
      await node.produceBlock()
      const publish = (n: number) => toEncodeObject(subject.publish({ data: Buffer.alloc(n, 'x') }))
      const [small, large] = [await simulate(node, [publish(1_000)]), await simulate(node, [publish(2_000)])]
      assert.equal(large - small, BigInt(1_000 * 40))
      const wrong = toEncodeObject(subject.sign(createDid(subject.doc)))
      await assert.rejects(simulate(node, [wrong]), /DID Doc exists/)
      await assert.rejects(
        wallet.client.simulate(wallet.address, [publish(1)], ''),
        /invalid number of signer/,
      )
    })

    const simulate = async ({ url }: CheqdNode, messages: ReturnType<typeof message>[]) => {
      const queries = await queriesOf({ url })
      const txBytes = await wallet.sign(messages)
      const { gasInfo } = await new ServiceClientImpl(queries).Simulate({ txBytes })
      return gasInfo?.gasUsed ?? 0n
    }
  })

  describe('with fees', () => {
    const paid = async (messages: readonly LedgerMessage[], cheq: number) => {
      const before = node.balanceOf(wallet.address)
      const { code, log } = await wallet.send(messages, wallet.fee(cheq, 400_000 * messages.length)).then(
        ({ code, rawLog: log }) => ({ code, log }),
        (error: BroadcastTxError) => ({ code: error.code, log: error.log }),
      )
      return { code, log, ncheq: before - node.balanceOf(wallet.address) }
    }

    it('charges fixed dollars at the price of the oracle, whatever was offered', async () => {
      await start({ price: 0.05 })
      assert.deepEqual(await paid([new Subject().create()], 90), { code: 0, log: '', ncheq: 40n * CHEQ })
      const [one, other] = [new Subject(), new Subject()]
      assert.deepEqual(await paid([one.create(), other.create()], 90), {
        code: 0,
        log: '',
        ncheq: 80n * CHEQ,
      })
      node.setPrice(0.1)
      assert.equal((await paid([one.update()], 90)).ncheq, 10n * CHEQ)
      const low = await paid([new Subject().create()], 19)
      const log = 'insufficient fee: need at least 20000000000, got 19000000000'
      assert.deepEqual(low, { code: 1, log, ncheq: 0n })
      const oracle = new OracleQueries(await queriesOf(node))
      const asked = {
        amount: '2000000000000000000usd',
        maType: 'wma',
        wmaStrategy: 'BALANCED',
        customWeights: [],
      }
      assert.equal((await oracle.ConvertUSDCtoCHEQ(asked)).amount, '20000000000ncheq')
    })

    it('charges the offer for each message if there is a range', async () => {
      await start({ fees: NCHEQ_FEES, price: 'none' })
      assert.equal((await paid([new Subject().create()], 60)).ncheq, 50n * CHEQ)
      await node.stop()
      await start({ fees: NCHEQ_FEES, price: 0.05 })
      const [one, other] = [new Subject(), new Subject()]
      assert.equal((await paid([one.create(), other.create()], 60)).ncheq, 120n * CHEQ)
      assert.equal((await paid([new Subject().create()], 101)).ncheq, 50n * CHEQ)
      assert.equal((await paid([one.publish()], 4)).ncheq, 4n * CHEQ)
      assert.equal((await paid([new Subject().create()], 49)).code, 1)
    })
  })

  describe('as another release', () => {
    it('speaks like CometBFT 0.37 and 1.0', async () => {
      await start({ cometVersion: '0.37.15' })
      assert.ok((await connectComet(node.url)) instanceof Tendermint37Client)
      assertIsDeliverTxSuccess(await wallet.send([new Subject().create()]))
      await node.stop()
      await start({ cometVersion: '1.0.1', network: 'mainnet' }, 0n)
      assert.equal(await (await StargateClient.connect(node.url)).getChainId(), 'cheqd-mainnet-1')
    })

    it('supports no queries for the newest version of a resource, and has no oracle', async () => {
      await start({ latestResourceVersion: false, price: 'none' })
      const client = new QueryClient(await connectComet(node.url))
      for (const path of [
        '/cheqd.resource.v2.Query/LatestResourceVersion',
        '/cheqd.resource.v2.Query/LatestResourceVersionMetadata',
        '/cheqd.oracle.v2.Query/ConvertUSDCtoCHEQ',
      ]) {
        await assert.rejects(client.queryAbci(path, new Uint8Array()), /\(6\): unknown query path/)
      }
    })
  })

  describe('as a follower', () => {
    it('sees the chain several blocks late', async () => {
      await start({ blockTime: 'by hand' })
      const follower = await node.follower({ lagBlocks: 2 })
      const tx = await wallet.sign([toEncodeObject(new Subject().create())])
      const hash = String((await broadcast(follower.url, tx)).result?.hash)
      await node.produceBlock()
      const late = await StargateClient.connect(follower.url)
      assert.equal((await wallet.client.getTx(hash))?.code, 0)
      assert.equal(await late.getTx(hash), null)
      assert.equal((await late.getSequence(wallet.address)).sequence, 0)
      await node.produceBlock()
      await node.produceBlock()
      assert.equal((await late.getTx(hash))?.code, 0)
      assert.equal((await late.getSequence(wallet.address)).sequence, 1)
      assert.equal(await late.getHeight(), node.chain.height - 2)
    })
  })

  describe('misbehaving', () => {
    beforeEach(() => start({ blockTime: 'by hand' }))

    const aTransaction = () => wallet.sign([toEncodeObject(new Subject().create())])
    const onBroadcast = { when: ({ method }: Occasion) => method === 'broadcast_tx_sync' }
    const hang = { name: 'TimeoutError' }

    it('drops requests or responses', async () => {
      const dropped = node.misbehave('dropRequest', { ...onBroadcast, times: 1 })
      const tx = await aTransaction()
      await assert.rejects(broadcast(node.url, tx), /fetch failed/)
      assert.equal(node.pending.length, 0)
      node.misbehave('loseResponse', { ...onBroadcast, times: 1 })
      await assert.rejects(broadcast(node.url, tx), /fetch failed/)
      assert.equal(node.pending.length, 1)
      assert.equal((await broadcast(node.url, tx)).error?.data, 'tx already exists in cache')
      assert.equal(dropped.struck, 1)
      assert.equal(node.calls.filter(onBroadcast.when).length, 3)
    })

    it('delivers a request twice', async () => {
      node.misbehave('deliverTwice', { ...onBroadcast, times: 1 })
      assert.equal(
        (await broadcast(node.url, await aTransaction())).error?.data,
        'tx already exists in cache',
      )
      assert.equal(node.pending.length, 1)
    })

    it('lets connections stall', async () => {
      node.misbehave('stallRequest', { times: 1 })
      await assert.rejects(rpc(node.url, 'status', {}, 200), hang)
      node.misbehave('stallResponse', { ...onBroadcast, times: 1 })
      await assert.rejects(broadcast(node.url, await aTransaction(), 200), hang)
      assert.equal(node.pending.length, 1)
    })

    it('limits the rate or is unavailable', async () => {
      const post = () =>
        fetch(node.url, { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"health"}' })
      node.misbehave('limitRate', { times: 1, retryAfter: 3 })
      const limited = await post()
      assert.deepEqual([limited.status, limited.headers.get('Retry-After')], [429, '3'])
      node.misbehave('unavailable', { times: 1 })
      assert.equal((await post()).status, 503)
      assert.equal((await post()).status, 200)
    })

    it('responds with garbage', async () => {
      node.misbehave('answerHtml', { times: 1 })
      await assert.rejects(rpc(node.url, 'health'), SyntaxError)
      node.misbehave('answerInvalidJson', { times: 1 })
      await assert.rejects(rpc(node.url, 'health'), SyntaxError)
      node.misbehave('truncateAnswer', { times: 1 })
      await assert.rejects(rpc(node.url, 'status'), /terminated/)
      node.misbehave('answerWrongId', { times: 1 })
      assert.notEqual((await rpc(node.url, 'health')).id, 7)
      assert.equal((await rpc(node.url, 'health')).id, 7)
    })

    it('claims to be on another chain or to be catching up', async () => {
      node.misbehave('claimChainId', { chainId: 'other-1' })
      assert.equal(await (await StargateClient.connect(node.url)).getChainId(), 'other-1')
      node.behave()
      node.misbehave('catchUp', { behindSeconds: 600 })
      const { syncInfo } = await (await connectComet(node.url)).status()
      assert.equal(syncInfo.catchingUp, true)
      assert.ok(syncInfo.latestBlockTime.getTime() < Date.now() - 599_000)
    })

    it('rejects a correct sequence, or claims to be full', async () => {
      const tx = await aTransaction()
      node.misbehave('refuseSequence', { times: 1 })
      assert.equal((await broadcast(node.url, tx)).result?.code, 32)
      node.misbehave('refuseAsFull', { times: 1 })
      assert.match((await broadcast(node.url, tx)).error?.data ?? '', /^mempool is full/)
      node.misbehave('refuseTransaction', { at: 'check', codespace: 'sdk', code: 13, log: 'more', times: 1 })
      assert.equal((await broadcast(node.url, tx)).result?.code, 13)
      assert.equal((await broadcast(node.url, tx)).result?.code, 0)
    })

    it('delays transactions for some blocks', async () => {
      const hold = node.misbehave('holdTransaction', { times: 2 })
      await broadcast(node.url, await aTransaction())
      await node.produceBlock()
      await node.produceBlock()
      assert.deepEqual([hold.struck, node.pending.length, node.chain.messages.length], [2, 1, 0])
      await node.produceBlock()
      assert.deepEqual([node.pending.length, node.chain.messages.length], [0, 1])
    })

    it('forgets a transaction, and accepts it again', async () => {
      node.misbehave('forgetTransaction', { times: 1 })
      const tx = await aTransaction()
      assert.equal((await broadcast(node.url, tx)).result?.code, 0)
      await node.produceBlock()
      assert.deepEqual([node.pending.length, node.chain.messages.length], [0, 0])
      assert.equal((await broadcast(node.url, tx)).result?.code, 0)
      await node.produceBlock()
      assert.equal(node.chain.messages.length, 1)
    })

    it('restarts on the same port with the same chain', async () => {
      const { url } = node
      await broadcast(url, await aTransaction())
      await node.produceBlock()
      await node.restart()
      assert.equal(node.url, url)
      assert.equal((await wallet.client.getSequence(wallet.address)).sequence, 1)
      await node.stop()
      await assert.rejects(rpc(url, 'health'), /fetch failed/)
      await node.restart()
      assert.ok((await rpc(url, 'health')).result)
    })

    it('reports duplicate messages', async () => {
      const create = toEncodeObject(new Subject().create())
      for (const sequence of [0, 1]) await broadcast(node.url, await wallet.sign([create], { sequence }))
      await node.produceBlock()
      assert.deepEqual(
        node.chain.transactions.map(({ result }) => result.code),
        [0, 1200],
      )
      assert.equal(node.chain.sentTwice.length, 1)
      assert.equal(node.chain.repeated.length, 1)
    })
  })
})
