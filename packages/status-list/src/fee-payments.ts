import { setTimeout as pauseFor } from 'node:timers/promises'
import {
  AgentError,
  currentAccount,
  isAgentError,
  type ILedgerBank,
  type LedgerTransfer,
  type PaymentClaim,
  type PaymentCondition,
  type Problem,
  type StatusListLocation,
  type StatusListPayments,
} from '@vidimus/core-types'
import type { UnlockingContext } from './agent-context.js'
import { cheqText, conditionText, ncheqOf, ncheqOfCheq } from './payment-conditions.js'

export interface FeeDemand {
  location: StatusListLocation
  /** all of them have to be met */
  paymentConditions: readonly PaymentCondition[]
  /** whether to pay what is missing */
  makeFeePayment: boolean
}

/** One condition, on its way to being met by the account in scope. */
interface Fee {
  claim: PaymentClaim
  /** milliseconds for which a payment counts */
  windowMs: number
  bank: Partial<Pick<ILedgerBank, 'ledgerTransfer' | 'ledgerTransfers'>>
}

/** A payment that somebody began this long ago and did not settle, was left behind; milliseconds. */
const ABANDONED_AFTER_MS = 60_000
/** Between two looks at what another process is doing, in milliseconds. */
const POLL_MS = 250
/** Then the caller is told to come back: after 15 seconds. */
const MOST_LOOKS = 60

/** Failures on the way to a ledger or back, after which the ledger alone knows whether the transfer happened. */
const UNCERTAIN_PHASES = new Set(['transport', 'timeout'])
const UNCERTAIN_CODES = new Set(['ledger_unavailable', 'internal_error', 'unavailable'])

/**
 * Fees that accounts pay to read encrypted lists of others. A payment is noted down before it is made, under an id
 * that becomes the memo of its transfer. So whoever finds a payment begun and not settled can ask the ledger what came
 * of it: nothing is paid twice, and nothing that was paid is lost, whatever process ended in between. Calls of one
 * account for the same payment share it, in this process by a promise, in others by that note.
 */
export class FeePayments {
  private readonly running = new Map<string, Promise<void>>()

  /**
   * @param mostCheq - of all conditions of a list together, in CHEQ
   * @param clock - the time now
   * @param pause - waits for so many milliseconds
   */
  constructor(
    private readonly payments: StatusListPayments,
    private readonly mostCheq: number,
    private readonly clock: () => Date = () => new Date(),
    private readonly pause: (ms: number) => Promise<void> = pauseFor,
  ) {}

  /**
   * Makes sure that the account in scope has met every condition.
   *
   * @throws AgentError `payment_required` with a detail for each condition that is not met, where nothing is to be
   * paid or it would be more than this installation pays; `insufficient_funds`, `ledger_unavailable`; `unavailable`
   * where another process is still paying the same
   */
  async demand({ location, paymentConditions, makeFeePayment }: FeeDemand, context: UnlockingContext) {
    const fees = paymentConditions.map((condition) => feeOf(condition, location, context))
    const met = await Promise.all(
      fees.map(async (fee) => (await this.isPaid(fee)) || (!makeFeePayment && this.recover(fee))),
    )
    const missing = fees.filter((_, n) => !met[n])
    if (missing.length === 0) return
    const details = paymentConditions.flatMap((condition, n): Problem[] =>
      met[n] ? [] : [{ path: `paymentConditions[${n}]`, message: conditionText(condition) }],
    )
    if (!makeFeePayment) throw paymentRequired(location, details)
    const total = missing.reduce((sum, { claim }) => sum + ncheqOf(claim.feePaymentAmount), 0n)
    const most = ncheqOfCheq(this.mostCheq)
    if (total > most) {
      const limit = `that is ${cheqText(total)}, and this installation pays ${cheqText(most)} at the most`
      throw paymentRequired(location, details, limit)
    }
    for (const fee of missing) await this.payOnce(fee)
  }

  /** Callers of one account share a payment. */
  private payOnce(fee: Fee): Promise<void> {
    const { network, feePaymentAddress, feePaymentAmount } = fee.claim
    const payment = [network, feePaymentAddress, feePaymentAmount, fee.windowMs]
    const key = JSON.stringify([currentAccount().id, ...payment])
    const running = this.running.get(key)
    if (running) return running
    const started = this.pay(fee).finally(() => this.running.delete(key))
    this.running.set(key, started)
    return started
  }

  private async pay(fee: Fee): Promise<void> {
    for (let look = 0; look < MOST_LOOKS; look++) {
      if (await this.isPaid(fee)) return
      const begun = await this.begin(fee)
      if (!begun) continue
      const { id, begunAt, mine } = begun
      if (mine || (await this.takeOverAbandoned(fee, id, begunAt))) await this.complete(fee, id)
      else if (!(await this.settleIfTransferred(fee, id))) await this.pause(POLL_MS)
    }
    const message =
      'the fee of the encrypted status list is being paid by another call; repeat this one later'
    throw new AgentError('unavailable', message)
  }

  /** @returns `undefined` where the same payment was settled in the very moment */
  private begin({ claim }: Fee): Promise<{ id: string; begunAt: Date; mine: boolean } | undefined> {
    return this.payments.begin(claim).catch((error: unknown) => {
      if (isAgentError(error) && error.code === 'version_conflict') return undefined
      throw error
    })
  }

  /** Makes the payment that this process has begun or taken over. */
  private async complete(fee: Fee, id: string): Promise<void> {
    // somebody else may have settled theirs after we looked, and before we began
    if (await this.isPaid(fee)) return this.payments.drop(id)
    const transfer = await this.transfer(fee, id).catch(async (error: unknown) => {
      if (didNotHappen(error)) await this.payments.drop(id)
      throw error
    })
    await this.settle(id, transfer)
  }

  private async transfer({ claim, bank }: Fee, memo: string): Promise<LedgerTransfer> {
    const { feePaymentAddress: to, feePaymentAmount: amount } = claim
    if (!bank.ledgerTransfer) {
      const message =
        'the fee of the encrypted status list cannot be paid: this agent has no payer on the ledger'
      throw new AgentError('ledger_unavailable', message)
    }
    return bank.ledgerTransfer({ did: claim.list.did, to, amount, memo })
  }

  private async isPaid({ claim, windowMs }: Fee): Promise<boolean> {
    const notBefore = new Date(this.clock().getTime() - windowMs)
    return (await this.payments.find(claim, notBefore)) !== undefined
  }

  /** Settles a payment whose process ended before it did. @returns whether there was one that counts */
  private async recover(fee: Fee): Promise<boolean> {
    const { claim, windowMs, bank } = fee
    const { feePaymentAddress: to, feePaymentAmount: amount } = claim
    const notBefore = new Date(this.clock().getTime() - windowMs).toISOString()
    const query = { did: claim.list.did, to, amount, notBefore }
    const transfers = await bank.ledgerTransfers?.(query).catch((error: unknown) => {
      // without the ledger nothing speaks for a payment
      if (isAgentError(error) && error.code === 'ledger_unavailable') return []
      throw error
    })
    if (!transfers?.length) return false
    const { id, mine } = await this.payments.begin(claim)
    if (mine) await this.payments.drop(id)
    return !mine && (await this.settleIfTransferred(fee, id)) && this.isPaid(fee)
  }

  private async takeOverAbandoned(fee: Fee, id: string, begunAt: Date): Promise<boolean> {
    if (this.clock().getTime() - begunAt.getTime() < ABANDONED_AFTER_MS) return false
    return (await this.payments.takeOver(id, begunAt)) && !(await this.settleIfTransferred(fee, id))
  }

  /** Settles a payment that somebody has begun, where the ledger has its transfer. */
  private async settleIfTransferred({ claim, bank }: Fee, id: string): Promise<boolean> {
    const { feePaymentAddress: to, feePaymentAmount: amount } = claim
    const transfers = await bank.ledgerTransfers?.({ did: claim.list.did, to, amount, memo: id })
    const [transfer] = transfers ?? []
    if (transfer) await this.settle(id, transfer)
    return transfer !== undefined
  }

  private settle(id: string, { txHash, time }: LedgerTransfer): Promise<void> {
    return this.payments.settle(id, { txHash, paidAt: new Date(time) })
  }
}

function feeOf(condition: PaymentCondition, list: StatusListLocation, { agent }: UnlockingContext): Fee {
  const { feePaymentAddress, feePaymentAmount, feePaymentWindow } = condition
  const claim = { list, network: networkOf(list.did), feePaymentAddress, feePaymentAmount }
  return { claim, windowMs: feePaymentWindow * 60_000, bank: agent }
}

/** What stands between the method and the identifier; of methods without networks their name. */
const networkOf = (did: string): string => did.split(':').slice(2, -1).join(':') || (did.split(':')[1] ?? did)

/** Whether a transfer failed for certain. A refusal without a cause came before the ledger was asked. */
function didNotHappen(error: unknown): boolean {
  if (!isAgentError(error)) return false
  if (error.cause === undefined) return true
  const { phase } = error.cause as { phase?: unknown }
  return typeof phase === 'string' ? !UNCERTAIN_PHASES.has(phase) : !UNCERTAIN_CODES.has(error.code)
}

function paymentRequired(
  { statusListName }: StatusListLocation,
  details: readonly Problem[],
  limit?: string,
): AgentError {
  const payments = details.map(({ message }) => message).join('; ')
  const reason = `the encrypted status list "${statusListName}" demands a payment: ${payments}`
  return new AgentError('payment_required', limit ? `${reason}; ${limit}` : reason, { details })
}
