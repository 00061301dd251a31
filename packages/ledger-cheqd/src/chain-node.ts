import { sha256 } from '@cosmjs/crypto'
import { toHex } from '@cosmjs/encoding'
import type { CometClient } from '@cosmjs/tendermint-rpc'
import { parseCoins } from '@vidimus/ledger'
import { RequestTooLargeError, RpcError } from './json-rpc.js'
import type { RpcEndpoint } from './rpc-endpoint.js'
import type { RpcEndpoints } from './rpc-endpoints.js'

/** The state of the chain, as a node sees it. */
export interface NodeStatus {
  version: string
  chainId: string
  height: number
  time: Date
  catchingUp: boolean
  host: string
  /** whether it can find transactions (`tx_index`) */
  isIndexed: boolean
}

/** The outcome of a transaction that has its block. */
export interface ExecutedTransaction {
  /** upper-case hex */
  hash: string
  height: number
  /** 0: all of its messages were executed, otherwise none */
  code: number
  codespace: string
  log: string
  /** `TxMsgData` */
  data: Uint8Array
  /** as it was sent */
  bytes: Uint8Array
  gasUsed: number
  /** what the chain has charged for identity messages, in ncheq; absent if it does not report it */
  paid?: bigint | undefined
}

/** Whether a node accepts a transaction into its mempool. */
export interface BroadcastAnswer {
  /** 0: taken */
  code: number
  codespace: string
  log: string
  /** whether another node, that did not respond, may have accepted it */
  uncertain: boolean
}

export interface LookedFor {
  found?: ExecutedTransaction
  /** the block up to which was looked */
  height: number
  catchingUp: boolean
  isIndexed: boolean
}

type TxResponse = Awaited<ReturnType<CometClient['tx']>>

/** Transactions and blocks, beyond what the state of the chain shows. */
export class ChainNode {
  constructor(private readonly endpoints: RpcEndpoints) {}

  /** @throws LedgerError */
  status(attempts?: number): Promise<NodeStatus> {
    return this.endpoints.ask(fetchStatus, attempts)
  }

  /**
   * Submits a transaction to the first node that responds. The same bytes may be submitted any number of times.
   *
   * @throws LedgerError of phase `transport`; it may have been accepted nevertheless
   */
  async broadcast(bytes: Uint8Array): Promise<BroadcastAnswer> {
    let tried = 0
    return this.endpoints.ask(async (endpoint) => {
      await endpoint.assertCaughtUp()
      const uncertain = tried++ > 0
      try {
        const answer = await endpoint.ask((client) => client.broadcastTxSync({ tx: bytes }))
        return { code: answer.code, codespace: answer.codespace ?? '', log: answer.log ?? '', uncertain }
      } catch (error) {
        const refused = mempoolRefusal(error)
        if (refused === undefined || !(error instanceof Error)) throw error
        return { code: refused, codespace: 'sdk', log: error.message, uncertain }
      }
    }, 1)
  }

  /**
   * Looks for a transaction in the blocks of one node.
   *
   * @param hash - upper-case hex
   */
  lookFor(hash: string): Promise<LookedFor> {
    return this.endpoints.ask(async (endpoint) => {
      // The height comes first: what is not found afterwards is in none of the blocks up to it.
      const { height, catchingUp, isIndexed } = await fetchStatus(endpoint)
      if (!isIndexed) return { height, catchingUp, isIndexed }
      const { txs } = await endpoint.ask((client) => client.txSearch({ query: `tx.hash='${hash}'` }))
      const [tx] = txs
      if (!tx || toHex(tx.hash).toUpperCase() !== hash) return { height, catchingUp, isIndexed }
      endpoint.saw(tx.height)
      return { found: executed(tx), height: Math.max(height, tx.height), catchingUp, isIndexed }
    })
  }

  /** The transaction of an account that used a sequence; `undefined` also where the index is late. */
  withSequence(address: string, sequence: number): Promise<ExecutedTransaction | undefined> {
    return this.endpoints.ask(async (endpoint) => {
      const query = `tx.acc_seq='${address}/${sequence}'`
      const { txs } = await endpoint.ask((client) => client.txSearch({ query }))
      return txs[0] && executed(txs[0])
    })
  }

  /**
   * Searches blocks, if a node keeps no index of transactions or its index is late.
   *
   * @param hash - upper-case hex
   * @returns `undefined` if none of the blocks has it
   * @throws LedgerError of phase `transport` also for blocks that the node has pruned
   */
  findInBlocks(hash: string, from: number, to: number): Promise<ExecutedTransaction | undefined> {
    return this.endpoints.ask(async (endpoint) => {
      for (let height = from; height <= to; height++) {
        const { block } = await endpoint.ask((client) => client.block(height))
        const place = block.txs.findIndex((bytes) => toHex(sha256(bytes)).toUpperCase() === hash)
        const bytes = block.txs[place]
        if (!bytes) continue
        const result = await endpoint.ask(
          async (client) => (await client.blockResults(height)).results[place],
        )
        if (result) return { ...outcome(result), hash, height, bytes }
      }
      return undefined
    }, 1)
  }

  /** Transactions with a transfer to an account, newest first. */
  transfersTo(address: string, page: number, perPage: number): Promise<ExecutedTransaction[]> {
    const params = {
      query: `transfer.recipient='${address}'`,
      order_by: 'desc' as const,
      page,
      per_page: perPage,
    }
    return this.endpoints.ask(async (endpoint) => {
      const { txs } = await endpoint.ask((client) => client.txSearch(params))
      return txs.map(executed)
    })
  }

  timeOf(height: number): Promise<Date> {
    return this.endpoints.ask(async (endpoint) => {
      const { block } = await endpoint.ask((client) => client.block(height))
      return new Date(block.header.time.getTime())
    })
  }
}

async function fetchStatus(endpoint: RpcEndpoint): Promise<NodeStatus> {
  const { nodeInfo, syncInfo } = await endpoint.status()
  return {
    version: nodeInfo.version,
    chainId: nodeInfo.network,
    height: syncInfo.latestBlockHeight,
    time: new Date(syncInfo.latestBlockTime.getTime()),
    catchingUp: syncInfo.catchingUp,
    host: endpoint.host,
    isIndexed: nodeInfo.other.get('tx_index') !== 'off',
  }
}

const executed = ({ hash, height, result, tx }: TxResponse): ExecutedTransaction => ({
  ...outcome(result),
  hash: toHex(hash).toUpperCase(),
  height,
  bytes: tx,
})

const outcome = ({ code, codespace = '', log = '', data, gasUsed, events }: TxResponse['result']) => ({
  code,
  codespace,
  log,
  data: data ?? new Uint8Array(),
  gasUsed: Number(gasUsed),
  paid: taxIn(events),
})

/**
 * One event (`post/tax.go` of cheqd-node) reports the charged amount and the payer; another one of its kind reports
 * the offer.
 */
function taxIn(events: TxResponse['result']['events']): bigint | undefined {
  const attributesOf = (event: (typeof events)[number]) =>
    new Map(event.attributes.map(({ key, value }) => [key, value]))
  const taken = events
    .filter(({ type }) => type === 'tx')
    .map(attributesOf)
    .find((attributes) => attributes.has('fee_payer'))
  return parseCoins(taken?.get('fee') ?? '')
}

/**
 * The mempool of CometBFT refuses as an error of JSON-RPC, for which cosmos-sdk has codes.
 *
 * @see https://github.com/cosmos/cosmos-sdk/blob/v0.50.14/client/broadcast.go
 */
function mempoolRefusal(error: unknown): number | undefined {
  if (error instanceof RequestTooLargeError) return 21
  if (!(error instanceof RpcError)) return undefined
  const { message } = error
  if (/tx already exists in cache/i.test(message)) return 19
  if (/mempool is full/i.test(message)) return 20
  if (/tx too large|tx size is too big/i.test(message)) return 21
  return undefined
}
