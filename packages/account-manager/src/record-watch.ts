import type { RecordRow } from './idempotency-rows.js'

/** What became of a record that somebody waited for. */
export type WatchedRecord =
  /** nobody works on it any more */
  | { ended: true }
  /** its holder showed no sign of life for the time of the lease; as it was seen last */
  | { ended: false; silent: RecordRow }

const SHORTEST_LOOK_MS = 25
const LONGEST_LOOK_MS = 250

/** Time that passes between two looks without this process running must not count as silence of another. */
const MOST_COUNTED_MS = 2 * LONGEST_LOOK_MS

interface Watch {
  waiting: number
  outcome: Promise<WatchedRecord>
  /** looks at once */
  wake: () => void
}

/**
 * Waits for requests that others work on. All who wait for one share the looks at it.
 *
 * Whether a holder is dead is told by its signs of life and the time that this process has been watching, never by
 * comparing the clocks of two machines.
 */
export class RecordWatch {
  private readonly watches = new Map<string, Watch>()

  /**
   * @param look - reads the record as it is now
   * @param isOwn - whether this process is the holder, which then needs no sign
   */
  constructor(
    private readonly look: (record: RecordRow) => Promise<RecordRow | undefined>,
    private readonly isOwn: (holder: string) => boolean,
    private readonly leaseMs: number,
  ) {}

  /** @returns `undefined` where the time is up, or the signal was given, before anything changed */
  async wait(record: RecordRow, waitMs: number, signal?: AbortSignal): Promise<WatchedRecord | undefined> {
    if (waitMs <= 0 || signal?.aborted) return undefined
    const watch = this.watches.get(record.id) ?? this.begin(record)
    watch.waiting += 1
    let giveUp: () => void = () => undefined
    const impatience = new Promise<undefined>((resolve) => (giveUp = () => resolve(undefined)))
    const timer = setTimeout(giveUp, waitMs).unref()
    signal?.addEventListener('abort', giveUp, { once: true })
    try {
      return await Promise.race([watch.outcome, impatience])
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
      watch.waiting -= 1
      if (watch.waiting === 0) watch.wake()
    }
  }

  /** Tells those who wait that this process has done with a record. */
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
    const watch: Watch = { waiting: 0, outcome: Promise.resolve({ ended: true }), wake: () => wake() }
    watch.outcome = this.watch(record, watch, pause).finally(() => this.watches.delete(record.id))
    // Whoever still waits learns of a failure; where nobody does, nobody has to.
    watch.outcome.catch(() => undefined)
    this.watches.set(record.id, watch)
    return watch
  }

  private async watch(
    first: RecordRow,
    watch: Watch,
    pause: (ms: number) => Promise<void>,
  ): Promise<WatchedRecord> {
    let seen = first
    let silentMs = 0
    let lookMs = SHORTEST_LOOK_MS
    do {
      const before = performance.now()
      await pause(lookMs)
      const now = await this.look(seen)
      if (now?.id !== first.id || now.holder === null) return { ended: true }
      const lives = now.holder !== seen.holder || now.beats !== seen.beats || this.isOwn(now.holder)
      silentMs = lives ? 0 : silentMs + Math.min(performance.now() - before, MOST_COUNTED_MS)
      if (silentMs >= this.leaseMs) return { ended: false, silent: now }
      seen = now
      lookMs = Math.min(lookMs * 2, LONGEST_LOOK_MS)
    } while (watch.waiting > 0)
    return { ended: true }
  }
}
