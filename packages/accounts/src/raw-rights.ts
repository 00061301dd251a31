import { takeSample, sql, type Database, type Sample } from '@vidimus/database'

/** API keys in use that are limited to key pairs or credentials, and may neither sign raw data nor delete keys. */
export const withoutRawRights = (database: Pick<Database, 'query'>): Promise<Sample> =>
  takeSample(
    database,
    sql`FROM api_key k WHERE k.revoked_at IS NULL
      AND (k.expires_at IS NULL OR k.expires_at > ${new Date().toISOString()})
      AND (k.scopes LIKE ${'%"keys"%'} OR k.scopes LIKE ${'%"credentials"%'})
      AND k.scopes NOT LIKE ${'%"signing"%'} AND k.scopes NOT LIKE ${'%"key-deletion"%'}`,
    sql`k.id`,
  )
