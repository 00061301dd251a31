import { AgentError } from '@vidimus/core-types'

/** Operations under way, and the most of them that there may be: what comes beyond is refused before its body is read. */
export class ConcurrentRequests {
  private underWay = 0

  constructor(private readonly most: number) {}

  /** @throws AgentError `unavailable` where there are too many, and what `work` throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.underWay >= this.most) {
      throw new AgentError('unavailable', 'too many requests are under way; try again in a moment')
    }
    this.underWay += 1
    try {
      return await work()
    } finally {
      this.underWay -= 1
    }
  }
}
