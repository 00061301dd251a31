import { AgentError, UnderWay, type CheckResult } from '@vidimus/core-types'

/** Full for so long without one coming to its end: they hang, and none will. */
const STUCK_MS = 30_000

/** The name of their check. */
export const REQUESTS = 'requests'

/** Operations under way, and the most of them that there may be. */
export class ConcurrentRequests {
  private readonly underWay = new UnderWay()
  private endedSoFar = 0
  /** when the last one ended, or when it became full, whichever was later */
  private movedAt = 0

  constructor(
    private readonly most: number,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  get count(): number {
    return this.underWay.count
  }

  /** @throws AgentError `unavailable` where there are too many */
  demandRoom(): void {
    if (!this.isFull) return
    throw new AgentError('unavailable', 'too many concurrent requests; try again in a moment')
  }

  /** @throws AgentError `unavailable` where there are too many, and what `work` throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.demandRoom()
    if (this.count === this.most - 1) this.movedAt = this.clock()
    try {
      return await this.underWay.during(work)
    } finally {
      this.movedAt = this.clock()
      this.endedSoFar += 1
    }
  }

  get isFull(): boolean {
    return this.count >= this.most
  }

  /** How many have ended since the start. */
  get ended(): number {
    return this.endedSoFar
  }

  /** Whether there has been no room for so long without one that came to its end. */
  get isStuck(): boolean {
    return this.isFull && this.clock() - this.movedAt >= STUCK_MS
  }

  /** For `/health/ready`: failing where it {@link isStuck}. */
  check(): CheckResult {
    const name = REQUESTS
    if (!this.isStuck) return { name, ok: true }
    const seconds = Math.floor((this.clock() - this.movedAt) / 1000)
    return { name, ok: false, message: `${this.count} in progress, none completed for ${seconds} s` }
  }
}
