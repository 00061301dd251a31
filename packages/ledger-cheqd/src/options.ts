import {
  hasMethods,
  isAccountEventSink,
  isConfidentialAddress,
  isHttpUrl,
  NETWORKS,
  type AccountEventSink,
  type Network,
} from '@vidimus/core-types'
import type { Database } from '@vidimus/database'
import { formatCoins, ncheqOf, parseCoins } from '@vidimus/ledger'
import { z } from 'zod'
import { PayerOptions, type CheqdPayerOptions } from './payer-options.js'

const isDatabase = (value: unknown): value is Database => hasMethods(value, 'query', 'write', 'lock')

const AMOUNT_SHAPE = `must be a whole number of CHEQ, or text such as "${formatCoins(20_000_000_000n)}"`

const Amount = z.unknown().transform((value, context) => {
  const ncheq =
    typeof value === 'number' ? ncheqOf(value) : typeof value === 'string' ? parseCoins(value) : undefined
  if (ncheq !== undefined) return ncheq
  context.addIssue({ code: 'custom', message: AMOUNT_SHAPE })
  return z.NEVER
})

const RpcUrl = z.string().refine(isHttpUrl, 'must be the URL of the RPC of a node: http(s)://...')

/** Whom a URL asks, whatever is written around it. */
const nodeUrl = (text: string): string => {
  const { host, pathname } = new URL(text)
  return host + pathname.replace(/\/+$/, '')
}

const whole = (least: number, most: number) => z.int().min(least).max(most)
const milliseconds = whole(1, 3_600_000)

/** The chains that hold the namespaces of did:cheqd today. */
const CHAIN_IDS: Readonly<Record<Network, string>> = {
  mainnet: 'cheqd-mainnet-1',
  testnet: 'cheqd-testnet-6',
}

const feeLimit = (cheq: number | null) => (cheq === null ? undefined : ncheqOf(cheq))

/** The default daily limit of an account's writes, in CHEQ; `null`: no limit. */
const SPEND_PER_DAY: Readonly<Record<Network, number | null>> = { mainnet: 1000, testnet: null }

export const Options = z
  .strictObject({
    network: z.enum(NETWORKS),
    database: z.custom<Database>(isDatabase, 'must be a Database of @vidimus/database'),
    rpc: z.union([RpcUrl.transform((url) => [url]), z.array(RpcUrl).min(1).max(10)], {
      error: 'must be the URL of the RPC of a node, http(s)://..., or a list of them',
    }),
    allowHttp: z.boolean().default(false),
    agree: whole(1, 2).default(1),
    chainId: z.string().min(1).optional(),
    payer: PayerOptions.optional(),
    maxFee: Amount.default(250_000_000_000n),
    maxFeesPerDayCheq: whole(0, 1_000_000_000).default(1000).transform(ncheqOf),
    maxSpendPerDayCheq: whole(0, 1_000_000_000).nullable().optional(),
    events: z
      .custom<AccountEventSink>(
        isAccountEventSink,
        'must accept events, such as Events of @vidimus/account-events',
      )
      .optional(),
    gas: z
      .strictObject({
        base: whole(0, 1_000_000_000).default(150_000),
        perMessage: whole(0, 1_000_000_000).default(60_000),
        perByte: whole(0, 100_000).default(45),
        simulate: z.boolean().default(true),
        adjustment: z.number().min(1).max(10).default(1.1),
      })
      .prefault({}),
    batch: z
      .strictObject({
        maxMessages: whole(1, 200).default(50),
        maxBytes: whole(1, 10_000_000).default(60_000),
        maxGas: whole(1, 1_000_000_000).optional(),
      })
      .prefault({}),
    outbox: z
      .strictObject({
        maxInFlight: whole(1, 50).default(4),
        timeoutBlocks: whole(2, 10_000).default(30),
        submitTimeoutMs: milliseconds.default(45_000),
        keepFinishedMinutes: whole(1, 100_000).default(60),
        pollMs: milliseconds.default(1_000),
        tableMs: milliseconds.default(500),
        electionMs: milliseconds.default(2_000),
      })
      .prefault({}),
    requests: z
      .strictObject({
        timeoutMs: milliseconds.default(10_000),
        attempts: whole(1, 20).default(3),
        pauseMs: milliseconds.default(200),
        leaveAloneMs: milliseconds.default(5_000),
        maxAnswerBytes: whole(1_000_000, 1_000_000_000).default(32 * 1024 * 1024),
      })
      .prefault({}),
    staleBlockSeconds: whole(1, 1_000_000).default(120),
    shortestBlockMs: milliseconds.default(1_000),
  })
  .superRefine(({ rpc, allowHttp, agree }, context) => {
    rpc.forEach((url, index) => {
      if (allowHttp || isConfidentialAddress(url)) return
      const message =
        'must be https, unless the node is on this machine; "allowHttp: true" allows http, unencrypted and unauthenticated'
      context.addIssue({ code: 'custom', path: ['rpc', index], message })
    })
    const nodes = rpc.map(nodeUrl)
    nodes.forEach((node, index) => {
      if (nodes.indexOf(node) === index) return
      const message = 'repeats an earlier node, which cannot confirm itself'
      context.addIssue({ code: 'custom', path: ['rpc', index], message })
    })
    if (rpc.length < agree) {
      context.addIssue({ code: 'custom', path: ['agree'], message: `needs ${agree} nodes under rpc` })
    }
  })
  .transform(({ chainId, maxSpendPerDayCheq, ...others }) => ({
    ...others,
    chainId: chainId ?? CHAIN_IDS[others.network],
    maxSpendPerDay: feeLimit(
      maxSpendPerDayCheq === undefined ? SPEND_PER_DAY[others.network] : maxSpendPerDayCheq,
    ),
  }))

/** Without secrets: URLs may carry credentials. */
export type Settings = Omit<z.output<typeof Options>, 'payer' | 'rpc' | 'allowHttp'>

export interface CheqdLedgerOptions {
  network: Network
  /** with the `migrations` of this package */
  database: Database
  /** the RPC of one node (CometBFT 0.37, 0.38 or 1), or of several, the best first */
  rpc: string | string[]
  /** takes nodes over http that are on other machines, with a warning at each start; default false */
  allowHttp?: boolean
  /** how many nodes must report the same before it is trusted: 1, the default, or 2 */
  agree?: number
  /** default `cheqd-mainnet-1` and `cheqd-testnet-6` */
  chainId?: string
  /** the payer; absent: nothing can be written */
  payer?: CheqdPayerOptions
  /** the most that one message may cost, in whole CHEQ or as `<n>ncheq`; default 250 CHEQ */
  maxFee?: number | string
  /** the most that the payer pays in fees for encrypted lists within a day (UTC), for all accounts, in CHEQ; default 1000 */
  maxFeesPerDayCheq?: number
  /**
   * the most that an account spends on its own writes within a day (UTC), in CHEQ, a tenth of it reserved for changes
   * of existing objects; `null`: no limit. Default 1000 on mainnet, `null` on testnet
   */
  maxSpendPerDayCheq?: number | null
  /** notifies an account when 80 % of that are spent, and when the payer cannot pay; default: no events */
  events?: AccountEventSink
  gas?: {
    /** of a payment, and of a transaction with one message if no node simulates it, default 150 000 */
    base?: number
    /** of each further message, default 60 000 */
    perMessage?: number
    /** of each byte of the transaction, default 45 */
    perByte?: number
    /**
     * ask the node for the gas of messages, and use `adjustment` (default 1.1) times its result plus the gas of the
     * fee; default true
     */
    simulate?: boolean
    adjustment?: number
  }
  /** the limits of a transaction (50 messages, 60,000 bytes, the gas of a block); a single message may be larger */
  batch?: { maxMessages?: number; maxBytes?: number; maxGas?: number }
  outbox?: {
    /** transactions that wait for their blocks at the same time, default 4 */
    maxInFlight?: number
    /** for how many blocks a transaction is valid, default 30 */
    timeoutBlocks?: number
    /** how long a caller waits for the outcome, in milliseconds, default 45 000 */
    submitTimeoutMs?: number
    /** how long the rows of finished messages stay, default 60 */
    keepFinishedMinutes?: number
    /** how often the node is asked for what became of a transaction, in milliseconds, default 1000 */
    pollMs?: number
    /** how often the table is looked at for what other processes did, in milliseconds, default 500 */
    tableMs?: number
    /** how often a process tries to become the one that sends, in milliseconds, default 2000 */
    electionMs?: number
  }
  /**
   * one request to a node: its timeout, how often a read is tried, with what pause, how long a failed node is left
   * alone, and the maximum size of a response (default 32 MiB)
   */
  requests?: {
    timeoutMs?: number
    attempts?: number
    pauseMs?: number
    leaveAloneMs?: number
    maxAnswerBytes?: number
  }
  /** how old the newest block may be before the chain counts as standing still, default 120 */
  staleBlockSeconds?: number
  /** a chain that makes more than one block in so many milliseconds, for hours, is not believed; default 1000 */
  shortestBlockMs?: number
}
