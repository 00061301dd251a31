import { sql, type Sql } from '@vidimus/database'
import type { ResourceQuery } from '@vidimus/ledger'

/**
 * The end of a statement that looks for the newest version among those of one name and type, as "v": a look into the one
 * index for what is asked, whatever the values are and however many versions there are.
 *
 * What chooses the version is bounded from both sides and leads the order, where an equal sign would say the same: a plan
 * for any values, as PostgreSQL makes it for prepared statements, takes that for a reason to go through the versions by
 * their time.
 */
export function newestThatFits({
  checksum,
  version,
  before,
}: Pick<ResourceQuery, 'checksum' | 'version' | 'before'>): Sql {
  const time = before?.toISOString()
  if (checksum !== undefined) {
    const label = version === undefined ? sql`` : sql`AND "v"."version" = ${version}`
    return sql`${label} ${newestOf(sql`"v"."checksum"`, checksum, time)}`
  }
  // Versions without a name of their own, which nearly all are, are not in the index by name: the statement says so as well.
  if (version) return sql`AND "v"."version" <> '' ${newestOf(sql`"v"."version"`, version, time)}`
  const label = version === undefined ? sql`` : sql`AND "v"."version" = ''`
  const earlier = time === undefined ? sql`` : sql`AND "v"."created" < ${time}`
  return sql`${label} ${earlier} ORDER BY "v"."created" DESC LIMIT 1`
}

function newestOf(column: Sql, value: string, before: string | undefined): Sql {
  const end =
    before === undefined
      ? sql`${column} <= ${value}`
      : sql`(${column}, "v"."created") < (${value}, ${before})`
  return sql`AND ${column} >= ${value} AND ${end} ORDER BY ${column} DESC, "v"."created" DESC LIMIT 1`
}
