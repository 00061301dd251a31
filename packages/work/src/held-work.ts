import { OverdueWorkError, type OpenTransaction, type WithVersion } from '@vidimus/core-types'
import type { Connection, Database } from '@vidimus/database'
import { continueWork, dropWork, isHeld, settleWork, type WorkEnd, type WorkItem } from './work-rows.js'

/** An item that this process has claimed. Nothing that it does with it counts once another process has. */
export class HeldWork {
  private readonly lost = new AbortController()
  private settled = false
  private next: Date | undefined

  constructor(
    private readonly database: Database,
    readonly kind: string,
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

  /** When it is due again, once it is settled. */
  get dueAgain(): Date | undefined {
    return this.next
  }

  lose(): void {
    this.lost.abort()
  }

  /**
   * In the transaction of its effect.
   *
   * @returns `asked` if a change has asked for it since it was claimed; `lost` if another process has claimed it: the effect must be
   *   undone
   */
  async settle(transaction: OpenTransaction, end: WorkEnd = {}): Promise<'settled' | 'asked' | 'lost'> {
    const ended = { ...end, begun: this.begun }
    const connection = transaction as Connection
    const outcome = await settleWork(connection, this.kind, this.item, ended)
    // Otherwise a handler that goes on after a failed COMMIT would leave it to nobody until its claim ends.
    if (outcome !== 'lost')
      connection.whenCommitted(() => {
        this.settled = true
        this.next = outcome === 'asked' ? this.begun : end.again?.dueAt
      })
    return outcome
  }

  /** Ends it, even if another process has claimed it since; what was begun anew under its key stays. */
  async drop(transaction: OpenTransaction): Promise<void> {
    if ((await this.settle(transaction)) === 'lost')
      (transaction as Connection).send(dropWork(this.kind, this.item))
  }

  /** Whether no other process has claimed it, and none does before the end of the transaction. */
  isHeld(transaction: OpenTransaction): Promise<boolean> {
    return isHeld(transaction as Connection, this.kind, this.item)
  }

  /** As {@link isHeld}, in the transaction of a part of its effect, after which earlier failures do not count any more. */
  continues(transaction: OpenTransaction): Promise<boolean> {
    return continueWork(transaction as Connection, this.kind, this.item)
  }

  /** As {@link isHeld}. @throws OverdueWorkError if another process has claimed it */
  async demandHeld(transaction: OpenTransaction): Promise<void> {
    if (!(await this.isHeld(transaction))) throw this.overdue()
  }

  /** For a version after which the item goes on, which is not made once another process has claimed it. */
  whileHeld(): WithVersion {
    const demand = (transaction: OpenTransaction) => this.demandHeld(transaction)
    return { database: this.database, made: demand, handedOver: demand }
  }

  /** As {@link continues}. @throws OverdueWorkError if another process has claimed it */
  async demand(transaction: OpenTransaction): Promise<void> {
    if (!(await this.continues(transaction))) throw this.overdue()
  }

  /** As {@link settle}. @throws OverdueWorkError if another process has claimed it */
  async demandEnd(transaction: OpenTransaction, end: WorkEnd = {}): Promise<void> {
    if ((await this.settle(transaction, end)) === 'lost') throw this.overdue()
  }

  /** What is thrown where another process has claimed it. */
  overdue(): OverdueWorkError {
    return new OverdueWorkError(this.withVersion(() => ({})))
  }

  /**
   * Settles it with the version that is its effect. Where no transaction spans the ledger, the ledger is not asked once another
   * process has claimed it, and it is settled afterwards.
   *
   * @param end - asked for in the transaction
   */
  withVersion(end: () => WorkEnd): WithVersion {
    const record: WithVersion = {
      database: this.database,
      made: async (transaction) => {
        if ((await this.settle(transaction, end())) === 'lost') throw new OverdueWorkError(record)
      },
      handedOver: async (transaction) => {
        if (!(await this.isHeld(transaction))) throw new OverdueWorkError(record)
      },
    }
    return record
  }
}
