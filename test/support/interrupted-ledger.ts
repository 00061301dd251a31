import type { LedgerMessage, LedgerReceipt, SubmitOptions } from '@vidimus/ledger'
import { CheqdLedger } from '@vidimus/ledger-cheqd'
import { EmbeddedLedger, type EmbeddedLedgerOptions } from '@vidimus/ledger-local'

export type Moment = 'before' | 'after'

/** What happens when a ledger is asked for something the next time. */
export class Interlude {
  /** what the ledger was asked for last */
  last: Promise<LedgerReceipt> | undefined
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
    this.last = submit()
    const receipt = await this.last
    if (next?.moment === 'after') await next.work()
    return receipt
  }
}

export class PausedEmbeddedLedger extends EmbeddedLedger {
  readonly interlude = new Interlude()

  override submit(message: LedgerMessage, options?: SubmitOptions): Promise<LedgerReceipt> {
    return this.interlude.around(() => super.submit(message, options))
  }
}

/** As a ledger elsewhere, which no transaction of the service spans. */
export class InterruptedEmbeddedLedger extends PausedEmbeddedLedger {
  constructor(options: EmbeddedLedgerOptions) {
    super(options)
    Object.defineProperty(this, 'participation', { value: undefined })
  }
}

export class InterruptedCheqdLedger extends CheqdLedger {
  readonly interlude = new Interlude()

  override submit(message: LedgerMessage, options?: SubmitOptions): Promise<LedgerReceipt> {
    return this.interlude.around(() => super.submit(message, options))
  }
}
