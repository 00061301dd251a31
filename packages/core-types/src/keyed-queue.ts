/** Does works of one key one after the other, in the order in which they came, in this process alone. */
export class KeyedQueue {
  private readonly ends = new Map<string, Promise<unknown>>()

  /** @throws what `work` throws; how the work before it ended makes no difference */
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
