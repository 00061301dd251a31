/** Runs works of the same key one after the other, in order of arrival, in this process only. */
export class KeyedQueue {
  private readonly ends = new Map<string, Promise<unknown>>()

  /** @throws what `work` throws; the outcome of the previous work makes no difference */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.ends.get(key) ?? Promise.resolve()
    const own = before.then(work)
    const end = own.catch(() => undefined)
    this.ends.set(key, end)
    try {
      return await own
    } finally {
      if (this.ends.get(key) === end) this.ends.delete(key)
    }
  }

  /** Keys of which a work is under way or waits. */
  get size(): number {
    return this.ends.size
  }
}
