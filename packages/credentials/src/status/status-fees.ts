/** Fee options passed to the status check of a credential. */
export interface FeeTerms {
  makeFeePayment: boolean
  /** in CHEQ */
  maxFee?: number
}

/** Fee limit for the status checks of one call, shared by all of its credentials. */
export class StatusFees {
  private left: number
  private last: Promise<unknown> = Promise.resolve()

  /** @param maxFee - in CHEQ; absent: only the limits of the installation apply */
  constructor(
    private readonly makeFeePayment = false,
    private readonly maxFee?: number,
  ) {
    this.left = maxFee ?? 0
  }

  /**
   * Runs a status check. With a limit, checks run one after the other, as each leaves less for the next.
   *
   * @param work - returns the amount paid as `feesPaid`, in CHEQ; a failure counts as paying everything
   */
  async within<T extends { feesPaid?: unknown } | undefined>(
    work: (terms: FeeTerms) => Promise<T>,
  ): Promise<T> {
    const { makeFeePayment, maxFee } = this
    if (!makeFeePayment || maxFee === undefined) {
      return work({ makeFeePayment, ...(maxFee !== undefined && { maxFee }) })
    }
    const next = this.last.then(async () => {
      const allowed = this.left
      this.left = 0
      const answer = await work({ makeFeePayment, maxFee: allowed })
      const paid = answer?.feesPaid
      this.left = typeof paid === 'number' ? Math.max(0, allowed - paid) : allowed
      return answer
    })
    this.last = next.catch(() => undefined)
    return next
  }
}
