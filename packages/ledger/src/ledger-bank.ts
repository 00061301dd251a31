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
   * @throws LedgerError `sdk` 5 if the balance does not suffice, and if the ledger cannot be reached
   */
  pay(payment: { to: string; amount: bigint; memo: string }): Promise<LedgerPayment>
  /** newest first, at most 100 */
  findPayments(query: LedgerPaymentQuery): Promise<LedgerPayment[]>
}
