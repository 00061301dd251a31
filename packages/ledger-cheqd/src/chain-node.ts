import { toHex } from '@cosmjs/encoding'
import type { CometClient } from '@cosmjs/tendermint-rpc'
import { RpcError } from './json-rpc.js'
import type { RpcEndpoint } from './rpc-endpoint.js'
import type { RpcEndpoints } from './rpc-endpoints.js'

/** Where the chain is, as a node sees it. */
export interface NodeStatus {
  version: string
  chainId: string
  height: number
  time: Date
  catchingUp: boolean
  host: string
}

/** What became of a transaction that has its block. */
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
}

/** Whether a node takes a transaction into its mempool. */
export interface BroadcastAnswer {
  /** 0: taken */
  code: number
  codespace: string
  log: string
  /** whether another node, that did not answer, may have taken it */
  uncertain: boolean
}

export interface LookedFor {
  found?: ExecutedTransaction
  /** the block up to which was looked */
  height: number
  catchingUp: boolean
}

type TxResponse = Awaited<ReturnType<CometClient['tx']>>

/** Transactions and blocks, as far as the state of the chain does not tell them. */
export class ChainNode {
  constructor(private readonly endpoints: RpcEndpoints) {}

  /** @throws LedgerError */
  status(attempts?: number): Promise<NodeStatus> {
    return this.endpoints.ask(statusOf, attempts)
  }

  /**
   * Hands a transaction to the first node that answers. The same bytes may be handed over any number of times.
   *
   * @throws LedgerError of phase `transport`; it may have been taken nevertheless
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
        const refused = error instanceof RpcError ? mempoolRefusal(error.message) : undefined
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
      const { height, catchingUp } = await statusOf(endpoint)
      const { txs } = await endpoint.ask((client) => client.txSearch({ query: `tx.hash='${hash}'` }))
      const [tx] = txs
      if (!tx || toHex(tx.hash).toUpperCase() !== hash) return { height, catchingUp }
      endpoint.saw(tx.height)
      return { found: executed(tx), height: Math.max(height, tx.height), catchingUp }
    })
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

async function statusOf(endpoint: RpcEndpoint): Promise<NodeStatus> {
  const { nodeInfo, syncInfo } = await endpoint.status()
  return {
    version: nodeInfo.version,
    chainId: nodeInfo.network,
    height: syncInfo.latestBlockHeight,
    time: new Date(syncInfo.latestBlockTime.getTime()),
    catchingUp: syncInfo.catchingUp,
    host: endpoint.host,
  }
}

const executed = ({ hash, height, result, tx }: TxResponse): ExecutedTransaction => ({
  hash: toHex(hash).toUpperCase(),
  height,
  code: result.code,
  codespace: result.codespace ?? '',
  log: result.log ?? '',
  data: result.data ?? new Uint8Array(),
  bytes: tx,
})

/**
 * The mempool of CometBFT refuses as an error of JSON-RPC, for which cosmos-sdk has codes.
 *
 * @see https://github.com/cosmos/cosmos-sdk/blob/v0.50.14/client/broadcast.go
 */
function mempoolRefusal(message: string): number | undefined {
  if (/tx already exists in cache/i.test(message)) return 19
  if (/mempool is full/i.test(message)) return 20
  if (/tx too large/i.test(message)) return 21
  return undefined
}
