import { outsideOfRequests } from '@vidimus/core-types'

/** When a key was used, and what of that is written. Milliseconds. */
interface Use {
  last: number
  /** the use that is stored */
  stored: number
  /** when it was stored */
  writtenAt: number
}

/** A key is written at most once in this time. */
const BETWEEN_WRITES_MS = 60_000
const TICK_MS = 15_000

/**
 * The last use of API keys, without a write per request: uses are recorded in memory and written in the background,
 * at most once a minute per key. The stored time is at most {@link BETWEEN_WRITES_MS} and a tick late; a killed
 * process loses that much.
 */
export class LastUse {
  private readonly uses = new Map<string, Use>()
  private timer: NodeJS.Timeout | undefined
  private writing: Promise<void> = Promise.resolve()

  /** @param write - must not replace a later time; it is retried if it fails */
  constructor(
    private readonly write: (uses: readonly { id: string; at: Date }[]) => Promise<void>,
    private readonly clock: () => Date,
  ) {}

  /** Costs a look-up; nothing is awaited. */
  note(id: string): void {
    const now = this.clock().getTime()
    const known = this.uses.get(id)
    if (known) {
      known.last = now
      return
    }
    this.uses.set(id, { last: now, stored: -Infinity, writtenAt: -Infinity })
    // The first use shows soon.
    void outsideOfRequests(() => this.flush())
    this.timer ??= outsideOfRequests(() => setInterval(() => void this.flush(), TICK_MS)).unref()
  }

  /** Writes due times. Never rejects. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() =>
      this.writeUses((use, now) => now - use.writtenAt >= BETWEEN_WRITES_MS),
    )
    return this.writing
  }

  /** Writes everything. */
  async close(): Promise<void> {
    clearInterval(this.timer)
    this.timer = undefined
    await this.writing
    await this.writeUses(() => true)
    this.uses.clear()
  }

  private async writeUses(isDue: (use: Use, now: number) => boolean): Promise<void> {
    const now = this.clock().getTime()
    const due = [...this.uses]
      .filter(([, use]) => use.last > use.stored && isDue(use, now))
      .map(([id, { last }]) => ({ id, at: new Date(last) }))
    if (due.length > 0 && !(await this.hasWritten(due))) return
    for (const { id, at } of due) {
      const use = this.uses.get(id)
      if (use) Object.assign(use, { stored: at.getTime(), writtenAt: now })
    }
    this.forgetIdle(now)
  }

  private async hasWritten(due: readonly { id: string; at: Date }[]): Promise<boolean> {
    try {
      await this.write(due)
      return true
    } catch {
      // No request may fail because of this; the next tick tries again.
      return false
    }
  }

  private forgetIdle(now: number): void {
    for (const [id, { last, stored, writtenAt }] of this.uses) {
      if (stored >= last && now - writtenAt >= BETWEEN_WRITES_MS) this.uses.delete(id)
    }
    if (this.uses.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }
}
