import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Height and time are counted for each DID; before, they were in a row that every message of a network wrote.
 * Existing DIDs continue from their newest version. The list of all messages, which nothing read, is dropped.
 */
export class CountBlocksOfDids1796600000400 implements MigrationInterface {
  readonly name = 'CountBlocksOfDids1796600000400'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement)
    await compareTextByBytes(queryRunner, ['ledger_did'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement)
    await compareTextByBytes(queryRunner, ['ledger_tx'])
  }
}

/** `''` as a time is before all others. */
const UP = [
  `ALTER TABLE "ledger_did" ADD COLUMN "height" BIGINT NOT NULL DEFAULT 0`,
  `ALTER TABLE "ledger_did" ADD COLUMN "last_time" TEXT NOT NULL DEFAULT ''`,
  `UPDATE "ledger_did" SET "height" = "v"."height", "last_time" = "v"."last_time" FROM (
    SELECT "network", "did", MAX("height") AS "height", MAX("time") AS "last_time" FROM (
      SELECT "network", "did", "height", COALESCE("updated", "created") AS "time" FROM "ledger_did_version"
      UNION ALL SELECT "network", 'did:cheqd:' || "network" || ':' || "collection_id", "height", "created"
        FROM "ledger_resource"
    ) "each" GROUP BY "network", "did"
  ) "v" WHERE "v"."network" = "ledger_did"."network" AND "v"."did" = "ledger_did"."did"`,
  'DROP TABLE "ledger_tx"',
]

const DOWN = [
  `CREATE TABLE "ledger_tx" (
    "network" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "height" BIGINT NOT NULL,
    "time" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "did" TEXT NOT NULL,
    PRIMARY KEY ("network", "hash"),
    UNIQUE ("network", "height")
  )`,
  'ALTER TABLE "ledger_did" DROP COLUMN "last_time"',
  'ALTER TABLE "ledger_did" DROP COLUMN "height"',
]
