import type { RecordRow } from './idempotency-rows.js'

const SHORTEST_LOOK_MS = 25
const LONGEST_LOOK_MS = 250

interface Watch {
  waiting: number
  ended: Promise<void>
  /** looks at once */
  wake: () => void
}

/** Waits for requests that others work on. All that wait for one share its polling. */
export class RecordWatch {
  private readonly watches = new Map<string, Watch>()

  /** @param isUnderWay - whether its holder still works on the record */
  constructor(private readonly isUnderWay: (record: RecordRow) => Promise<boolean>) {}

  /** @returns whether its holder stopped working on it before the time was up, or the signal was given */
  async wait(record: RecordRow, waitMs: number, signal?: AbortSignal): Promise<boolean> {
    if (waitMs <= 0 || signal?.aborted) return false
    const watch = this.watches.get(record.id) ?? this.begin(record)
    watch.waiting += 1
    let giveUp: () => void = () => undefined
    const impatience = new Promise<false>((resolve) => (giveUp = () => resolve(false)))
    const timer = setTimeout(giveUp, waitMs).unref()
    signal?.addEventListener('abort', giveUp, { once: true })
    try {
      return await Promise.race([watch.ended.then(() => true), impatience])
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
      watch.waiting -= 1
      if (watch.waiting === 0) watch.wake()
    }
  }

  /** This process has done with a record. */
  wake(id: string): void {
    this.watches.get(id)?.wake()
  }

  private begin(record: RecordRow): Watch {
    let wake: () => void = () => undefined
    const pause = (ms: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms).unref()
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    const watch: Watch = { waiting: 0, ended: Promise.resolve(), wake: () => wake() }
    watch.ended = this.watch(record, watch, pause).finally(() => this.watches.delete(record.id))
    // Callers that still wait get the failure; without any it can be ignored.
    watch.ended.catch(() => undefined)
    this.watches.set(record.id, watch)
    return watch
  }

  private async watch(record: RecordRow, watch: Watch, pause: (ms: number) => Promise<void>): Promise<void> {
    let lookMs = SHORTEST_LOOK_MS
    do {
      await pause(lookMs)
      lookMs = Math.min(lookMs * 2, LONGEST_LOOK_MS)
    } while ((await this.isUnderWay(record)) && watch.waiting > 0)
  }
}
