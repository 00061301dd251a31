import type { HandOver } from '@vidimus/core-types'

/** A transfer of money between two accounts of a ledger. */
export interface LedgerPayment {
  txHash: string
  height: number
  time: Date
  from: string
  to: string
  /** in ncheq, the smallest unit */
  amount: bigint
  memo: string
}

export interface LedgerPaymentQuery {
  to: string
  memo?: string
  amount?: bigint
  notBefore?: Date
}

/** The money on a ledger, as far as paying for encrypted lists needs it. */
export interface LedgerBank {
  /** the account that pays for this service; `undefined`: it can pay nothing */
  readonly payer: string | undefined
  /** the most that it pays in fees within a day for all accounts together, in ncheq; absent: no limit */
  readonly maxFeesPerDay?: bigint | undefined
  /** in ncheq; 0 for accounts that the ledger does not know */
  balanceOf(address: string): Promise<bigint>
  /**
   * Pays from the {@link payer}; resolves after the transfer is finally committed.
   *
   * @param payment - `handOver`: as that of a message
   *
   * @throws LedgerError `sdk` 5 if the balance does not suffice, and if the ledger cannot be reached
   */
  pay(payment: { to: string; amount: bigint; memo: string; handOver?: HandOver }): Promise<LedgerPayment>
  /**
   * Newest first, at most 100.
   *
   * @throws LedgerError also while one with the memo is on its way
   */
  findPayments(query: LedgerPaymentQuery): Promise<LedgerPayment[]>
}
