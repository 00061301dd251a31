import { randomUUID } from 'node:crypto'
import { runInMigration, sql } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Assigns the keys and DIDs of a database filled by Veramo's own stores to an account named `default`. They keep
 * their names in Veramo's tables. Identifiers without a provider are parties of stored credentials, not managed DIDs,
 * and are left out.
 */
export class AdoptVeramoRows1767225600001 implements MigrationInterface {
  readonly name = 'AdoptVeramoRows1767225600001'

  async up(queryRunner: QueryRunner): Promise<void> {
    if (!(await hasRows(queryRunner))) return
    const account = randomUUID()
    const now = new Date().toISOString()
    await runInMigration(
      queryRunner,
      sql`INSERT INTO account (id, name, created_at) VALUES (${account}, 'default', ${now})`,
    )
    await adoptKeys(queryRunner, account, now)
    await adoptIdentifiers(queryRunner, account, now)
  }

  async down(): Promise<void> {
    // The rows were never changed; the tables that this fills are dropped by the previous migration.
  }
}

async function hasRows(queryRunner: QueryRunner): Promise<boolean> {
  const [found] = await runInMigration<{ total: number | string }>(
    queryRunner,
    sql`SELECT (SELECT COUNT(*) FROM "key") + (SELECT COUNT(*) FROM "private-key") +
      (SELECT COUNT(*) FROM identifier WHERE provider IS NOT NULL) AS total`,
  )
  return Number(found?.total ?? 0) > 0
}

async function adoptKeys(queryRunner: QueryRunner, account: string, now: string): Promise<void> {
  await runInMigration(
    queryRunner,
    sql`INSERT INTO account_key (account_id, kid, stored_kid, alias, created_at)
      SELECT CAST(${account} AS TEXT), kid, kid, NULL, CAST(${now} AS TEXT) FROM "key"`,
  )
  await runInMigration(
    queryRunner,
    sql`INSERT INTO account_private_key (account_id, alias, stored_alias)
      SELECT CAST(${account} AS TEXT), alias, alias FROM "private-key"`,
  )
}

async function adoptIdentifiers(queryRunner: QueryRunner, account: string, now: string): Promise<void> {
  const identifiers = await runInMigration<{ did: string; alias: string | null; provider: string }>(
    queryRunner,
    sql`SELECT did, alias, provider FROM identifier WHERE provider IS NOT NULL ORDER BY "saveDate", did`,
  )
  const taken = new Set<string>()
  for (const { did, alias, provider } of identifiers) {
    const free = alias ? freeAlias(alias, provider, taken) : null
    await runInMigration(
      queryRunner,
      sql`INSERT INTO account_did (account_id, did, stored_did, alias, version, pending, created_at)
        VALUES (${account}, ${did}, ${did}, ${free}, 1, 0, ${now})`,
    )
  }
  await runInMigration(
    queryRunner,
    sql`INSERT INTO account_did_key (account_id, did, kid, position)
      SELECT d.account_id, d.did, k.kid, 0 FROM "key" k JOIN account_did d ON d.stored_did = k."identifierDid"`,
  )
  await runInMigration(
    queryRunner,
    sql`INSERT INTO account_service (account_id, did, id, stored_id, position)
      SELECT d.account_id, d.did, s.id, s.id, 0 FROM service s
      JOIN account_did d ON d.stored_did = s."identifierDid"`,
  )
}

/** Veramo's alias is unique for each provider, ours for the account: the oldest DID keeps it as it is. */
function freeAlias(alias: string, provider: string, taken: Set<string>): string {
  const candidates = [alias, `${alias} (${provider})`]
  const free = candidates.find((candidate) => !taken.has(candidate)) ?? `${alias} (${randomUUID()})`
  taken.add(free)
  return free
}
