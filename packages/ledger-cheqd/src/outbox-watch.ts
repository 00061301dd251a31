import { outsideOfRequests } from '@vidimus/core-types'
import type { Outcome } from './outbox-message.js'
import type { OutboxRows } from './outbox-rows.js'

type Listener = (outcome: Outcome) => void

/**
 * Notifies callers of the outcome of their messages: at once if this process has sent them, otherwise by polling the
 * table, once for all of them.
 */
export class OutboxWatch {
  private readonly listeners = new Map<string, Listener>()
  private timer: NodeJS.Timeout | undefined

  constructor(
    private readonly rows: OutboxRows,
    private readonly everyMs: number,
  ) {}

  /** @returns how to stop waiting */
  wait(id: string, listener: Listener): () => void {
    this.listeners.set(id, listener)
    this.timer ??= this.schedule()
    return () => this.listeners.delete(id)
  }

  tell(outcomes: ReadonlyMap<string, Outcome>): void {
    for (const [id, outcome] of outcomes) {
      const listener = this.listeners.get(id)
      this.listeners.delete(id)
      listener?.(outcome)
    }
  }

  private schedule(): NodeJS.Timeout {
    // One poll for all that wait.
    return outsideOfRequests(() => setTimeout(() => void this.look(), this.everyMs)).unref()
  }

  private async look(): Promise<void> {
    try {
      this.tell(await this.rows.outcomes([...this.listeners.keys()]))
    } catch {
      // A database that is away may be back next time; callers have their own time limit.
    }
    this.timer = this.listeners.size > 0 ? this.schedule() : undefined
  }
}
