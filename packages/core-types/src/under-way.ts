/** How much of something is in progress. A count only goes up and down here, with its work. */
export class UnderWay {
  private now = 0

  get count(): number {
    return this.now
  }

  /** Counts `work` while it runs, however it ends. @returns what `work` does */
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
 * Works of this process that wait for a network with its own pace, such as for a block: they may take long without
 * anything that restarting the process would fix.
 */
export const waitsForNetworks = new UnderWay()
