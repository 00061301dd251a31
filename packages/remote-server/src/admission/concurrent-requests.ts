import type { CheckResult } from '@vidimus/core-types'
import { Places } from './places.js'

/** If the service stays full this long without completing an operation, operations hang. */
const STUCK_MS = 30_000

/** The name of the check. */
export const REQUESTS = 'requests'

/**
 * Running operations. They count while the service works, and not while it waits for a client: neither for its body nor
 * until it has read the answer.
 */
export class ConcurrentRequests extends Places {
  private endedSoFar = 0
  /** when the last one ended, or when the maximum was reached, whichever was later */
  private movedAt = 0

  /** @param share - how many of one account */
  constructor(
    most: number,
    share: number,
    private readonly clock: () => number = () => performance.now(),
  ) {
    super(
      {
        limit: 'concurrentRequestsPerAccount',
        most: share,
        what: 'too many concurrent requests of this account',
      },
      { limit: 'concurrentRequests', most, what: 'too many concurrent requests' },
    )
  }

  override add(owner: string | undefined, amount: number): void {
    const wasFull = this.isFull
    super.add(owner, amount)
    if (amount < 0) this.endedSoFar += 1
    if (amount < 0 || (this.isFull && !wasFull)) this.movedAt = this.clock()
  }

  /** Number of completed operations since startup. */
  get ended(): number {
    return this.endedSoFar
  }

  /** Whether the maximum has been reached for that long without any completion. */
  get isStuck(): boolean {
    return this.isFull && this.clock() - this.movedAt >= STUCK_MS
  }

  /** For `/health/ready`: fails if {@link isStuck}. */
  check(): CheckResult {
    const name = REQUESTS
    if (!this.isStuck) return { name, ok: true }
    const seconds = Math.floor((this.clock() - this.movedAt) / 1000)
    return { name, ok: false, message: `${this.count} in progress, none completed for ${seconds} s` }
  }
}
