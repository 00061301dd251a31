import { randomUUID } from 'node:crypto'
import { compareTextByBytes, runInMigration, sql } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'
import { isOwnPublicKey, readsLikePublicKey } from '../key-names.js'
import { scopedName } from '../unit.js'

/**
 * Keys whose name reads like the public key of another get their own as their name, and are found by it. References
 * to such a key follow. Their private halves stay sealed under the former name, which `sealed_as` keeps until the
 * next start re-seals them: a migration has no secret.
 */
export class NameKeysByThemselves1795910400010 implements MigrationInterface {
  readonly name = 'NameKeysByThemselves1795910400010'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX key_public_key ON "key" ("publicKeyHex")')
    await queryRunner.query('ALTER TABLE account_private_key ADD COLUMN sealed_as TEXT')
    await compareTextByBytes(queryRunner, ['account_private_key'])
    const keys = await misnamedKeys(queryRunner)
    // Names may go round in a circle: all are free before the first is taken.
    const renamed = keys.map((key) => ({ ...key, meanwhile: `renamed ${randomUUID()}` }))
    for (const key of renamed) {
      await rename(queryRunner, key.account_id, { from: key.kid, to: key.meanwhile, sealedAs: key.kid })
    }
    for (const { account_id: account, meanwhile, publicKeyHex } of renamed) {
      const to = publicKeyHex.toLowerCase()
      if (await isTaken(queryRunner, account, to)) await replaceBy(queryRunner, account, meanwhile, to)
      else await rename(queryRunner, account, { from: meanwhile, to })
    }
  }

  /** Names stay as they are: the former ones are not known any more. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE account_private_key DROP COLUMN sealed_as')
    await queryRunner.query('DROP INDEX key_public_key')
  }
}

interface NamedKey {
  account_id: string
  kid: string
  publicKeyHex: string
}

interface Renaming {
  from: string
  to: string
  /** the name that the private half is sealed under; absent: as it was */
  sealedAs?: string
}

async function misnamedKeys(queryRunner: QueryRunner): Promise<NamedKey[]> {
  const candidates = await runInMigration<NamedKey>(
    queryRunner,
    sql`SELECT a.account_id, a.kid, k."publicKeyHex" AS "publicKeyHex"
      FROM account_key a JOIN "key" k ON k.kid = a.stored_kid
      WHERE LENGTH(a.kid) BETWEEN 64 AND 132 AND LOWER(a.kid) <> LOWER(k."publicKeyHex")
      ORDER BY a.account_id, a.created_at, a.kid`,
  )
  return candidates.filter(
    ({ kid, publicKeyHex }) => readsLikePublicKey(kid) && !isOwnPublicKey(kid, publicKeyHex),
  )
}

async function isTaken(queryRunner: QueryRunner, account: string, kid: string): Promise<boolean> {
  const rows = await runInMigration(
    queryRunner,
    sql`SELECT kid FROM account_key WHERE account_id = ${account} AND kid = ${kid}`,
  )
  return rows.length > 0
}

/** Rows that refer to others by name cannot follow a name that changes: a new row takes the place of the old one. */
async function rename(
  queryRunner: QueryRunner,
  account: string,
  { from, to, sealedAs }: Renaming,
): Promise<void> {
  const stored = scopedName(account, to)
  await runInMigration(
    queryRunner,
    sql`UPDATE "key" SET kid = ${stored} WHERE kid IN
      (SELECT stored_kid FROM account_key WHERE account_id = ${account} AND kid = ${from})`,
  )
  const [row] = await runInMigration<{ alias: string | null; created_at: string }>(
    queryRunner,
    sql`SELECT alias, created_at FROM account_key WHERE account_id = ${account} AND kid = ${from}`,
  )
  await runInMigration(
    queryRunner,
    sql`UPDATE account_key SET alias = NULL WHERE account_id = ${account} AND kid = ${from}`,
  )
  await runInMigration(
    queryRunner,
    sql`INSERT INTO account_key (account_id, kid, stored_kid, alias, created_at)
      VALUES (${account}, ${to}, ${stored}, ${row?.alias ?? null}, ${row?.created_at ?? ''})`,
  )
  await follow(queryRunner, account, from, to)
  await runInMigration(
    queryRunner,
    sql`DELETE FROM account_key WHERE account_id = ${account} AND kid = ${from}`,
  )
  await runInMigration(
    queryRunner,
    sql`UPDATE "private-key" SET alias = ${stored} WHERE alias IN
      (SELECT stored_alias FROM account_private_key WHERE account_id = ${account} AND alias = ${from})`,
  )
  await runInMigration(
    queryRunner,
    sql`UPDATE account_private_key
      SET alias = ${to}, stored_alias = ${stored}, sealed_as = COALESCE(CAST(${sealedAs ?? null} AS TEXT), sealed_as)
      WHERE account_id = ${account} AND alias = ${from}`,
  )
}

/** The account holds the key under its own name as well: the row of the other name goes. */
async function replaceBy(queryRunner: QueryRunner, account: string, from: string, to: string): Promise<void> {
  await follow(queryRunner, account, from, to)
  await runInMigration(
    queryRunner,
    sql`DELETE FROM "key" WHERE kid IN
      (SELECT stored_kid FROM account_key WHERE account_id = ${account} AND kid = ${from})`,
  )
  await runInMigration(
    queryRunner,
    sql`DELETE FROM account_key WHERE account_id = ${account} AND kid = ${from}`,
  )
  await runInMigration(
    queryRunner,
    sql`DELETE FROM "private-key" WHERE alias IN
      (SELECT stored_alias FROM account_private_key WHERE account_id = ${account} AND alias = ${from})`,
  )
  await runInMigration(
    queryRunner,
    sql`DELETE FROM account_private_key WHERE account_id = ${account} AND alias = ${from}`,
  )
}

/** The references to the key: DIDs, requests that created it, and unfinished creations of DIDs. */
async function follow(queryRunner: QueryRunner, account: string, from: string, to: string): Promise<void> {
  await runInMigration(
    queryRunner,
    sql`DELETE FROM account_did_key WHERE account_id = ${account} AND kid = ${from} AND did IN
      (SELECT did FROM account_did_key WHERE account_id = ${account} AND kid = ${to})`,
  )
  await runInMigration(
    queryRunner,
    sql`UPDATE account_did_key SET kid = ${to} WHERE account_id = ${account} AND kid = ${from}`,
  )
  await runInMigration(
    queryRunner,
    sql`UPDATE idempotent_creation SET kid = ${to} WHERE account_id = ${account} AND kid = ${from}`,
  )
  await runInMigration(
    queryRunner,
    sql`UPDATE identifier SET "controllerKeyId" = ${to} WHERE "controllerKeyId" = ${from} AND did IN
      (SELECT stored_did FROM account_did WHERE account_id = ${account})`,
  )
  const [before, after] = [from, to].map((kid) => JSON.stringify(kid))
  for (const member of ['"kid":', '"controllerKeyId":']) {
    const [old, fresh] = [`${member}${before}`, `${member}${after}`]
    await runInMigration(
      queryRunner,
      sql`UPDATE did_creation SET identifier = REPLACE(identifier, ${old}, ${fresh}) WHERE account_id = ${account}`,
    )
    await runInMigration(
      queryRunner,
      sql`UPDATE undone_did_creation SET identifier = REPLACE(identifier, ${old}, ${fresh})
        WHERE account_id = ${account}`,
    )
  }
}
