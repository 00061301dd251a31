import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Which condition of a list an account paid for and until when the payment is valid, and what accounts spend in a day.
 */
export class LimitListPayments1796300000010 implements MigrationInterface {
  readonly name = 'LimitListPayments1796300000010'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
    await compareTextByBytes(queryRunner, ['status_list_payment', 'status_list_fee_day'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "status_list_fee_day"')
    await queryRunner.query('DROP INDEX "status_list_payment_of_list"')
    for (const column of ['condition_number', 'conditions', 'window_ms', 'counts_until', 'day']) {
      await queryRunner.query(`ALTER TABLE "status_list_payment" DROP COLUMN "${column}"`)
    }
  }
}

const STATEMENTS = [
  // Existing payments were for the only condition that most lists have.
  'ALTER TABLE "status_list_payment" ADD COLUMN "condition_number" BIGINT NOT NULL DEFAULT 0',
  'ALTER TABLE "status_list_payment" ADD COLUMN "conditions" BIGINT NOT NULL DEFAULT 1',
  'ALTER TABLE "status_list_payment" ADD COLUMN "window_ms" BIGINT NOT NULL DEFAULT 0',
  `ALTER TABLE "status_list_payment" ADD COLUMN "counts_until" TEXT NOT NULL DEFAULT ''`,
  `ALTER TABLE "status_list_payment" ADD COLUMN "day" TEXT NOT NULL DEFAULT ''`,
  `CREATE INDEX "status_list_payment_of_list"
    ON "status_list_payment" ("account_id", "network", "did", "list_name", "resource_type", "counts_until")`,
  // One row per account, so that payments of different accounts never contend for a row.
  `CREATE TABLE "status_list_fee_day" (
    "network" TEXT NOT NULL,
    "day" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "ncheq" BIGINT NOT NULL,
    PRIMARY KEY ("network", "day", "account_id")
  )`,
]
