import { joinSql, sql, takeSample, type Database, type Sample } from '@vidimus/database'

/** API keys in use that have one of the groups, and none of the scopes that were part of it once. */
export const withoutRights = (
  database: Pick<Database, 'query'>,
  groups: readonly string[],
  lacking: readonly string[],
): Promise<Sample> => {
  const named = (scope: string) => sql`k.scopes LIKE ${`%"${scope}"%`}`
  return takeSample(
    database,
    sql`FROM api_key k WHERE k.revoked_at IS NULL
      AND (k.expires_at IS NULL OR k.expires_at > ${new Date().toISOString()})
      AND (${joinSql(groups.map(named), ' OR ')}) AND NOT (${joinSql(lacking.map(named), ' OR ')})`,
    sql`k.id`,
  )
}
