import type { PaymentRefusal } from '@vidimus/core-types'
import { ncheqOfCheq } from '../encryption/payment-conditions.js'

/** The most that one call may pay, for all lists that it reads. */
export class FeeAllowance {
  private spent = 0n
  private readonly most: bigint | undefined

  /** @param maxFee - in CHEQ; absent: only the limits of the installation apply */
  constructor(maxFee?: number) {
    this.most = maxFee === undefined ? undefined : ncheqOfCheq(maxFee)
  }

  /** In ncheq; including what may have been paid. */
  get taken(): bigint {
    return this.spent
  }

  take(ncheq: bigint): void {
    this.spent += ncheq
  }

  giveBack(ncheq: bigint): void {
    this.spent -= ncheq
  }

  /** @returns why this many ncheq are too much; `undefined` if they are not */
  refusal(asked: bigint): (Omit<PaymentRefusal, 'limit'> & { limit: 'call' }) | undefined {
    if (this.most === undefined) return undefined
    const left = this.most > this.spent ? this.most - this.spent : 0n
    return asked > left ? { limit: 'call', most: this.most, left } : undefined
  }
}
