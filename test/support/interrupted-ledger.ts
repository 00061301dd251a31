import type { LedgerMessage, LedgerReceipt, SubmitOptions } from '@vidimus/ledger'
import { CheqdLedger } from '@vidimus/ledger-cheqd'
import { EmbeddedLedger, type EmbeddedLedgerOptions } from '@vidimus/ledger-local'

export type Moment = 'before' | 'after'

/** What happens when a ledger is asked for something the next time. */
export class Interlude {
  private next: { moment: Moment; work: () => Promise<unknown> } | undefined

  /** Whoever asks next waits for `work`, before or after the ledger has done what it was asked for. */
  plan(moment: Moment, work: () => Promise<unknown>): void {
    this.next = { moment, work }
  }

  /** Whoever asks next never hears of it again. @returns resolves then */
  dies(moment: Moment): Promise<void> {
    return new Promise((died) => {
      this.plan(moment, () => {
        died()
        return new Promise(() => undefined)
      })
    })
  }

  async around(submit: () => Promise<LedgerReceipt>): Promise<LedgerReceipt> {
    const { next } = this
    this.next = undefined
    if (next?.moment === 'before') await next.work()
    const receipt = await submit()
    if (next?.moment === 'after') await next.work()
    return receipt
  }
}

/** As a ledger elsewhere, which no transaction of the service spans. */
export class InterruptedEmbeddedLedger extends EmbeddedLedger {
  readonly interlude = new Interlude()

  constructor(options: EmbeddedLedgerOptions) {
    super(options)
    Object.defineProperty(this, 'participation', { value: undefined })
  }

  override submit(message: LedgerMessage, options?: SubmitOptions): Promise<LedgerReceipt> {
    return this.interlude.around(() => super.submit(message, options))
  }
}

export class InterruptedCheqdLedger extends CheqdLedger {
  readonly interlude = new Interlude()

  override submit(message: LedgerMessage, options?: SubmitOptions): Promise<LedgerReceipt> {
    return this.interlude.around(() => super.submit(message, options))
  }
}
