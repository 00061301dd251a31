import type { Network } from '@vidimus/ledger'
import { balanceOf, credit } from './accounts.js'
import { Chain, type Block } from './chain.js'
import type { ChainSettings } from './chain-settings.js'
import { ChainHistory } from './chain-history.js'
import { Endpoint } from './endpoint.js'
import { USD_FEES, type Fees } from './fee-params.js'
import { GAS_SCHEDULE, type GasSchedule } from './gas-meter.js'
import { Mempool, type MempoolSettings } from './mempool.js'
import { Misbehaviour } from './misbehaviour.js'
import { NodeMemory, type Pruning, type TransactionIndex } from './node-memory.js'
import type { EndpointView } from './rpc-methods.js'
import type { Transaction } from './transaction.js'

export interface CheqdNodeOptions {
  network?: Network
  /** by default that of the public network */
  chainId?: string
  /** of CometBFT: `0.37.*`, `0.38.*` or `1.0.*` */
  cometVersion?: string
  appVersion?: string
  /** 0: any */
  port?: number
  /** in milliseconds; `by hand`: only `produceBlock` makes blocks */
  blockTime?: number | 'by hand'
  fees?: Fees
  /** US dollars for one CHEQ; 0: the oracle knows none; `none`: the chain has no oracle */
  price?: number | 'none'
  /** what the fee market asks for a unit of gas: one is 10,000 ncheq */
  gasPrice?: number
  /** what this node asks for a unit of gas, in ncheq */
  minimumGasPrice?: number
  gas?: Partial<GasSchedule>
  block?: { maxBytes?: number; maxGas?: number }
  mempool?: Partial<MempoolSettings>
  /** whether transactions are found again */
  index?: TransactionIndex
  /** left out: nothing is forgotten */
  pruning?: Pruning
  /** whether the chain has the queries for the newest version of a resource */
  latestResourceVersion?: boolean
  /** by default true: transactions are simulated */
  simulates?: boolean
  /** by default true: the node tells what it asks for gas */
  tellsPrice?: boolean
  /**
   * by default false: the mempool refuses by errors of the JSON-RPC, as CometBFT does; otherwise by results with the
   * codes 19, 20 and 21 of `sdk`
   */
  translatesMempoolErrors?: boolean
  /** by default false: a connection for each request */
  keepsConnections?: boolean
}

const CHAIN_IDS: Record<Network, string> = { mainnet: 'cheqd-mainnet-1', testnet: 'cheqd-testnet-6' }
const LATEST_QUERIES = [
  '/cheqd.resource.v2.Query/LatestResourceVersion',
  '/cheqd.resource.v2.Query/LatestResourceVersionMetadata',
]
const ORACLE_QUERY = '/cheqd.oracle.v2.Query/ConvertUSDCtoCHEQ'

const DOLLAR = 10n ** 18n
const MEMPOOL: MempoolSettings = { maxTransactions: 5_000, maxTransactionBytes: 1_048_576, cacheSize: 10_000 }

/**
 * A node of a cheqd network with a chain of its own in memory, at its RPC as the real one: transactions are decoded,
 * checked, queued, executed by the rules of the ledger and put into blocks.
 */
export class CheqdNode extends Endpoint {
  /** for looking at what came */
  readonly chain: ChainHistory
  private readonly followers: Endpoint[] = []
  private timer: NodeJS.Timeout | undefined
  private ahead = 0
  /** Blocks and changes by hand wait for each other. */
  private queue: Promise<unknown> = Promise.resolve()

  private constructor(
    private readonly blockchain: Chain,
    private readonly mempool: Mempool,
    private readonly options: CheqdNodeOptions,
    private readonly memory: NodeMemory,
  ) {
    super({ ...viewOf(blockchain, mempool, options), memory, lagBlocks: 0 }, options.port)
    this.chain = new ChainHistory(blockchain)
  }

  /** With one block, and with blocks to come. */
  static async start(options: CheqdNodeOptions = {}): Promise<CheqdNode> {
    const blockchain = new Chain(settingsOf(options))
    await blockchain.append(new Date(), [], new Misbehaviour())
    const node = new CheqdNode(
      blockchain,
      new Mempool(blockchain, { ...MEMPOOL, ...options.mempool }),
      options,
      new NodeMemory(options),
    )
    await node.open()
    return node
  }

  /** What waits for a block, oldest first. */
  get pending(): readonly Transaction[] {
    return this.mempool.transactions
  }

  /** Ends the server and the blocks; the chain stays for {@link restart}. */
  async stop(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    await Promise.all([this.close(), ...this.followers.map((follower) => follower.close())])
    await this.queue
  }

  /** As after a crash of the node: connections end, the mempool is lost, the chain and the port stay. */
  async restart(): Promise<void> {
    await this.stop()
    this.mempool.flush()
    await Promise.all([this.open(), ...this.followers.map((follower) => follower.open())])
  }

  /** Another address, which sees the chain some blocks late. What is broadcast there comes to the same mempool. */
  async follower({ lagBlocks, index }: { lagBlocks: number; index?: TransactionIndex }): Promise<Endpoint> {
    const memory = new NodeMemory({ ...this.options, ...(index && { index }) })
    const follower = new Endpoint({
      ...viewOf(this.blockchain, this.mempool, this.options),
      memory,
      lagBlocks,
    })
    this.followers.push(follower)
    await follower.open()
    return follower
  }

  /** Puts what waits into a block, now. */
  produceBlock(): Promise<Block> {
    return this.inTurn(async () => {
      const now = new Date(Date.now() + this.ahead)
      const block = await this.blockchain.append(now, this.mempool.reap(this.faults), this.faults)
      this.mempool.update(block)
      return block
    })
  }

  /** Blocks from now on are so much later than the clock. */
  advanceTime(milliseconds: number): void {
    this.ahead += milliseconds
  }

  /** Gives coins to an account, from the newest block on. */
  fund(address: string, ncheq: bigint): Promise<void> {
    return this.inTurn(async () => {
      this.blockchain.amend((state) => credit(state, address, ncheq))
      this.mempool.recheck()
    })
  }

  /** in ncheq */
  balanceOf(address: string): bigint {
    return balanceOf(this.blockchain.stateAt(this.blockchain.height), address)
  }

  /** The fees of messages from the next block on. */
  setFees(fees: Fees): void {
    this.blockchain.settings.market.fees = fees
  }

  /** @param price - US dollars for one CHEQ; 0: the oracle knows none */
  setPrice(price: number): void {
    this.blockchain.settings.market.price = priceOf(price)
  }

  /** Whether transactions are found again, from now on. */
  setIndex(index: TransactionIndex): void {
    this.memory.index = index
  }

  /** What a block may hold from the next one on, as a vote of the chain changes it. */
  setBlock(block: { maxBytes?: number; maxGas?: number }): void {
    Object.assign(this.blockchain.settings.block, block)
  }

  /** What the fee market asks for a unit of gas from now on: one is 10,000 ncheq. */
  setGasPrice(gasPrice: number): void {
    this.blockchain.settings.gasPrice = gasPrice
  }

  override async open(): Promise<void> {
    await super.open()
    this.schedule()
  }

  private schedule(): void {
    const { blockTime = 20 } = this.options
    if (blockTime === 'by hand') return
    this.timer = setTimeout(() => {
      void this.produceBlock().then(() => {
        if (this.timer) this.schedule()
      })
    }, blockTime)
    this.timer.unref()
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.queue.then(work)
    this.queue = done.catch(() => undefined)
    return done
  }
}

const priceOf = (dollars: number): bigint => (BigInt(Math.round(dollars * 1e9)) * DOLLAR) / 10n ** 9n

function settingsOf(options: CheqdNodeOptions): ChainSettings {
  const { network = 'testnet', fees = USD_FEES, price = 0.05 } = options
  return {
    network,
    chainId: options.chainId ?? CHAIN_IDS[network],
    market: { fees, price: price === 'none' ? 0n : priceOf(price) },
    gasPrice: options.gasPrice ?? 0.5,
    minimumGasPrice: options.minimumGasPrice ?? 0,
    gas: { ...GAS_SCHEDULE, ...options.gas },
    block: { maxBytes: 200_000, maxGas: 30_000_000, ...options.block },
    hasOracle: price !== 'none',
  }
}

function viewOf(
  chain: Chain,
  mempool: Mempool,
  options: CheqdNodeOptions,
): Omit<EndpointView, 'misbehaviour' | 'lagBlocks' | 'memory'> {
  const { cometVersion = '0.38.19', appVersion = '4.2.0', latestResourceVersion = true } = options
  const missing = [
    ...(latestResourceVersion ? [] : LATEST_QUERIES),
    ...(options.price === 'none' ? [ORACLE_QUERY] : []),
    ...(options.simulates === false ? ['/cosmos.tx.v1beta1.Service/Simulate'] : []),
    ...(options.tellsPrice === false ? ['/cosmos.base.node.v1beta1.Service/Config'] : []),
  ]
  return {
    chain,
    mempool,
    cometVersion,
    appVersion,
    missingQueries: new Set(missing),
    translatesMempoolErrors: options.translatesMempoolErrors ?? false,
    keepsConnections: options.keepsConnections ?? false,
  }
}
