import { MsgCreateResource } from '@cheqd/ts-proto/cheqd/resource/v2/tx.js'
import { detectMediaType, formatCoins, parseCoins } from '@vidimus/ledger'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { balanceOf, findAccount } from './accounts.js'
import { batchGas } from './batching.js'
import type { BlockLimits } from './block-limits.js'
import type { ChainState } from './chain-state.js'
import { refusedBySdk, tooExpensive, tooLarge } from './failures.js'
import { feeKind, withoutMargin, type FeeQuotes } from './fees.js'
import type { GasEstimates } from './gas-estimates.js'
import type { Settings } from './options.js'
import { storedError, type Outcome, type OutboxMessage, type Verdict } from './outbox-message.js'
import type { Payer } from './payer.js'
import { INSUFFICIENT_FUNDS } from './refusals.js'

export interface CostParts {
  settings: Pick<Settings, 'gas' | 'maxFee'>
  state: ChainState
  fees: FeeQuotes
  blocks: BlockLimits
  estimates: GasEstimates
  payer: Payer
}

type Priced = Pick<OutboxMessage, 'kind' | 'message' | 'gasAttempts'>

/** The costs of messages, whether they are allowed and whether the payer has enough. */
export class MessageCosts {
  constructor(private readonly parts: CostParts) {}

  /**
   * @returns the cost of the message, in ncheq
   * @throws LedgerError if no block can hold it, if it costs more than is allowed, or for a payment above the
   *   balance: that would still cost its gas
   */
  async assertAffordable(message: Priced): Promise<bigint> {
    const { settings, state, payer, blocks } = this.parts
    await blocks.assertBytesFit(message)
    await this.assertGasFits(message)
    const fee = await this.feeOf(message)
    if (fee > settings.maxFee) throw tooExpensive(fee, settings.maxFee)
    if (message.kind !== 'payment') return fee
    const balance = await balanceOf(state, payer.address)
    const needed = fee + messageAmount(message)
    if (balance < needed) throw insufficientFunds(payer.address, balance, needed)
    return fee
  }

  /** in ncheq */
  async feeOf(message: Priced): Promise<bigint> {
    const { fees, settings } = this.parts
    if (message.kind === 'payment') return BigInt(batchGas([message], settings.gas)) * (await fees.gasPrice())
    const current = await fees.current()
    return current[feeKind(message.kind, messageMediaType(message))]
  }

  /** Whether the message may share its transaction: its fee does not depend on the transaction's offer. */
  isFixed({ kind, message }: Priced): Promise<boolean> {
    if (kind === 'payment') return Promise.resolve(true)
    return this.parts.fees.isFixed(feeKind(kind, messageMediaType({ kind, message })))
  }

  /**
   * Those that the payer has the money for, the first ones first.
   *
   * @param underWay - spent already, but not charged yet, in ncheq
   */
  async payable(messages: readonly OutboxMessage[], underWay: bigint): Promise<OutboxMessage[]> {
    const { state, payer } = this.parts
    const costs = await Promise.all(messages.map((message) => this.costOf(message)))
    let left = (await balanceOf(state, payer.address)) - underWay
    return messages.filter((_, n) => {
      const cost = costs[n] ?? 0n
      if (cost > left) return false
      left -= cost
      return true
    })
  }

  /** The amount that certainly leaves the payer's account, in ncheq. */
  async costOf(message: Priced): Promise<bigint> {
    return messageAmount(message) + withoutMargin(await this.feeOf(message))
  }

  /** The payer cannot pay: what every one of the messages would need, and what there is. */
  async unpayable(messages: readonly OutboxMessage[]): Promise<Map<string, Outcome>> {
    const { state, payer } = this.parts
    const balance = await balanceOf(state, payer.address)
    const entries = messages.map(async ({ id, ...message }): Promise<[string, Outcome]> => {
      const needed = messageAmount(message) + (await this.feeOf(message))
      return [id, { error: storedError(insufficientFunds(payer.address, balance, needed)) }]
    })
    return new Map(await Promise.all(entries))
  }

  /** Rewords the chain's errors about the payer's money for an operator. */
  async explain(verdicts: Map<string, Verdict>, messages: readonly OutboxMessage[]): Promise<void> {
    const poor = messages.filter(({ id }) => {
      const verdict = verdicts.get(id)
      if (verdict?.kind !== 'finished' || !('error' in verdict.outcome)) return false
      const { codespace, code } = verdict.outcome.error
      return codespace === 'sdk' && code === INSUFFICIENT_FUNDS
    })
    if (poor.length === 0) return
    for (const [id, outcome] of await this.unpayable(poor)) verdicts.set(id, { kind: 'finished', outcome })
  }

  /** A message that may be too large for a block is simulated: the bytes of a deactivation do not show it. */
  private async assertGasFits(message: Priced): Promise<void> {
    const { blocks, settings } = this.parts
    const most = await blocks.gas()
    if (most === undefined) return
    const counted = batchGas([message], settings.gas)
    if (message.kind !== 'deactivateDidDoc' && counted * 2 <= most) return
    const needed = (message.kind === 'payment' ? undefined : await this.leastGas(message)) ?? counted
    if (needed > most) {
      throw tooLarge(`it needs about ${needed} gas, and a block of the network has ${most} (max_gas)`)
    }
  }

  private async leastGas({ message }: Priced): Promise<number | undefined> {
    const { state, payer, estimates } = this.parts
    const account = await findAccount(state, payer.address)
    if (!account) return undefined
    return estimates.least({ messages: [message], memo: '', sequence: account.sequence }, payer)
  }
}

function messageMediaType({ kind, message }: Pick<OutboxMessage, 'kind' | 'message'>): string {
  if (kind !== 'createResource') return ''
  const { payload } = MsgCreateResource.decode(Any.decode(message).value)
  return detectMediaType(payload?.data ?? new Uint8Array())
}

function messageAmount({ kind, message }: Pick<OutboxMessage, 'kind' | 'message'>): bigint {
  if (kind !== 'payment') return 0n
  const { amount } = MsgSend.decode(Any.decode(message).value)
  return amount.reduce((sum, coin) => sum + (parseCoins(`${coin.amount}${coin.denom}`) ?? 0n), 0n)
}

const insufficientFunds = (address: string, balance: bigint, needed: bigint) =>
  refusedBySdk(
    INSUFFICIENT_FUNDS,
    `the payer ${address} has ${formatCoins(balance)}, but ${formatCoins(needed)} is needed`,
  )
