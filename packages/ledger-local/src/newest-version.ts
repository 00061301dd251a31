import { sql, type Sql } from '@vidimus/database'
import type { ResourceQuery } from '@vidimus/ledger'

/**
 * The end of a statement that finds the newest version of one name and type, as "v": one look-up in the matching
 * index, whatever the values are and however many versions there are.
 *
 * The selecting columns are bounded from both sides and lead the order, instead of an equal sign: with that, a
 * generic plan, as PostgreSQL makes it for prepared statements, would scan the versions by time.
 */
export function newestThatFits({
  checksum,
  version,
  before,
}: Pick<ResourceQuery, 'checksum' | 'version' | 'before'>): Sql {
  const time = before?.toISOString()
  if (checksum !== undefined) {
    const label = version === undefined ? sql`` : sql`AND "v"."version" = ${version}`
    return sql`${label} ${newestVersion(sql`"v"."checksum"`, checksum, time)}`
  }
  // Unnamed versions, nearly all of them, are not in the index by name: the statement states that as well.
  if (version) return sql`AND "v"."version" <> '' ${newestVersion(sql`"v"."version"`, version, time)}`
  const label = version === undefined ? sql`` : sql`AND "v"."version" = ''`
  const earlier = time === undefined ? sql`` : sql`AND "v"."created" < ${time}`
  return sql`${label} ${earlier} ORDER BY "v"."created" DESC LIMIT 1`
}

function newestVersion(column: Sql, value: string, before: string | undefined): Sql {
  const end =
    before === undefined
      ? sql`${column} <= ${value}`
      : sql`(${column}, "v"."created") < (${value}, ${before})`
  return sql`AND ${column} >= ${value} AND ${end} ORDER BY ${column} DESC, "v"."created" DESC LIMIT 1`
}
