import { randomUUID } from 'node:crypto'
import {
  currentAccount,
  type StatusListName,
  type Did,
  LAST_TIME_MS,
  readMemberName,
  type EntryExpiry,
  type HeldMember,
  type StatusListLocation,
  type StoredMember,
} from '@vidimus/core-types'
import { homeOfDid, sql, type Connection, type Reader, type Sql } from '@vidimus/database'
import { workOfList } from './list-row.js'

const DAY_MS = 86_400_000
/** Sorts behind every time. */
const NEVER = 'never'

/** A row of a member, as it is read. */
export interface MemberRow {
  did: Did
  series: StatusListName
  resource_type: string
  member: number | string
  state: StoredMember['state']
  expiry_group: string | null
  last_expiry: string | null
}

export const MEMBER_COLUMNS = sql`"did", "series", "resource_type", "member", "state", "expiry_group", "last_expiry"`

/** The condition for members whose list is published. */
export const PUBLISHED = sql`"state" IN ('ready', 'open', 'full', 'closed')`

/** The condition for the rows of a series, in both tables. */
export const isSeries = ({ did, statusListName, resourceType }: StatusListLocation): Sql =>
  sql`"home" = ${homeOfDid(did)} AND "did" = ${did} AND "series" = ${statusListName}
    AND "resource_type" = ${resourceType}`

export const isMember = (series: StatusListLocation, n: number): Sql =>
  sql`${isSeries(series)} AND "member" = ${n}`

/**
 * Notes that a credential in a list expires then, if the list is a member. The time is rounded up to a day, so that
 * not every credential writes the row. A closed member with a new credential is not closed any more.
 *
 * @returns `undefined` for a list whose name no member has
 */
export function noteExpiry(list: StatusListLocation, expiry: EntryExpiry): Sql | undefined {
  const member = readMemberName(list.statusListName)
  if (!member) return undefined
  const until = expiry === NEVER ? NEVER : endOfDay(expiry)
  return sql`UPDATE "status_list_member" SET "last_expiry" = ${until},
      "state" = CASE WHEN "state" = 'closed' THEN 'full' ELSE "state" END
    WHERE ${isMember({ ...list, statusListName: member.series }, member.n)}
      AND ("last_expiry" IS NULL OR "last_expiry" < ${until})`
}

const endOfDay = (time: string): string =>
  new Date(Math.min(Math.ceil(Date.parse(time) / DAY_MS) * DAY_MS, LAST_TIME_MS)).toISOString()

export const toMember = (row: MemberRow): StoredMember => ({
  series: { did: row.did, statusListName: row.series, resourceType: row.resource_type },
  n: Number(row.member),
  state: row.state,
  ...(row.expiry_group !== null && { group: row.expiry_group }),
  ...(row.last_expiry !== null && { lastExpiry: row.last_expiry }),
})

export async function openMember(
  reader: Reader,
  series: StatusListLocation,
  group: string,
): Promise<number | undefined> {
  const [row] = await reader.query<{ member: number | string }>(
    sql`SELECT "member" FROM "status_list_member"
      WHERE ${isSeries(series)} AND "state" = 'open' AND "expiry_group" = ${group}`,
  )
  return row && Number(row.member)
}

export async function readyMember(reader: Reader, series: StatusListLocation): Promise<number | undefined> {
  const [row] = await reader.query<{ member: number | string }>(
    sql`SELECT "member" FROM "status_list_member" WHERE ${isSeries(series)} AND "state" = 'ready'
      ORDER BY "member" LIMIT 1`,
  )
  return row && Number(row.member)
}

export type NextMember = Pick<HeldMember, 'n' | 'resourceId' | 'isFirst'>

/** One that was begun, or a new one. */
export async function nextMember(
  connection: Connection,
  series: StatusListLocation,
): Promise<NextMember | 'ready' | 'gone'> {
  if ((await readyMember(connection, series)) !== undefined) return 'ready'
  const [last] = await connection.query<{ member: number | string; state: string; resource_id: string }>(
    sql`SELECT "member", "state", "resource_id" FROM "status_list_member" WHERE ${isSeries(series)}
      ORDER BY "member" DESC LIMIT 1`,
  )
  const isFirst = !(await isPublished(connection, series))
  const n = Number(last?.member ?? 0)
  if (last?.state === 'begun') return { n, resourceId: last.resource_id, isFirst }
  const [there] = await connection.query(
    sql`SELECT 1 AS "n" FROM "status_list_series" WHERE ${isSeries(series)}`,
  )
  if (!there) return 'gone'
  const next = { n: n + 1, resourceId: randomUUID(), isFirst }
  await connection.run(insertMember(series, next))
  return next
}

export async function isPublished(reader: Reader, series: StatusListLocation): Promise<boolean> {
  const [one] = await reader.query(
    sql`SELECT 1 AS "n" FROM "status_list_member" WHERE ${isSeries(series)} AND ${PUBLISHED} LIMIT 1`,
  )
  return one !== undefined
}

export const insertMember = (
  { did, statusListName, resourceType }: StatusListLocation,
  { n, resourceId }: Omit<NextMember, 'isFirst'>,
): Sql =>
  sql`INSERT INTO "status_list_member" ("home", "did", "series", "resource_type", "member", "state", "resource_id")
    VALUES (${homeOfDid(did)}, ${did}, ${statusListName}, ${resourceType}, ${n}, 'begun', ${resourceId})`

/** Unless it has ended. */
export const endMember = (series: StatusListLocation, n: number, state: 'ready' | 'taken'): Sql =>
  sql`UPDATE "status_list_member" SET "state" = ${state} WHERE ${isMember(series, n)} AND "state" = 'begun'`

/** The item of a series while its next member is to be published, for the account in scope, of which the members count. */
export const seriesItem = (series: StatusListLocation) => ({
  ...workOfList(series),
  payload: currentAccount().id,
})
