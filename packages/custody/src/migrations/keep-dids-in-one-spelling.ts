import { randomUUID } from 'node:crypto'
import { didAsKept } from '@vidimus/core-types'
import { runInMigration, sql } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * DIDs are stored in the spelling of their ledger: an account that had one in two has it once, with the keys and the
 * alias of both. And DIDs are found whatever account has them.
 */
export class KeepDidsInOneSpelling1795910400020 implements MigrationInterface {
  readonly name = 'KeepDidsInOneSpelling1795910400020'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX account_did_did ON account_did (did)')
    const rows = await runInMigration<DidRow>(
      queryRunner,
      sql`SELECT account_id, did, stored_did, alias, version, pending, created_at FROM account_did
        WHERE did LIKE 'did:cheqd:%' AND did <> LOWER(did) ORDER BY account_id, created_at, did`,
    )
    for (const row of rows) {
      const kept = didAsKept(row.did)
      if (kept === row.did) continue
      if (await has(queryRunner, row.account_id, kept)) await merge(queryRunner, row, kept)
      else await rename(queryRunner, row, kept)
    }
  }

  /** The spellings stay: the former ones are not known any more. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX account_did_did')
  }
}

interface DidRow {
  account_id: string
  did: string
  stored_did: string
  alias: string | null
  version: number
  pending: number
  created_at: string
}

async function has(queryRunner: QueryRunner, account: string, did: string): Promise<boolean> {
  const rows = await runInMigration(
    queryRunner,
    sql`SELECT did FROM account_did WHERE account_id = ${account} AND did = ${did}`,
  )
  return rows.length > 0
}

/** Rows that refer to it by name cannot follow a name that changes: a new row takes the place of the old one. */
async function rename(queryRunner: QueryRunner, row: DidRow, to: string): Promise<void> {
  const { account_id: account, did: from } = row
  await freeNames(queryRunner, row)
  await runInMigration(
    queryRunner,
    sql`INSERT INTO account_did (account_id, did, stored_did, alias, version, pending, created_at)
      VALUES (${account}, ${to}, ${row.stored_did}, ${row.alias}, ${row.version}, ${row.pending}, ${row.created_at})`,
  )
  await moveKeys(queryRunner, row, to)
  for (const table of [sql`account_service`, sql`did_creation`]) {
    await runInMigration(
      queryRunner,
      sql`UPDATE ${table} SET did = ${to} WHERE account_id = ${account} AND did = ${from}`,
    )
  }
  await remove(queryRunner, row)
}

/** The document determines the services: those of the remaining entry will do. */
async function merge(queryRunner: QueryRunner, row: DidRow, kept: string): Promise<void> {
  const { account_id: account, did, stored_did: stored, alias } = row
  await runInMigration(
    queryRunner,
    sql`DELETE FROM service WHERE id IN
      (SELECT stored_id FROM account_service WHERE account_id = ${account} AND did = ${did})`,
  )
  await freeNames(queryRunner, row)
  await moveKeys(queryRunner, row, kept)
  await runInMigration(
    queryRunner,
    sql`UPDATE account_did SET alias = COALESCE(alias, CAST(${alias} AS TEXT)), version = version + 1
      WHERE account_id = ${account} AND did = ${kept}`,
  )
  await remove(queryRunner, row)
  // Rows of an adopted database may be named by stored credentials.
  if (stored !== did) await runInMigration(queryRunner, sql`DELETE FROM identifier WHERE did = ${stored}`)
}

const freeNames = (queryRunner: QueryRunner, { account_id: account, did }: DidRow) =>
  runInMigration(
    queryRunner,
    sql`UPDATE account_did SET alias = NULL, stored_did = ${`renamed ${randomUUID()}`}
      WHERE account_id = ${account} AND did = ${did}`,
  )

async function moveKeys(queryRunner: QueryRunner, { account_id: account, did }: DidRow, to: string) {
  await runInMigration(
    queryRunner,
    sql`DELETE FROM account_did_key WHERE account_id = ${account} AND did = ${did} AND kid IN
      (SELECT kid FROM account_did_key WHERE account_id = ${account} AND did = ${to})`,
  )
  for (const table of [sql`account_did_key`, sql`idempotent_creation`]) {
    await runInMigration(
      queryRunner,
      sql`UPDATE ${table} SET did = ${to} WHERE account_id = ${account} AND did = ${did}`,
    )
  }
}

/** With what still refers to it. */
const remove = (queryRunner: QueryRunner, { account_id: account, did }: DidRow) =>
  runInMigration(queryRunner, sql`DELETE FROM account_did WHERE account_id = ${account} AND did = ${did}`)
