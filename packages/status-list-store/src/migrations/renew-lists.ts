import { compareTextByBytes, homeOfDid, joinSql, sql, VACUUM_OFTEN } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Lists per statement. */
const TOGETHER = 200

/**
 * When lists must be signed again before they expire. Existing lists are read once to find out how long they are valid.
 */
export class RenewLists1796700000570 implements MigrationInterface {
  readonly name = 'RenewLists1796700000570'

  async up(queryRunner: QueryRunner): Promise<void> {
    const storage = queryRunner.connection.options.type === 'postgres' ? `WITH (${VACUUM_OFTEN})` : ''
    await queryRunner.query(`CREATE TABLE "status_list_renewal" (
      "home" INTEGER NOT NULL,
      "did" TEXT NOT NULL,
      "name" TEXT NOT NULL,
      "resource_type" TEXT NOT NULL,
      "span_ms" BIGINT,
      "renew_at" TEXT NOT NULL,
      PRIMARY KEY ("home", "did", "name", "resource_type")
    ) ${storage}`)
    await queryRunner.query(`CREATE INDEX "status_list_renewal_due" ON "status_list_renewal" ("renew_at")`)
    await compareTextByBytes(queryRunner, ['status_list_renewal'])
    await noteAll(queryRunner)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "status_list_renewal"')
  }
}

async function noteAll(queryRunner: QueryRunner): Promise<void> {
  const rows = (await queryRunner.query(
    `SELECT "did", "name", "resource_type" AS "type" FROM "status_list_address"`,
  )) as { did: string; name: string; type: string }[]
  const dialect = queryRunner.connection.options.type === 'postgres' ? 'postgres' : 'sqlite'
  const at = new Date(0).toISOString()
  for (let from = 0; from < rows.length; from += TOGETHER) {
    const values = rows
      .slice(from, from + TOGETHER)
      .map(({ did, name, type }) => sql`(${homeOfDid(did)}, ${did}, ${name}, ${type}, ${at})`)
    const insert = sql`INSERT INTO "status_list_renewal" ("home", "did", "name", "resource_type", "renew_at")
      VALUES ${joinSql(values)} ON CONFLICT ("home", "did", "name", "resource_type") DO NOTHING`
    await queryRunner.query(insert.text(dialect), [...insert.values])
  }
}
