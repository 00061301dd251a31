import {
  type StatusListName,
  type Did,
  LAST_TIME_MS,
  readMemberName,
  type EntryExpiry,
  type StatusListLocation,
  type StoredMember,
} from '@vidimus/core-types'
import { homeOfDid, sql, type Sql } from '@vidimus/database'

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
