import { createHash } from 'node:crypto'
import { answerQuery } from './abci-queries.js'
import { NODE_ID, sha256, VALIDATOR, VALIDATOR_KEY, VALIDATOR_METHODS } from './validator-methods.js'
import type { Block, Chain, IncludedTransaction } from './chain.js'
import { MempoolRefusal, type CheckResult, type Mempool } from './mempool.js'
import type { Misbehaviour } from './misbehaviour.js'
import type { NodeMemory } from './node-memory.js'
import { oracleTransaction, ORACLE_RESULT } from './oracle-transaction.js'
import { Refusal } from './refusal.js'
import { InvalidSearch, pageOf, parseSearch } from './tx-search.js'

/** What one endpoint shows of a chain. */
export interface EndpointView {
  chain: Chain
  mempool: Mempool
  misbehaviour: Misbehaviour
  /** how many blocks it is behind */
  lagBlocks: number
  cometVersion: string
  appVersion: string
  /** ABCI query paths that this chain does not have */
  missingQueries: ReadonlySet<string>
  /** what it remembers of transactions and old blocks */
  memory: NodeMemory
  /** Refusals of the mempool are results with codes of the Cosmos SDK, as some gateways translate them. */
  translatesMempoolErrors: boolean
  /** Connections stay open after an answer, as those of real nodes do for a while. */
  keepsConnections: boolean
}

type Params = Readonly<Record<string, unknown>>
type Method = (view: EndpointView, params: Params) => unknown

/** A failure that becomes the error of a JSON-RPC answer. */
export class RpcFailure extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data: string,
  ) {
    super(message)
  }
}

const internal = (data: string): RpcFailure => new RpcFailure(-32603, 'Internal error', data)

/** @throws RpcFailure for anything but a text */
function textOf(params: Params, name: string): string {
  const value = params[name] ?? ''
  if (typeof value === 'string') return value
  throw new RpcFailure(-32602, 'Invalid params', `${name} must be a string`)
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** Go leaves out the zeros at the end of a fraction of a second. */
const rfc3339 = (time: Date): string => time.toISOString().replace(/\.?0*Z$/, 'Z')

const heightOf = ({ chain, lagBlocks }: EndpointView): number => Math.max(1, chain.height - lagBlocks)

const METHODS: Readonly<Record<string, Method>> = {
  health: () => ({}),
  ...VALIDATOR_METHODS,
  status,
  abci_info: (view) => ({
    response: {
      data: 'cheqd-node',
      version: view.appVersion,
      last_block_height: String(heightOf(view)),
      last_block_app_hash: Buffer.from(appHash(heightOf(view)), 'hex').toString('base64'),
    },
  }),
  abci_query: abciQuery,
  broadcast_tx_sync: broadcast,
  broadcast_tx_async: (view, params) => {
    const { hash } = broadcast(view, params)
    return { code: 0, data: '', log: '', codespace: '', hash }
  },
  tx: findTransaction,
  tx_search: searchTransactions,
  block: (view, params) => {
    const block = blockAt(view, params)
    const before = view.chain.blockAt(block.height - 1)
    return {
      block_id: blockId(block),
      block: {
        header: header(view, block),
        data: { txs: [...oracleTransaction(block), ...bytesOf(block)].map(base64) },
        evidence: { evidence: [] },
        last_commit: {
          height: String(block.height - 1),
          round: 0,
          block_id: blockId(before),
          signatures: [],
        },
      },
    }
  },
  commit: (view, params) => {
    const block = blockAt(view, params)
    const commit = { height: String(block.height), round: 0, block_id: blockId(block), signatures: [] }
    return { signed_header: { header: header(view, block), commit }, canonical: true }
  },
  header: (view, params) => ({ header: header(view, blockAt(view, params)) }),
  blockchain: (view, params) => {
    const last = heightOf(view)
    const max = Math.min(last, Number(params.maxHeight ?? 0) || last)
    const min = Math.max(1, Number(params.minHeight ?? 0), max - 19)
    const blocks = view.chain.blocks.slice(min - 1, max).reverse()
    return { last_height: String(last), block_metas: blocks.map((block) => blockMeta(view, block)) }
  },
  block_results: (view, params) => {
    const block = blockAt(view, params)
    const results = [
      ...oracleTransaction(block).map(() => ORACLE_RESULT),
      ...block.transactions.map(txResult),
    ]
    const events = view.cometVersion.startsWith('0.37.')
      ? { begin_block_events: null, end_block_events: null }
      : { finalize_block_events: null }
    return {
      height: String(block.height),
      txs_results: results.length > 0 ? results : null,
      ...events,
      validator_updates: null,
    }
  },
  consensus_params: (view) => {
    const { maxBytes, maxGas } = view.chain.settings.block
    return {
      block_height: String(heightOf(view)),
      consensus_params: {
        block: { max_bytes: String(maxBytes || -1), max_gas: String(maxGas || -1) },
        evidence: { max_age_num_blocks: '100000', max_age_duration: '172800000000000', max_bytes: '1048576' },
        validator: { pub_key_types: ['ed25519'] },
      },
    }
  },
  num_unconfirmed_txs: ({ mempool: { transactions } }) => {
    const bytes = transactions.reduce((sum, transaction) => sum + transaction.bytes.length, 0)
    const count = String(transactions.length)
    return { n_txs: count, total: count, total_bytes: String(bytes), txs: null }
  },
}

/** @throws RpcFailure */
export async function callMethod(view: EndpointView, method: string, params: Params): Promise<unknown> {
  const called = METHODS[method]
  if (!called) throw new RpcFailure(-32601, 'Method not found', '')
  return await called(view, params)
}

function status(view: EndpointView) {
  const { chain, misbehaviour, cometVersion } = view
  const chainId = misbehaviour.strike('claimChainId', { method: 'status' })?.chainId ?? chain.settings.chainId
  const catchUp = misbehaviour.strike('catchUp', { method: 'status' })
  const height = heightOf(view)
  const block = chain.blockAt(height)
  const behind = (catchUp?.behindSeconds ?? (catchUp ? 3_600 : 0)) * 1000
  const time = new Date((block?.time.getTime() ?? 0) - behind)
  return {
    node_info: {
      protocol_version: { p2p: '8', block: '11', app: '0' },
      id: NODE_ID,
      listen_addr: 'tcp://0.0.0.0:26656',
      network: chainId,
      version: cometVersion,
      channels: '40202122233038606100',
      moniker: 'node-for-tests',
      other: { tx_index: view.memory.index === 'off' ? 'off' : 'on', rpc_address: 'tcp://0.0.0.0:26657' },
    },
    sync_info: {
      latest_block_hash: block?.hash ?? '',
      latest_app_hash: appHash(height),
      latest_block_height: String(height),
      latest_block_time: rfc3339(time),
      earliest_block_hash: chain.blockAt(1)?.hash ?? '',
      earliest_app_hash: appHash(1),
      earliest_block_height: '1',
      earliest_block_time: rfc3339(chain.blockAt(1)?.time ?? time),
      catching_up: catchUp !== undefined,
    },
    validator_info: {
      address: VALIDATOR,
      pub_key: { type: 'tendermint/PubKeyEd25519', value: VALIDATOR_KEY },
      voting_power: '0',
    },
  }
}

async function abciQuery(view: EndpointView, params: Params) {
  const { chain, mempool, cometVersion, appVersion, missingQueries } = view
  const last = heightOf(view)
  const asked = Number(params.height ?? 0)
  const height = asked === 0 ? last : asked
  const empty = { info: '', index: '0', key: null, proofOps: null }
  try {
    if (height > last) {
      throw new Refusal('sdk', 26, 'cannot query with height in the future; please provide a valid height')
    }
    view.memory.assertState(height, last)
    const state = chain.stateAt(height)
    const checked = view.lagBlocks === 0 ? mempool.state : state
    const request = Buffer.from(textOf(params, 'data'), 'hex')
    const queried = { chain, state, checked, cometVersion, appVersion }
    const value = await answerQuery(queried, textOf(params, 'path'), request, missingQueries)
    const answer = value.length > 0 ? base64(value) : null
    return { response: { code: 0, log: '', ...empty, value: answer, height: String(height), codespace: '' } }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, codespace, message } = error
    return { response: { code, log: message, ...empty, value: null, height: String(height), codespace } }
  }
}

function broadcast(view: EndpointView, params: Params) {
  const bytes = Buffer.from(textOf(params, 'tx'), 'base64')
  const { hash, code, codespace, log } = check(view, bytes)
  return { code, data: '', log, codespace, hash }
}

function check({ mempool, misbehaviour, translatesMempoolErrors }: EndpointView, bytes: Buffer): CheckResult {
  try {
    return mempool.add(bytes, misbehaviour)
  } catch (error) {
    if (!(error instanceof MempoolRefusal)) throw error
    if (!translatesMempoolErrors || error.code === undefined) throw internal(error.message)
    const hash = createHash('sha256').update(bytes).digest('hex').toUpperCase()
    return { hash, code: error.code, codespace: 'sdk', log: error.message }
  }
}

function findTransaction(view: EndpointView, params: Params) {
  const hash = Buffer.from(textOf(params, 'hash'), 'base64').toString('hex').toUpperCase()
  const last = indexedHeight(view)
  const found = view.chain.find(hash)
  if (!found || found.height > last) throw internal(`tx (${hash}) not found`)
  return resultTx(found)
}

function searchTransactions(view: EndpointView, params: Params) {
  try {
    const order = params.order_by ?? ''
    if (order !== '' && order !== 'asc' && order !== 'desc') {
      throw new InvalidSearch('expected order_by to be either `asc` or `desc` or empty')
    }
    const last = indexedHeight(view)
    const found = search(view.chain, textOf(params, 'query')).filter(({ height }) => height <= last)
    if (order === 'desc') found.reverse()
    return { txs: pageOf(found, params).map(resultTx), total_count: String(found.length) }
  } catch (error) {
    if (error instanceof InvalidSearch) throw internal(error.message)
    throw error
  }
}

/** The newest block whose transactions are found. @throws RpcFailure where none are */
function indexedHeight(view: EndpointView): number {
  const { index } = view.memory
  if (index === 'off') throw internal('transaction indexing is disabled')
  return heightOf(view) - (index === 'on' ? 0 : index.lagBlocks)
}

/** Asking for a hash again and again is how clients wait. */
function search(chain: Chain, query: string): IncludedTransaction[] {
  const [, hash] = /^\s*tx\.hash\s*=\s*'([0-9A-Fa-f]+)'\s*$/.exec(query) ?? []
  if (hash === undefined) return chain.indexed.filter(parseSearch(query))
  const found = chain.find(hash.toUpperCase())
  return found ? [found] : []
}

const resultTx = (included: IncludedTransaction) => ({
  hash: included.transaction.hash,
  height: String(included.height),
  index: included.index + (included.hasOracle ? 1 : 0),
  tx_result: txResult(included),
  tx: base64(included.transaction.bytes),
})

const txResult = ({ result }: IncludedTransaction) => ({
  code: result.code,
  data: result.data.length > 0 ? base64(result.data) : null,
  log: result.log,
  info: '',
  gas_wanted: String(result.gasWanted),
  gas_used: String(result.gasUsed),
  events: result.events,
  codespace: result.codespace,
})

function blockAt(view: EndpointView, params: Params): Block {
  const last = heightOf(view)
  const height = Number(params.height ?? 0) || last
  if (height > last) {
    throw internal(`height ${height} must be less than or equal to the current blockchain height ${last}`)
  }
  const block = view.chain.blockAt(height)
  if (!block) throw internal('height must be greater than 0')
  const lowest = view.memory.lowestBlock(last)
  if (height < lowest) throw internal(`height ${height} is not available, lowest height is ${lowest}`)
  return block
}

const bytesOf = ({ transactions }: Block): Uint8Array[] =>
  transactions.map(({ transaction }) => transaction.bytes)

/** It stands for the state after the block before. */
const appHash = (height: number): string => sha256(`state before block ${height}`)

const blockId = (block: Block | undefined) =>
  block
    ? { hash: block.hash, parts: { total: 1, hash: sha256(`parts of ${block.hash}`) } }
    : { hash: '', parts: { total: 0, hash: '' } }

function header({ chain }: EndpointView, block: Block) {
  const validators = sha256('validators for tests')
  return {
    version: { block: '11' },
    chain_id: chain.settings.chainId,
    height: String(block.height),
    time: rfc3339(block.time),
    last_block_id: blockId(chain.blockAt(block.height - 1)),
    last_commit_hash: sha256(`commit of ${block.height - 1}`),
    data_hash: sha256(block.transactions.map(({ transaction }) => transaction.hash).join()),
    validators_hash: validators,
    next_validators_hash: validators,
    consensus_hash: sha256('consensus parameters for tests'),
    app_hash: appHash(block.height),
    last_results_hash: sha256(`results of ${block.height - 1}`),
    evidence_hash: sha256(''),
    proposer_address: VALIDATOR,
  }
}

const blockMeta = (view: EndpointView, block: Block) => ({
  block_id: blockId(block),
  block_size: String(
    block.transactions.reduce((sum, { transaction }) => sum + transaction.bytes.length, 500),
  ),
  header: header(view, block),
  num_txs: String(oracleTransaction(block).length + block.transactions.length),
})
