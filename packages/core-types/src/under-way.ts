/** How many of something are under way. A count goes up and comes down here alone, with the work that it is for. */
export class UnderWay {
  private now = 0

  get count(): number {
    return this.now
  }

  /** Counts `work` for as long as it lasts, however it ends. @returns what `work` does */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.now += 1
    try {
      return await work()
    } finally {
      this.now -= 1
    }
  }
}

/**
 * Works of this process that wait for a network with a pace of its own, such as for a block: they may take long without
 * anything that a new start of the process would mend.
 */
export const waitsForNetworks = new UnderWay()
