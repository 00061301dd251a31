import type { WorkAction, WorkKindName } from '@vidimus/core-types'
import { sql, type Connection, type Sql } from '@vidimus/database'
import { KIND_ROWS } from './kinds.js'
import type { StoredWork } from './work-pages.js'
import { NEVER_AT, READ, toItem, type WorkItem, type WorkKey, type WorkRow } from './work-rows.js'

/** @returns `false` if it was not possible after all: then the item goes on as before */
type Act = (connection: Connection, item: WorkItem) => Promise<boolean | void> | boolean | void

/** What else changes when somebody acts upon an item of a kind, in the same transaction. Nobody is at the item then. */
export interface WorkActs {
  /** Absent: an item can be paused and resumed only where the row of the kind says so. */
  pause?: Act
  resume?: Act
  /** Absent: an item cannot be cancelled. The item is deleted before. */
  cancel?: Act
  /** Something was done, and is durable; not what an earlier run of a request had done. */
  done?(action: WorkAction): void
  /** Whether nothing can be done with an item any more, beyond trying it again. */
  isFinal?(item: Pick<WorkItem, 'payload'>): boolean
  /**
   * Asked first, in the scope of an account that has one of the rights of the kind.
   *
   * @throws AgentError `forbidden`
   */
  demand?(item: Pick<StoredWork, 'home' | 'key' | 'owner' | 'payload'>): Promise<void> | void
}

/** @param acts - of the owner of the kind; absent: nothing in this installation does such work */
export function mayDo(action: WorkAction, kind: WorkKindName, acts: WorkActs | undefined): boolean {
  const { pauses, cancelledUnlessOwned } = KIND_ROWS[kind]
  if (action === 'retry') return true
  if (action === 'cancel') return acts ? acts.cancel !== undefined : cancelledUnlessOwned === true
  return pauses === true || acts?.[action] !== undefined
}

/** What an action does to an item, which is in no process's hands any more, and in which states it can be done. */
export const ACTS = {
  retry: {
    isPossible: sql`holder IS NULL AND due_at < ${NEVER_AT} AND attempts > 0`,
    change: (now: string) => sql`due_at = ${now}`,
  },
  pause: {
    isPossible: sql`due_at < ${NEVER_AT}`,
    change: () => sql`due_at = ${NEVER_AT}, holder = NULL`,
  },
  resume: {
    isPossible: sql`due_at = ${NEVER_AT}`,
    change: (now: string) => sql`due_at = ${now}, attempts = 0, failure = NULL`,
  },
  cancel: { isPossible: sql`TRUE`, change: undefined },
} satisfies Record<WorkAction, { isPossible: Sql; change: ((now: string) => Sql) | undefined }>

/** @returns the item; `undefined` if there is none, or it is in another state: then nothing is changed */
export async function actUpon(
  connection: Connection,
  action: WorkAction,
  { kind, home, key }: WorkKey & { kind: WorkKindName },
  now: Date,
): Promise<WorkItem | undefined> {
  const { isPossible, change } = ACTS[action]
  const isItem = sql`WHERE home = ${home} AND kind = ${kind} AND key = ${key} AND ${isPossible} RETURNING ${READ}`
  const [row] = await connection.query<WorkRow>(
    change
      ? sql`UPDATE work_item SET fence = fence + 1, ${change(now.toISOString())} ${isItem}`
      : sql`DELETE FROM work_item ${isItem}`,
  )
  return row && toItem(row)
}
