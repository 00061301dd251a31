import { setTimeout as pauseFor } from 'node:timers/promises'
import {
  inCheq,
  ncheqIn,
  AgentError,
  currentAccount,
  isAgentError,
  requireNetworkOf,
  requireEffect,
  tellNearlySpent,
  whoeverWaits,
  withHandOver,
  type AccountEventSink,
  type AuditActor,
  type BegunPayment,
  type ILedgerBank,
  type LedgerTransfer,
  type PaymentClaim,
  type PaymentCondition,
  type PaymentLimits,
  type StatusListLocation,
  type StatusListPayments,
  type UsedOf,
} from '@vidimus/core-types'
import type { UnlockingContext } from '../agent-context.js'
import type { FeeAllowance } from './fee-allowance.js'
import { paymentLimit, paymentRequired } from './fee-refusals.js'
import { ncheqOfCheq } from '../encryption/payment-conditions.js'

export interface FeeDemand {
  location: StatusListLocation
  /** all of them must be met */
  paymentConditions: readonly PaymentCondition[]
  /** whether to pay missing fees */
  makeFeePayment: boolean
  /** of the call */
  allowance: FeeAllowance
}

/** The most that is paid, in whole CHEQ. */
export interface FeeLimits {
  /** for all conditions of a list together */
  perList: number
  /** by an account on a network in a day */
  perAccountAndDay: number
}

type Bank = Partial<Pick<ILedgerBank, 'ledgerTransfer' | 'ledgerTransfers' | 'ledgerFeeLimit'>>

/** One condition, on its way to being met by the account in scope. */
interface Fee {
  claim: PaymentClaim
  bank: Bank
  allowance: FeeAllowance
  /** ncheq that are still to be paid for the list after this one */
  following: bigint
}

/** A payment that was begun this long ago and not settled counts as abandoned; milliseconds. */
const ABANDONED_AFTER_MS = 60_000
/** Between two looks at what another process is doing, in milliseconds. */
const POLL_MS = 250
/** Then the caller is asked to retry: after 15 seconds. */
const MOST_LOOKS = 60

/** Failures on the way to a ledger or back, after which only the ledger knows whether the transfer happened. */
const UNCERTAIN_PHASES = new Set(['transport', 'timeout'])
const UNCERTAIN_CODES = new Set(['ledger_unavailable', 'internal_error', 'unavailable', 'outcome_unknown'])

/**
 * Fees that accounts pay to read encrypted lists of others. A payment is recorded before it is made, under an id that
 * becomes the memo of its transfer. So a process that finds an unsettled payment can ask the ledger for its outcome:
 * nothing is paid twice, and no payment is lost, whatever process ended in between. Calls of one account for the same
 * payment share it, in this process by a promise, in others by that record.
 */
export class FeePayments {
  private readonly running = new Map<string, Promise<void>>()

  /**
   * @param events - gets an event when most of a budget is spent
   * @param clock - the time now
   * @param pause - waits for this many milliseconds
   */
  constructor(
    private readonly payments: StatusListPayments,
    private readonly limits: FeeLimits,
    private readonly events?: AccountEventSink,
    private readonly clock: () => Date = () => new Date(),
    private readonly pause: (ms: number) => Promise<void> = pauseFor,
  ) {}

  /**
   * Makes sure that the account in scope has met every condition.
   *
   * @throws AgentError `payment_required` with a detail for each unmet condition, if nothing may be paid;
   *   `payment_limit` if it would exceed the limits; `insufficient_funds`, `ledger_unavailable`; `unavailable` if
   *   another process is still paying the same
   */
  async demand(
    { location, paymentConditions, makeFeePayment, allowance }: FeeDemand,
    context: UnlockingContext,
  ) {
    const fees = paymentConditions.map((condition, n): Fee => {
      const claim = claimFor(condition, location, n, paymentConditions.length)
      return { claim, bank: context.agent, allowance, following: 0n }
    })
    const met = await Promise.all(
      fees.map(async (fee) => (await this.isPaid(fee)) || (!makeFeePayment && this.recover(fee))),
    )
    const missing = fees.filter((_, n) => !met[n])
    if (missing.length === 0) return
    if (!makeFeePayment) throw paymentRequired(location, paymentConditions, (n) => !met[n])
    for (const [n, fee] of missing.entries()) {
      await this.payOnce({ ...fee, following: totalFees(missing.slice(n + 1)) })
    }
  }

  /** Today's spending and limits of the account in scope, in CHEQ by network. */
  async today(): Promise<Record<string, UsedOf>> {
    const limit = this.limits.perAccountAndDay
    const spent = await this.payments.spentToday()
    return Object.fromEntries([...spent].map(([network, ncheq]) => [network, { used: inCheq(ncheq), limit }]))
  }

  /**
   * Callers of one account share a payment, if each of them may make it. The rights or the limit that keep one of
   * them from it do not affect the others.
   */
  private async payOnce(fee: Fee): Promise<void> {
    requireEffect('spend')
    requireNetworkOf(fee.claim.list.did)
    const { network, feePaymentAddress, feePaymentAmount, windowMs } = fee.claim
    const payment = [network, feePaymentAddress, feePaymentAmount, windowMs]
    const key = JSON.stringify([currentAccount().id, ...payment])
    for (let running = this.running.get(key); running; running = this.running.get(key)) {
      try {
        return await running
      } catch (error) {
        if (!isOfTheCaller(error)) throw error
      }
    }
    const started = whoeverWaits(() => this.pay(fee)).finally(() => this.running.delete(key))
    this.running.set(key, started)
    return started
  }

  private async pay(fee: Fee): Promise<void> {
    const limits = await this.readLimits(fee)
    for (let look = 0; look < MOST_LOOKS; look++) {
      if (await this.isPaid(fee)) return
      const begun = await this.begin(fee, limits)
      if (begun.mine || (await this.takeOverAbandoned(fee, begun, limits))) await this.complete(fee, begun)
      else if (!(await this.settleIfTransferred(fee, begun))) await this.pause(POLL_MS)
    }
    const message = 'the fee of the encrypted status list is being paid by another call; try again later'
    throw new AgentError('unavailable', message)
  }

  private async readLimits({ bank, claim }: Fee): Promise<PaymentLimits> {
    const { perDay } = (await bank.ledgerFeeLimit?.({ did: claim.list.did })) ?? {}
    return {
      list: ncheqOfCheq(this.limits.perList),
      accountDay: ncheqOfCheq(this.limits.perAccountAndDay),
      ...(perDay !== undefined && { networkDay: ncheqIn(perDay) }),
    }
  }

  /** @throws AgentError `payment_limit` */
  private async begin(fee: Fee, limits: PaymentLimits): Promise<BegunPayment> {
    const begun = (await this.payments.findBegun(fee.claim)) ?? (await this.beginWithin(fee, limits))
    if (begun.mine) fee.allowance.take(ncheqIn(begun.feePaymentAmount))
    return begun
  }

  private async beginWithin(fee: Fee, limits: PaymentLimits): Promise<BegunPayment> {
    const { claim, following } = fee
    const asked = ncheqIn(claim.feePaymentAmount) + following
    demandAllowed(fee, asked)
    const begun = await this.payments.begin(claim, limits, following)
    if ('refused' in begun) throw paymentLimit(claim, asked, begun.refused)
    return begun
  }

  /** Makes the payment that this process has begun or taken over. */
  private async complete(fee: Fee, begun: BegunPayment): Promise<void> {
    // another caller may have settled theirs after we looked, and before we began
    if (await this.isPaid(fee)) return this.forget(fee, begun)
    const transfer = await this.transfer(fee, begun).catch(async (error: unknown) => {
      if (didNotHappen(error)) await this.forget(fee, begun)
      throw error
    })
    await this.settle(begun.id, transfer)
    for (const budget of begun.nearing) await tellNearlySpent(this.events, fee.claim.network, 'fees', budget)
  }

  private async forget({ allowance }: Fee, { id, feePaymentAmount }: BegunPayment): Promise<void> {
    allowance.giveBack(ncheqIn(feePaymentAmount))
    await this.payments.drop(id)
  }

  private async transfer({ claim, bank }: Fee, begun: BegunPayment): Promise<LedgerTransfer> {
    const { feePaymentAddress: to, feePaymentAmount: amount, id: memo } = begun
    if (!bank.ledgerTransfer) {
      const message =
        'the fee of the encrypted status list cannot be paid: this agent has no payer on the ledger'
      throw new AgentError('ledger_unavailable', message)
    }
    const transfer = { did: claim.list.did, to, amount, memo }
    return bank.ledgerTransfer(withHandOver(transfer, this.payments.handOver(memo)))
  }

  private async isPaid({ claim }: Fee): Promise<boolean> {
    return (await this.payments.find(claim, this.clock())) !== undefined
  }

  /** Settles a payment whose process ended before it did. @returns whether there was one that counts */
  private async recover(fee: Fee): Promise<boolean> {
    const begun = await this.payments.findBegun(fee.claim)
    if (!begun) return false
    const settled = await this.settleIfTransferred(fee, begun).catch((error: unknown) => {
      // without the ledger nothing speaks for a payment
      if (isAgentError(error) && error.code === 'ledger_unavailable') return false
      throw error
    })
    return settled && this.isPaid(fee)
  }

  private async takeOverAbandoned(fee: Fee, begun: BegunPayment, limits: PaymentLimits): Promise<boolean> {
    const { id, begunAt } = begun
    if (this.clock().getTime() - begunAt.getTime() < ABANDONED_AFTER_MS) return false
    const amount = ncheqIn(begun.feePaymentAmount)
    demandAllowed(fee, amount)
    const { taken, refused } = await this.payments.takeOver(id, begunAt, limits)
    if (refused) throw paymentLimit(fee.claim, amount, refused)
    if (!taken || (await this.settleIfTransferred(fee, begun))) return false
    fee.allowance.take(amount)
    return true
  }

  /** Settles a payment that was begun, if the ledger has its transfer. */
  private async settleIfTransferred({ claim, bank }: Fee, begun: BegunPayment): Promise<boolean> {
    const { feePaymentAddress: to, feePaymentAmount: amount, id: memo } = begun
    const transfers = await bank.ledgerTransfers?.({ did: claim.list.did, to, amount, memo })
    const [transfer] = transfers ?? []
    // Which API key the process that is gone has paid with, nobody knows.
    if (transfer) await this.settle(memo, transfer, { accountId: currentAccount().id })
    return transfer !== undefined
  }

  private settle(id: string, { txHash, time }: LedgerTransfer, actor?: AuditActor): Promise<void> {
    return this.payments.settle(id, { txHash, paidAt: new Date(time), ...(actor && { actor }) })
  }
}

const OF_THE_CALLER: ReadonlySet<string> = new Set(['forbidden', 'payment_limit', 'unauthenticated'])

const isOfTheCaller = (error: unknown): boolean => isAgentError(error) && OF_THE_CALLER.has(error.code)

/** @throws AgentError `payment_limit` if the call may not pay this many ncheq */
function demandAllowed({ claim, allowance }: Fee, asked: bigint): void {
  const refused = allowance.refusal(asked)
  if (refused) throw paymentLimit(claim, asked, refused)
}

const claimFor = (
  { feePaymentAddress, feePaymentAmount, feePaymentWindow }: PaymentCondition,
  list: StatusListLocation,
  condition: number,
  conditions: number,
): PaymentClaim => ({
  list,
  network: budgetNetwork(list.did),
  feePaymentAddress,
  feePaymentAmount,
  windowMs: feePaymentWindow * 60_000,
  condition,
  conditions,
})

const totalFees = (fees: readonly Fee[]): bigint =>
  fees.reduce((sum, { claim }) => sum + ncheqIn(claim.feePaymentAmount), 0n)

/** The part between the method and the identifier; for methods without networks their name. */
const budgetNetwork = (did: string): string =>
  did.split(':').slice(2, -1).join(':') || (did.split(':')[1] ?? did)

/** Whether a transfer failed for certain. A refusal without a cause came before the ledger was contacted. */
function didNotHappen(error: unknown): boolean {
  if (!isAgentError(error)) return false
  if (error.cause === undefined) return true
  const { phase } = error.cause as { phase?: unknown }
  return typeof phase === 'string' ? !UNCERTAIN_PHASES.has(phase) : !UNCERTAIN_CODES.has(error.code)
}
