import type { QueueName } from './names.js'

/** Runs works of the same name one after the other, in order of arrival, in this process only. */
export class KeyedQueue {
  private readonly ends = new Map<QueueName, Promise<unknown>>()

  /** @throws what `work` throws; the outcome of the previous work makes no difference */
  async run<T>(queue: QueueName, work: () => Promise<T>): Promise<T> {
    const before = this.ends.get(queue) ?? Promise.resolve()
    const own = before.then(work)
    const end = own.catch(() => undefined)
    this.ends.set(queue, end)
    try {
      return await own
    } finally {
      if (this.ends.get(queue) === end) this.ends.delete(queue)
    }
  }

  /** Names of which a work is under way or waits. */
  get size(): number {
    return this.ends.size
  }
}
