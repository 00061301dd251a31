import type { CheckResult, Network } from '@vidimus/core-types'
import { formatCoins } from '@vidimus/ledger'
import { balanceOf } from './accounts.js'
import type { ChainNode, NodeStatus } from './chain-node.js'
import type { ChainState } from './chain-state.js'
import type { CheqdSending } from './cheqd-sending.js'
import type { Fees } from './fees.js'
import { isLedgerError } from './is-ledger-error.js'
import type { Settings } from './options.js'
import type { Payer } from './payer.js'

/** The state of a cheqd network and of our resources on it. */
export interface CheqdReport {
  network: Network
  /** of the node that responded, without path and credentials */
  host: string
  /** of CometBFT */
  nodeVersion: string
  chainId: string
  height: number
  /** of the newest block, in seconds; negative if this machine's clock is behind */
  blockAgeSeconds: number
  catchingUp: boolean
  /** whether the node can find transactions */
  isIndexed: boolean
  /** the prices of messages, in ncheq; absent if the chain does not report them */
  fees?: Fees
  payer?: {
    address: string
    /** in ncheq */
    balance: bigint
    /** how many DIDs, and how many versions of signed lists, the balance pays for; absent without fees */
    paysForDids?: bigint
    paysForResources?: bigint
  }
  /** messages whose outcome is not known yet */
  waiting: number
  /** what keeps this process from sending, in one sentence */
  sendingFailure?: string
}

interface ReportParts {
  settings: Settings
  state: ChainState
  node: ChainNode
  sending: CheqdSending
}

/** @throws LedgerError if no node can be reached */
export async function reportOn({ settings, state, node, sending }: ReportParts): Promise<CheqdReport> {
  const status = await node.status(1)
  const { payer, problem } = await reportedPayer(sending)
  const [fees, balance, waiting] = await Promise.all([
    sending.fees.current().catch(() => undefined),
    payer && balanceOf(state, payer.address),
    payer ? sending.rows.waiting(payer.address) : 0,
  ])
  const failure = problem ?? sending.sender.failure
  return {
    network: settings.network,
    ...standing(status),
    ...(fees && { fees }),
    ...(payer &&
      balance !== undefined && { payer: { address: payer.address, balance, ...range(balance, fees) } }),
    waiting,
    ...(failure instanceof Error && { sendingFailure: failure.message }),
  }
}

async function reportedPayer(sending: CheqdSending): Promise<{ payer?: Payer; problem?: unknown }> {
  if (!sending.account) return {}
  try {
    return { payer: await sending.payer() }
  } catch (problem) {
    return { problem }
  }
}

const standing = ({ host, version, chainId, height, time, catchingUp, isIndexed }: NodeStatus) => ({
  host,
  nodeVersion: version,
  chainId,
  height,
  blockAgeSeconds: Math.round((Date.now() - time.getTime()) / 1000),
  catchingUp,
  isIndexed,
})

const range = (balance: bigint, fees: Fees | undefined) =>
  fees && fees.createDid > 0n && fees.default > 0n
    ? { paysForDids: balance / fees.createDid, paysForResources: balance / fees.default }
    : {}

/** Whether the network can be used; too little money is reported, and does not prevent reads. */
export async function chainCheck(
  { network, staleBlockSeconds }: Pick<Settings, 'network' | 'staleBlockSeconds'>,
  report: () => Promise<CheqdReport>,
): Promise<CheckResult[]> {
  const name = `ledger:${network}`
  try {
    const found = await report()
    const { chainId, height, blockAgeSeconds, catchingUp } = found
    const sentence = `${chainId} at block ${height}, ${Math.max(0, blockAgeSeconds)} s old`
    if (catchingUp) return [{ name, ok: false, message: `${sentence}: the node is catching up` }]
    if (blockAgeSeconds > staleBlockSeconds) {
      return [{ name, ok: false, message: `${sentence}: the chain or its node has stalled` }]
    }
    const message = [sentence, ...warnings(found)].join('; ')
    return [{ name, ok: true, message }, ...poverty(found)]
  } catch (error) {
    // The error names hosts, its cause does not.
    const { cause } = error as Error
    const reason = isLedgerError(error) && cause instanceof Error ? `: ${cause.message}` : ''
    return [{ name, ok: false, message: `no node of the network can be used${reason}` }]
  }
}

/** The consequences of `tx_index = "null"`. */
export const WITHOUT_INDEX =
  'the node has no transaction index (tx_index): writes are looked up in its blocks, and payments cannot be found'

/** A payer with too little for one DID will soon be unable to write; reads still work. */
function poverty({ network, payer, fees }: CheqdReport): CheckResult[] {
  if (!payer || !fees || payer.balance >= fees.createDid) return []
  const message = `${payer.address} has ${formatCoins(payer.balance)}, less than the ${formatCoins(fees.createDid)} that one DID costs`
  return [{ name: `payer:${network}`, ok: false, warning: true, message }]
}

function warnings({ payer, waiting, sendingFailure, isIndexed }: CheqdReport): string[] {
  if (!payer && sendingFailure !== undefined) return ['the payer cannot be used, so nothing can be written']
  return [
    ...(isIndexed ? [] : [WITHOUT_INDEX]),
    ...(payer ? [] : ['no payer is configured, so nothing can be written']),
    ...(sendingFailure === undefined || waiting === 0
      ? []
      : [`${waiting} messages are pending, as sending fails`]),
  ]
}
