/** What is said to whoever looks up the status of a credential about paying for it. */
export interface FeeTerms {
  makeFeePayment: boolean
  /** in CHEQ */
  maxFee?: number
}

/** Fees for reading the status of credentials, as one call allows them for all of its credentials together. */
export class StatusFees {
  private left: number
  private last: Promise<unknown> = Promise.resolve()

  /** @param maxFee - in CHEQ; left out: no limit beside those of the installation */
  constructor(
    private readonly makeFeePayment = false,
    private readonly maxFee?: number,
  ) {
    this.left = maxFee ?? 0
  }

  /**
   * Lets `work` look up a status. Where there is a limit, one after the other, as each leaves less for the next.
   *
   * @param work - answers what it has paid as `feesPaid`, in CHEQ; where it fails it may have paid everything
   */
  async within<T extends { feesPaid?: unknown } | undefined>(
    work: (terms: FeeTerms) => Promise<T>,
  ): Promise<T> {
    const { makeFeePayment, maxFee } = this
    if (!makeFeePayment || maxFee === undefined) {
      return work({ makeFeePayment, ...(maxFee !== undefined && { maxFee }) })
    }
    const turn = this.last.then(async () => {
      const allowed = this.left
      this.left = 0
      const answer = await work({ makeFeePayment, maxFee: allowed })
      const paid = answer?.feesPaid
      this.left = typeof paid === 'number' ? Math.max(0, allowed - paid) : allowed
      return answer
    })
    this.last = turn.catch(() => undefined)
    return turn
  }
}
