import { hashListId } from '@vidimus/core-types'
import { compareTextByBytes, joinSql, sql, VACUUM_OFTEN } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Lists with https addresses, including existing ones known to this database. */
export class AddressLists1796600000191 implements MigrationInterface {
  readonly name = 'AddressLists1796600000191'

  async up(queryRunner: QueryRunner): Promise<void> {
    const storage = queryRunner.connection.options.type === 'postgres' ? `WITH (${VACUUM_OFTEN})` : ''
    // No reference to "status_list", whose rows are deleted with an account: published lists keep the addresses in
    // credentials.
    await queryRunner.query(`CREATE TABLE "status_list_address" (
      "id" TEXT PRIMARY KEY NOT NULL,
      "did" TEXT NOT NULL,
      "name" TEXT NOT NULL,
      "resource_type" TEXT NOT NULL,
      "url" TEXT,
      "settled" INTEGER NOT NULL
    ) ${storage}`)
    await queryRunner.query(`CREATE INDEX "status_list_address_by_type"
      ON "status_list_address" ("resource_type", "did") WHERE "url" IS NOT NULL`)
    await compareTextByBytes(queryRunner, ['status_list_address'])
    await addressAll(queryRunner, `SELECT "did", "name", "resource_type" AS "type" FROM "status_list"`)
    if (!(await queryRunner.hasTable('ledger_resource_latest'))) return
    await addressAll(
      queryRunner,
      `SELECT 'did:cheqd:' || "network" || ':' || "collection_id" AS "did", "name", "type"
        FROM "ledger_resource_latest" WHERE "type" IN (${LIST_TYPES})`,
    )
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "status_list_address"')
  }
}

/** The resource types of status lists up to this migration. */
const LIST_TYPES = `'StatusList2021Revocation', 'StatusList2021Suspension', 'BitstringStatusListCredential',
  'TokenStatusList'`
/** Lists per statement. */
const TOGETHER = 200

interface NamedRow {
  did: string
  name: string
  type: string
}

async function addressAll(queryRunner: QueryRunner, lists: string): Promise<void> {
  const rows = (await queryRunner.query(lists)) as NamedRow[]
  const dialect = queryRunner.connection.options.type === 'postgres' ? 'postgres' : 'sqlite'
  for (let from = 0; from < rows.length; from += TOGETHER) {
    const values = rows.slice(from, from + TOGETHER).map(({ did, name, type }) => {
      const id = hashListId({ did, statusListName: name, resourceType: type })
      return sql`(${id}, ${did}, ${name}, ${type}, 1)`
    })
    const insert = sql`INSERT INTO "status_list_address" ("id", "did", "name", "resource_type", "settled")
      VALUES ${joinSql(values)} ON CONFLICT ("id") DO NOTHING`
    await queryRunner.query(insert.text(dialect), [...insert.values])
  }
}
