import { outsideOfRequests, type AuditActor, type AuditEntry } from '@vidimus/core-types'
import type { AuditRow } from './audit-rows.js'

/** Events of one kind within the minute, beyond the first. */
interface Tally {
  entry: AuditEntry
  actor: AuditActor
  more: number
  time: string
}

const MINUTE_MS = 60_000
/** Kinds of one event that are distinguished per minute; strangers can make up any number. */
const MOST_OF_STRANGERS = 100
/** The same for one account, which others do not affect. */
const MOST_OF_ACCOUNT = 20

/**
 * Counts what strangers can cause at will, so that the trail grows by a bounded number of rows: the first of its kind
 * in a minute is written at once, the others as one row when the minute is over.
 */
export class AuditCounts {
  private readonly tallies = new Map<string, Tally>()
  /** how many kinds there are, by event and account */
  private readonly kinds = new Map<string, number>()
  private endsAt = 0
  private timer: NodeJS.Timeout | undefined

  constructor(
    private readonly write: (row: AuditRow) => void,
    private readonly clock: () => Date,
  ) {}

  add(entry: AuditEntry, actor: AuditActor): void {
    const now = this.clock()
    if (now.getTime() >= this.endsAt) this.endMinute(now)
    const kind = this.kindOf(entry, actor)
    const key = JSON.stringify(kind)
    const known = this.tallies.get(key)
    const time = now.toISOString()
    if (known) {
      known.more += 1
      known.time = time
      return
    }
    this.tallies.set(key, { ...kind, more: 0, time })
    const budget = auditBudget(entry, actor)
    this.kinds.set(budget, (this.kinds.get(budget) ?? 0) + 1)
    const { requestId } = actor
    const first = { ...kind.actor, ...(requestId !== undefined && { requestId }) }
    this.write({ entry: kind.entry, actor: first, time, occurrences: 1 })
  }

  /** Writes the counts so far. */
  close(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.endsAt = 0
    this.writeTallies()
  }

  /** Beyond the most kinds per minute, only the event and the account are recorded. */
  private kindOf(entry: AuditEntry, actor: AuditActor): Pick<Tally, 'entry' | 'actor'> {
    const { requestId: _, ...rest } = actor
    const kind = { entry, actor: rest }
    const most = actor.accountId === undefined ? MOST_OF_STRANGERS : MOST_OF_ACCOUNT
    const used = this.kinds.get(auditBudget(entry, actor)) ?? 0
    if (used < most || this.tallies.has(JSON.stringify(kind))) return kind
    const { event, outcome } = entry
    const { accountId } = actor
    return {
      entry: { event, ...(outcome && { outcome }), detail: 'further ones' },
      actor: accountId === undefined ? {} : { accountId },
    }
  }

  private endMinute(now: Date): void {
    this.writeTallies()
    this.endsAt = now.getTime() + MINUTE_MS
    clearTimeout(this.timer)
    this.timer = outsideOfRequests(() => setTimeout(() => this.close(), MINUTE_MS)).unref()
  }

  private writeTallies(): void {
    for (const { entry, actor, more, time } of this.tallies.values()) {
      if (more > 0) this.write({ entry, actor, time, occurrences: more })
    }
    this.tallies.clear()
    this.kinds.clear()
  }
}

/** No kind of event, and no account, takes the room of another. */
const auditBudget = ({ event }: AuditEntry, { accountId }: AuditActor): string =>
  JSON.stringify([event, accountId ?? null])
