import { LAST_TIME_MS } from '@vidimus/core-types'
import { joinSql, sql, type Connection, type Reader, type Sql } from '@vidimus/database'

/** What identifies an item: what is done in order shares one. */
export interface WorkKey {
  /** of its cause, so that adding it costs no second server */
  home: number
  key: string
}

export interface NewWork extends WorkKey {
  /** whose share it takes: an account, or a DID where any of its holders will do */
  owner: string
  dueAt: Date
  /** when the change happened that it is for; absent: it is scheduled */
  since?: Date
  payload?: string
  /** the process that is at it from the beginning */
  holder?: string
}

/** An item as it was read. */
export interface WorkItem extends Omit<NewWork, 'dueAt'> {
  attempts: number
  revision: number
  fence: number
}

/** How an item goes on: it is deleted, unless it is due again, or a change has asked for it since it was claimed. */
export interface WorkEnd {
  again?: { dueAt: Date; since?: Date; payload?: string }
  /** its payload if a change has asked for it meanwhile: then it is due at once */
  askedPayload?: string
}

let lastNumber = 0

/**
 * The number that an item begins with: time in microseconds, and never the same twice in a process. So a deleted item does not return
 * with a number that somebody still has, unless another process adds it, which is another holder then.
 */
export const newNumber = (now: Date): number => (lastNumber = Math.max(lastNumber + 1, now.getTime() * 1000))

const COLUMNS = sql`home, kind, key, owner, due_at, since, revision, fence, attempts, payload, holder`

const values = (
  kind: string,
  { home, key, owner, dueAt, since, payload, holder }: NewWork,
  number: number,
): Sql =>
  sql`(${home}, ${kind}, ${key}, ${owner}, ${dueAt.toISOString()}, ${since?.toISOString() ?? null}, ${number}, ${number}, 0,
    ${payload ?? null}, ${holder ?? null})`

/** When a paused item is due. */
export const NEVER = new Date(LAST_TIME_MS)
export const NEVER_AT = NEVER.toISOString()

/** Adds an item, unless there is one. */
export const insertWork = (kind: string, item: NewWork, now: Date): Sql =>
  sql`INSERT INTO work_item (${COLUMNS}) VALUES ${values(kind, item, newNumber(now))} ON CONFLICT (home, kind, key) DO NOTHING`

/** Adds an item that is held; one that is there already is of work that has ended. */
export const insertHeld = (kind: string, item: NewWork, number: number): Sql =>
  sql`INSERT INTO work_item (${COLUMNS}) VALUES ${values(kind, item, number)} ON CONFLICT (home, kind, key) DO UPDATE SET
    fence = excluded.fence, revision = excluded.revision, holder = excluded.holder, due_at = excluded.due_at, attempts = 0,
    failure = NULL WHERE work_item.fence < excluded.fence`

const ASKED = sql`revision = CASE WHEN excluded.revision > work_item.revision THEN excluded.revision ELSE work_item.revision + 1 END`

/** Adds an item, or asks for it again, which counts for whoever is at it, and keeps its back-off, and its pause; otherwise it is due no later. */
export const askForWork = (kind: string, item: NewWork, now: Date): Sql =>
  sql`INSERT INTO work_item (${COLUMNS}) VALUES ${values(kind, item, newNumber(now))} ON CONFLICT (home, kind, key) DO UPDATE SET ${ASKED},
    due_at = CASE WHEN work_item.holder IS NULL AND work_item.attempts = 0 AND work_item.due_at < ${NEVER_AT}
      AND excluded.due_at < work_item.due_at THEN excluded.due_at ELSE work_item.due_at END`

/** As {@link askForWork}; an item that nobody is at is due then, as if it had neither failed nor been paused. */
export const resumeWork = (kind: string, item: NewWork, now: Date): Sql =>
  sql`INSERT INTO work_item (${COLUMNS}) VALUES ${values(kind, item, newNumber(now))} ON CONFLICT (home, kind, key) DO UPDATE SET ${ASKED},
    attempts = 0, failure = NULL, due_at = CASE WHEN work_item.holder IS NULL THEN excluded.due_at ELSE work_item.due_at END`

/** One that waits for a later time is due then, and has been since then. */
export const hastenWork = (kind: string, { home, key }: WorkKey, at: Date): Sql =>
  sql`UPDATE work_item SET fence = fence + 1, due_at = ${at.toISOString()}, since = ${at.toISOString()}
    WHERE home = ${home} AND kind = ${kind} AND key = ${key} AND holder IS NULL AND since > ${at.toISOString()}`

export const deleteWork = (kind: string, { home, key }: WorkKey): Sql =>
  sql`DELETE FROM work_item WHERE home = ${home} AND kind = ${kind} AND key = ${key}`

/** Deletes it, whoever has claimed it since, but no item that was added or asked for anew. */
export const dropWork = (kind: string, { home, key, revision }: WorkItem): Sql =>
  sql`DELETE FROM work_item WHERE home = ${home} AND kind = ${kind} AND key = ${key} AND revision = ${revision}`

/** When the next item of each kind is due, or a claim of it ends. */
export async function nextDue(reader: Reader, kinds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const parts = kinds.map(
    (kind) =>
      sql`SELECT CAST(${kind} AS TEXT) AS kind, MIN(due_at) AS due_at FROM work_item WHERE kind = ${kind}`,
  )
  const rows = await reader.query<{ kind: string; due_at: string | null }>(joinSql(parts, ' UNION ALL '))
  return new Map(rows.flatMap(({ kind, due_at: at }) => (at === null ? [] : [[kind, new Date(at)] as const])))
}

export interface WorkRow {
  home: number
  key: string
  owner: string
  since: string | null
  revision: number | string
  fence: number | string
  attempts: number
  payload: string | null
  holder: string | null
}

export const toItem = ({ since, revision, fence, payload, holder, ...row }: WorkRow): WorkItem => ({
  ...row,
  ...(since !== null && { since: new Date(since) }),
  ...(payload !== null && { payload }),
  ...(holder !== null && { holder }),
  revision: Number(revision),
  fence: Number(fence),
})

export const READ = sql`home, key, owner, since, revision, fence, attempts, payload, holder`

/** Items that are due, the earliest first, none of these owners, and none with these keys. */
export async function dueWork(
  reader: Reader,
  kind: string,
  {
    now,
    except,
    passed = [],
    most,
  }: { now: Date; except: readonly string[]; passed?: readonly string[]; most: number },
): Promise<WorkItem[]> {
  const others = except.length > 0 ? sql`AND owner NOT IN (${joinSql([...except])})` : sql``
  const further = passed.length > 0 ? sql`AND key NOT IN (${joinSql([...passed])})` : sql``
  const rows = await reader.query<WorkRow>(
    sql`SELECT ${READ} FROM work_item WHERE kind = ${kind} AND due_at <= ${now.toISOString()} ${others} ${further}
      ORDER BY due_at LIMIT ${most}`,
  )
  return rows.map(toItem)
}

export async function findWork(
  reader: Reader,
  kind: string,
  { home, key }: WorkKey,
): Promise<(WorkItem & { dueAt: Date }) | undefined> {
  const [row] = await reader.query<WorkRow & { due_at: string }>(
    sql`SELECT ${READ}, due_at FROM work_item WHERE home = ${home} AND kind = ${kind} AND key = ${key}`,
  )
  if (!row) return undefined
  const { due_at: dueAt, ...item } = row
  return { ...toItem(item), dueAt: new Date(dueAt) }
}

/** The items as whoever has read or claimed them knows them. */
const areItems = (kind: string, items: readonly Pick<WorkItem, 'home' | 'key' | 'fence' | 'holder'>[]): Sql =>
  joinSql(
    items.map(({ home, key, fence, holder }) => {
      const isSame = holder === undefined ? sql`holder IS NULL` : sql`holder = ${holder}`
      return sql`(home = ${home} AND kind = ${kind} AND key = ${key} AND fence = ${fence} AND ${isSame})`
    }),
    ' OR ',
  )

/** @returns those that no other process has claimed, with the numbers of this claim */
export async function claimWork(
  connection: Connection,
  kind: string,
  items: readonly WorkItem[],
  { holder, until }: { holder: string; until: Date },
): Promise<WorkItem[]> {
  const rows = await connection.query<WorkRow>(
    sql`UPDATE work_item SET fence = fence + 1, holder = ${holder}, due_at = ${until.toISOString()}
      WHERE ${areItems(kind, items)} RETURNING ${READ}`,
  )
  return rows.map(toItem)
}

/** @returns the keys of those that this process still holds */
export async function extendClaims(
  connection: Connection,
  kind: string,
  items: readonly WorkItem[],
  until: Date,
): Promise<WorkKey[]> {
  return connection.query<WorkKey>(
    sql`UPDATE work_item SET due_at = ${until.toISOString()} WHERE ${areItems(kind, items)} RETURNING home, key`,
  )
}

/** Whether no other process has claimed it, and none does before the end of the transaction. */
export async function isHeld(connection: Connection, kind: string, item: WorkItem): Promise<boolean> {
  const held = await connection.run(sql`UPDATE work_item SET fence = fence WHERE ${areItems(kind, [item])}`)
  return held > 0
}

/** Whether it is held still, as {@link isHeld}; what failed before is over. */
export async function continueWork(connection: Connection, kind: string, item: WorkItem): Promise<boolean> {
  const held = await connection.run(
    sql`UPDATE work_item SET attempts = 0, failure = NULL WHERE ${areItems(kind, [item])}`,
  )
  return held > 0
}

/** For others, from then on. */
export const giveBack = (connection: Connection, kind: string, items: readonly WorkItem[], dueAt: Date) =>
  connection.run(
    sql`UPDATE work_item SET fence = fence + 1, holder = NULL, due_at = ${dueAt.toISOString()} WHERE ${areItems(kind, items)}`,
  )

/**
 * @param begun - when the work began, before it read anything
 * @returns `lost` if another process has claimed it: nothing is changed; `asked`: it is due again at once
 */
export async function settleWork(
  connection: Connection,
  kind: string,
  item: WorkItem,
  { again, askedPayload, begun }: WorkEnd & { begun: Date },
): Promise<'settled' | 'asked' | 'lost'> {
  const isItem = areItems(kind, [item])
  const isSame = sql`${isItem} AND revision = ${item.revision}`
  const settled = await connection.run(
    again
      ? sql`UPDATE work_item SET ${FREE}, due_at = ${again.dueAt.toISOString()}, ${again.since ? sql`since = ${again.since.toISOString()},` : sql``}
          payload = ${again.payload ?? null} WHERE ${isSame}`
      : sql`DELETE FROM work_item WHERE ${isSame}`,
  )
  if (settled > 0) return 'settled'
  const time = begun.toISOString()
  const asked = await connection.run(
    sql`UPDATE work_item SET ${FREE}, due_at = ${time}, since = ${time}, payload = ${askedPayload ?? null} WHERE ${isItem}`,
  )
  return asked > 0 ? 'asked' : 'lost'
}

const FREE = sql`fence = fence + 1, holder = NULL, attempts = 0, failure = NULL`

/** How a failed attempt is repeated. */
export interface Postponed {
  /** so far, without a success between them */
  failures: number
  until: Date
}

/**
 * After a failed attempt.
 *
 * @param until - by the number of failures so far
 * @returns `undefined` if another process has claimed it
 */
export async function postponeWork(
  connection: Connection,
  kind: string,
  item: WorkItem,
  { until, failure }: { until: (failures: number) => Date; failure: string },
): Promise<Postponed | undefined> {
  const isItem = areItems(kind, [item])
  // Parts of its effect may have ended what had failed before.
  const [now] = await connection.query<{ attempts: number }>(
    sql`SELECT attempts FROM work_item WHERE ${isItem}`,
  )
  if (!now) return undefined
  const failures = now.attempts + 1
  const dueAt = until(failures)
  const postponed = await connection.run(
    sql`UPDATE work_item SET fence = fence + 1, holder = NULL, attempts = ${failures}, failure = ${failure},
      due_at = ${dueAt.toISOString()} WHERE ${isItem}`,
  )
  return postponed > 0 ? { failures, until: dueAt } : undefined
}

/** Processes that hold items, and of which kinds. */
export const holders = (reader: Reader): Promise<{ holder: string; kind: string }[]> =>
  reader.query(sql`SELECT DISTINCT holder, kind FROM work_item WHERE holder IS NOT NULL`)

/** What a process that is gone has held of a kind is due. */
export const releaseHolder = (
  connection: Connection,
  holder: string,
  kind: string,
  now: Date,
): Promise<number> =>
  connection.run(
    sql`UPDATE work_item SET fence = fence + 1, holder = NULL, due_at = ${now.toISOString()}
      WHERE kind = ${kind} AND holder = ${holder}`,
  )
