import { RepeatedPasses } from '@vidimus/core-types'
import type { HeldRecord } from './idempotency-rows.js'

const RELEASES = { work: 'release of requests with an idempotency key', pauseMs: 5_000, soonMs: 250 }

/** However long the database is away, its records fit into memory; the oldest ones then stay locked for a day. */
const MOST_LEFT = 10_000

/**
 * The requests that this process works on. As long as the process is present, nothing else takes them over; so those
 * that it could not end, because the database was away, are released as soon as that can be written.
 */
export class HeldRecords {
  private readonly held = new Set<string>()
  private readonly left = new Map<string, HeldRecord>()
  private readonly releases = new RepeatedPasses(RELEASES)

  /** @param release - lets others take over; does nothing if the record has another holder by now */
  constructor(private readonly release: (record: HeldRecord) => Promise<unknown>) {}

  add({ holder }: HeldRecord): void {
    this.held.add(holder)
  }

  remove({ holder }: HeldRecord): void {
    this.held.delete(holder)
  }

  /** Whether a holder is a run in this process. */
  has(holder: string): boolean {
    return this.held.has(holder)
  }

  /** Nothing works on it any more, but the database may still say so. */
  leave(record: HeldRecord): void {
    this.remove(record)
    this.left.set(record.holder, record)
    const [first] = this.left.keys()
    if (this.left.size > MOST_LEFT && first !== undefined) this.left.delete(first)
    this.releases.begin(() => this.releaseLeft())
    this.releases.soon()
  }

  stop(): Promise<void> {
    return this.releases.stop()
  }

  private async releaseLeft(): Promise<void> {
    for (const record of this.left.values()) {
      await this.release(record)
      this.left.delete(record.holder)
    }
  }
}
