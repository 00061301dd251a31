import { AgentError, type CheckResult } from '@vidimus/core-types'

/** If the service stays full this long without completing an operation, operations hang. */
const STUCK_MS = 30_000

/** The name of the check. */
export const REQUESTS = 'requests'

/** Running operations, with a maximum. */
export class ConcurrentRequests {
  private running = 0
  private endedSoFar = 0
  /** when the last one ended, or when the maximum was reached, whichever was later */
  private movedAt = 0

  constructor(
    private readonly most: number,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  get count(): number {
    return this.running
  }

  /** @throws AgentError `unavailable` if too many are running */
  demandRoom(): void {
    if (!this.isFull) return
    throw new AgentError('unavailable', 'too many concurrent requests; try again in a moment')
  }

  /** @throws AgentError `unavailable` if too many are running, and any error of `work` */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.demandRoom()
    if (this.count === this.most - 1) this.movedAt = this.clock()
    this.running += 1
    try {
      return await work()
    } finally {
      this.running -= 1
      this.movedAt = this.clock()
      this.endedSoFar += 1
    }
  }

  get isFull(): boolean {
    return this.count >= this.most
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
