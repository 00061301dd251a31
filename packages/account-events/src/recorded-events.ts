import { AgentError, type NewAccountEvent } from '@vidimus/core-types'
import type { Database } from '@vidimus/database'
import { insertAccountEvent } from './event-rows.js'

interface Waiting {
  accountId: string
  event: NewAccountEvent
  time: string
}

/** Events that wait for a database that cannot be written to; what comes beyond them is lost, and counted. */
const MOST_WAITING = 10_000

/** Stores events of what happened elsewhere; what cannot be stored now is kept, in order, and stored later. */
export class RecordedEvents {
  private waiting: Waiting[] = []
  private lost = 0
  private failing = false
  private writing: Promise<void> = Promise.resolve()

  constructor(private readonly database: Database) {}

  record(accountId: string, event: NewAccountEvent, time: string): Promise<void> {
    if (this.waiting.length < MOST_WAITING) this.waiting.push({ accountId, event, time })
    else this.lost += 1
    return this.flush()
  }

  /** Stores what waits. Never rejects. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.writeWaiting())
    return this.writing
  }

  /** @throws AgentError `unavailable`, saying how many events wait */
  mustBeStored(): void {
    if (!this.failing && this.lost === 0) return
    const message = `${this.waiting.length} events could not be written yet, ${this.lost} are lost`
    throw new AgentError('unavailable', message)
  }

  /** Events of the same moment share a transaction. */
  private async writeWaiting(): Promise<void> {
    const events = this.waiting
    if (events.length === 0) return
    this.waiting = []
    try {
      await this.database.write(async (connection) => {
        for (const { accountId, event, time } of events) {
          await insertAccountEvent(connection, accountId, event, time)
        }
      })
      this.failing = false
    } catch {
      this.failing = true
      // They come before what was added meanwhile.
      this.waiting = [...events, ...this.waiting]
    }
  }
}
