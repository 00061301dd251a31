import { OverdueWorkError, type OpenTransaction, type WithVersion } from '@vidimus/core-types'
import type { Connection, Database } from '@vidimus/database'
import { isHeld, settleWork, type WorkEnd, type WorkItem } from './work-rows.js'

/** An item that this process has claimed. Nothing that it does with it counts once another process has. */
export class HeldWork {
  private readonly lost = new AbortController()
  private settled = false

  constructor(
    private readonly database: Database,
    private readonly kind: string,
    readonly item: WorkItem,
    /** by the clock of its kind, before anything was read */
    readonly begun: Date,
  ) {}

  /** Aborts when the claim is lost, or given back. */
  get signal(): AbortSignal {
    return this.lost.signal
  }

  /** Whether the transaction of its effect has settled it. */
  get isSettled(): boolean {
    return this.settled
  }

  lose(): void {
    this.lost.abort()
  }

  /** In the transaction of its effect. @returns `false` if another process has claimed it: the effect must be undone */
  private async settle(transaction: Connection, end: WorkEnd): Promise<boolean> {
    const outcome = await settleWork(transaction, this.kind, this.item, { ...end, begun: this.begun })
    this.settled = outcome !== 'lost'
    return this.settled
  }

  /**
   * Settles it with the version that is its effect. Where no transaction spans the ledger, the ledger is not asked once another
   * process has claimed it, and it is settled afterwards.
   *
   * @param end - asked for in the transaction
   */
  withVersion(end: () => WorkEnd): WithVersion {
    const orOverdue = async (isOurs: Promise<boolean>) => {
      if (!(await isOurs)) throw new OverdueWorkError(record)
    }
    const record: WithVersion = {
      database: this.database,
      made: (transaction: OpenTransaction) => orOverdue(this.settle(transaction as Connection, end())),
      handedOver: (transaction: OpenTransaction) =>
        orOverdue(isHeld(transaction as Connection, this.kind, this.item)),
    }
    return record
  }
}
