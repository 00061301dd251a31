import type { BackOff, OpenTransaction, WorkKindName } from '@vidimus/core-types'
import type { HeldWork } from './held-work.js'
import type { Postponed, WorkEnd, WorkItem } from './work-rows.js'

/** What one pass through an item has come to. */
export interface WorkOutcome extends WorkEnd {
  /** whether it had an effect, for those who count */
  isDone: boolean
}

/** Work of one kind: what is done with an item, and within which bounds. Everything else is the same for all kinds. */
export interface WorkKind {
  name: WorkKindName
  /** items that a process works on at the same time, and of these of one owner */
  most: number
  share: number
  /** how long a claim lasts, which is extended while the work lasts; a dead process is noticed earlier; default: a minute */
  leaseMs?(item: WorkItem): number
  /** when a failed attempt is repeated; default: after a second to five minutes */
  retry?(item: WorkItem): BackOff
  /** an item may take minutes: a process claims no more than it works on, and leaves the others to other processes */
  isLong?: boolean
  /** what an item is sent to, such as a host, and how many of a process may be under way to the same one */
  target?: { of: (item: WorkItem) => string; most: number }
  /** how long work under way may take once the process stops, before it is given back; default: ten seconds */
  graceMs?: number
  /** it has deadlines: while it is behind, other kinds work on one item at a time */
  isUrgent?: boolean
  /**
   * What must be there before any item, such as the target; tried again after a failure. Cheap, as it is asked before each claim.
   */
  prepare?(): Promise<unknown>
  /** Whether nothing at all can be done for now: then other items are left as they are. */
  isObstacle?(error: unknown): boolean
  /**
   * Does the work, and says how the item goes on, unless the transaction of the effect has settled it.
   *
   * @throws if it must be repeated
   */
  handle(held: HeldWork): Promise<WorkOutcome>
  /** Logs and counts a failed attempt. */
  onFailure(error: unknown, item: WorkItem): void
  /** What is stored together with the back-off. */
  noteFailure?(transaction: OpenTransaction, error: unknown, postponed: Postponed): Promise<void>
  /** default: that of the system */
  clock?(): Date
}
