import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * The owners of document and resource versions, and their kinds for quotas. Existing versions belong to the account
 * that holds their DID, to the oldest holder if there are several, and are counted here.
 */
export class ShareLedgerStorage1796500000311 implements MigrationInterface {
  readonly name = 'ShareLedgerStorage1796500000311'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of COLUMNS) await queryRunner.query(statement)
    await compareTextByBytes(queryRunner, ['ledger_did_version', 'ledger_resource'])
    // Without accounts the rows have no owner, and nothing is counted.
    if (!(await queryRunner.hasTable('account_tally'))) return
    for (const statement of FILL) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "ledger_resource" DROP COLUMN "counts_as"')
    for (const table of ['ledger_resource', 'ledger_did_version']) {
      await queryRunner.query(`ALTER TABLE "${table}" DROP COLUMN "account_id"`)
    }
    if (!(await queryRunner.hasTable('account_tally'))) return
    await queryRunner.query(
      `DELETE FROM account_tally WHERE kind IN ('ledgerBytes', 'statusLists', 'resources')`,
    )
  }
}

const COLUMNS = [
  `ALTER TABLE "ledger_did_version" ADD COLUMN "account_id" TEXT NOT NULL DEFAULT ''`,
  `ALTER TABLE "ledger_resource" ADD COLUMN "account_id" TEXT NOT NULL DEFAULT ''`,
  `ALTER TABLE "ledger_resource" ADD COLUMN "counts_as" TEXT NOT NULL DEFAULT ''`,
]

/** The types of resources that were status lists until then. */
const LIST_TYPES = `'StatusList2021Revocation', 'StatusList2021Suspension', 'BitstringStatusListCredential',
  'TokenStatusList'`

const holdingAccount = (did: string) => `COALESCE((SELECT d.account_id FROM account_did d WHERE d.did = ${did}
  AND d.pending = 0 ORDER BY d.created_at, d.account_id LIMIT 1), '')`

const bytesByAccount = (
  column: string,
  from: string,
) => `SELECT r."account_id", OCTET_LENGTH(${column}) AS bytes
  FROM ${from}`
const joined = (table: string) => `"${table}" c JOIN "ledger_resource" r ON r."network" = c."network"
  AND r."collection_id" = c."collection_id" AND r."id" = c."id"`

const FILL = [
  'CREATE INDEX account_did_of_ledger ON account_did (did)',
  `UPDATE "ledger_did_version" SET "account_id" = ${holdingAccount('"ledger_did_version"."did"')}`,
  `UPDATE "ledger_resource" SET
    "account_id" = ${holdingAccount(`'did:cheqd:' || "network" || ':' || "collection_id"`)},
    "counts_as" = CASE WHEN "type" NOT IN (${LIST_TYPES}) THEN 'resources'
      WHEN "previous_version_id" = '' THEN 'statusLists' ELSE '' END`,
  'DROP INDEX account_did_of_ledger',
  `INSERT INTO account_tally (account_id, kind, n) SELECT "account_id", "counts_as", COUNT(*)
    FROM "ledger_resource" WHERE "account_id" <> '' AND "counts_as" <> '' GROUP BY "account_id", "counts_as"`,
  `INSERT INTO account_tally (account_id, kind, n) SELECT s."account_id", 'ledgerBytes', SUM(s.bytes) FROM (
    ${bytesByAccount('r."doc"', '"ledger_did_version" r')}
    UNION ALL ${bytesByAccount('r."also_known_as"', '"ledger_resource" r')}
    UNION ALL ${bytesByAccount('c."data"', joined('ledger_resource_data'))}
    UNION ALL ${bytesByAccount('c."delta"', joined('ledger_resource_delta'))}
  ) s WHERE s."account_id" <> '' GROUP BY s."account_id"`,
]
