import { outsideOfRequests } from '@vidimus/core-types'
import type { HeldRecord } from './idempotency-rows.js'

/**
 * The requests that this process works on. As long as there are any, it shows at intervals that it lives; what is over
 * sooner than that costs nothing.
 */
export class HeldRecords {
  private readonly held = new Map<string, HeldRecord>()
  private timer: NodeJS.Timeout | undefined
  private beating: Promise<void> | undefined

  constructor(
    private readonly beat: (held: readonly HeldRecord[]) => Promise<void>,
    private readonly everyMs: number,
  ) {}

  add(record: HeldRecord): void {
    this.held.set(record.holder, record)
    this.timer ??= outsideOfRequests(() => setInterval(() => void this.showLife(), this.everyMs)).unref()
  }

  remove({ holder }: HeldRecord): void {
    this.held.delete(holder)
    if (this.held.size === 0) this.stop()
  }

  /** Whether a holder is a run in this process. */
  has(holder: string): boolean {
    return this.held.has(holder)
  }

  stop(): void {
    clearInterval(this.timer)
    this.timer = undefined
  }

  /** One sign of life at a time: where the database is slow, more of them would only wait. */
  private showLife(): Promise<void> {
    this.beating ??= this.beat([...this.held.values()])
      // The next one may succeed; where none does, somebody else takes over.
      .catch(() => undefined)
      .finally(() => (this.beating = undefined))
    return this.beating
  }
}
