import { compareTextByBytes, VacuumOftenMigration } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Submissions to a cheqd network stay here until their outcome is known: messages, and their pending transactions.
 */
export class CreateCheqdOutbox1795824000070 implements MigrationInterface {
  readonly name = 'CreateCheqdOutbox1795824000070'

  async up(queryRunner: QueryRunner): Promise<void> {
    const binary = queryRunner.connection.options.type === 'postgres' ? 'BYTEA' : 'BLOB'
    for (const statement of tables(binary)) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const pending: unknown = await queryRunner.query(
      `SELECT "id" FROM "cheqd_message" WHERE "state" IN ('queued', 'signed') LIMIT 1`,
    )
    if (Array.isArray(pending) && pending.length > 0) {
      throw new Error('messages to a cheqd network wait for their outcome in the outbox')
    }
    for (const table of ['cheqd_transaction', 'cheqd_message'])
      await queryRunner.query(`DROP TABLE "${table}"`)
  }
}

/** Whose message it is: accounts alternate. */
export class ShareCheqdOutbox1796300000071 implements MigrationInterface {
  readonly name = 'ShareCheqdOutbox1796300000071'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "cheqd_message" ADD COLUMN "account_id" TEXT NOT NULL DEFAULT ''`)
    await compareTextByBytes(queryRunner, ['cheqd_message'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "cheqd_message" DROP COLUMN "account_id"')
  }
}

/** The costs of messages, and the daily spending of accounts. */
export class LimitSpending1796500000312 implements MigrationInterface {
  readonly name = 'LimitSpending1796500000312'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of SPENDING) await queryRunner.query(statement)
    await compareTextByBytes(queryRunner, ['cheqd_message', 'cheqd_spend_day'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "cheqd_spend_day"')
    for (const column of ['day', 'fee']) {
      await queryRunner.query(`ALTER TABLE "cheqd_message" DROP COLUMN "${column}"`)
    }
  }
}

const SPENDING = [
  'ALTER TABLE "cheqd_message" ADD COLUMN "fee" BIGINT NOT NULL DEFAULT 0',
  // `''`: it does not count, or no longer
  `ALTER TABLE "cheqd_message" ADD COLUMN "day" TEXT NOT NULL DEFAULT ''`,
  `CREATE TABLE "cheqd_spend_day" (
    "network" TEXT NOT NULL,
    "day" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "ncheq" BIGINT NOT NULL,
    PRIMARY KEY ("network", "day", "account_id")
  )`,
]

/** The newest block of each chain that anybody has read from: no process goes back behind it. */
export class KeepKnownHeight1796500000430 implements MigrationInterface {
  readonly name = 'KeepKnownHeight1796500000430'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "cheqd_known_height" (
      "network" TEXT NOT NULL,
      "chain_id" TEXT NOT NULL,
      "height" BIGINT NOT NULL,
      "noted_at" TEXT NOT NULL,
      "missed_since" TEXT,
      PRIMARY KEY ("network", "chain_id")
    )`)
    await compareTextByBytes(queryRunner, ['cheqd_known_height'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "cheqd_known_height"')
  }
}

/** What the chain has charged for a message, for callers of other processes. */
export class TellCosts1796500000740 implements MigrationInterface {
  readonly name = 'TellCosts1796500000740'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "cheqd_message" ADD COLUMN "paid" BIGINT')
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "cheqd_message" DROP COLUMN "paid"')
  }
}

/** The transactions that were signed for each payer, by which a restored backup is noticed. */
export class CountSent1797400000680 implements MigrationInterface {
  readonly name = 'CountSent1797400000680'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "cheqd_sent" (
      "network" TEXT NOT NULL,
      "payer" TEXT NOT NULL,
      "mark" TEXT NOT NULL,
      "number" BIGINT NOT NULL,
      "executed" BIGINT NOT NULL,
      PRIMARY KEY ("network", "payer")
    )`)
    await compareTextByBytes(queryRunner, ['cheqd_sent'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "cheqd_sent"')
  }
}

/** Finished rows leave the queue soon, so that most of its rows are dead. */
export class VacuumOutboxOften1796500000514 extends VacuumOftenMigration {
  readonly name = 'VacuumOutboxOften1796500000514'

  protected readonly tables = ['cheqd_message', 'cheqd_spend_day', 'cheqd_transaction']
}

/** The migrations of the cheqd ledger, for the `migrations` of the database. */
export const migrations = [
  CreateCheqdOutbox1795824000070,
  ShareCheqdOutbox1796300000071,
  LimitSpending1796500000312,
  KeepKnownHeight1796500000430,
  VacuumOutboxOften1796500000514,
  TellCosts1796500000740,
  CountSent1797400000680,
]

/** `slot` holds a place that only one message may have at a time, and none when it is finished: NULLs never collide. */
const tables = (binary: string) => [
  `CREATE TABLE "cheqd_message" (
    "id" TEXT PRIMARY KEY,
    "network" TEXT NOT NULL,
    "payer" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "slot" TEXT,
    "expected_previous" TEXT,
    "memo" TEXT NOT NULL,
    "message" ${binary} NOT NULL,
    "state" TEXT NOT NULL,
    "alone" INTEGER NOT NULL,
    "attempts" INTEGER NOT NULL,
    "gas_attempts" INTEGER NOT NULL,
    "tx_hash" TEXT,
    "height" BIGINT,
    "result" ${binary},
    "error" TEXT,
    "queued_at" TEXT NOT NULL,
    "finished_at" TEXT,
    UNIQUE ("network", "slot")
  )`,
  `CREATE INDEX "cheqd_message_by_state" ON "cheqd_message" ("network", "payer", "state", "queued_at", "id")`,
  `CREATE INDEX "cheqd_message_by_subject" ON "cheqd_message" ("network", "subject", "kind")`,
  `CREATE TABLE "cheqd_transaction" (
    "network" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "payer" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "timeout_height" BIGINT NOT NULL,
    "message_ids" TEXT NOT NULL,
    "bytes" ${binary} NOT NULL,
    "signed_at" TEXT NOT NULL,
    PRIMARY KEY ("network", "hash")
  )`,
  `CREATE INDEX "cheqd_transaction_by_payer" ON "cheqd_transaction" ("network", "payer", "sequence")`,
]
