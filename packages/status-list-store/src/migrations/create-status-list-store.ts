import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The lists that data is stored for, and that data. */
export class CreateStatusListStore1795219200000 implements MigrationInterface {
  readonly name = 'CreateStatusListStore1795219200000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`DROP TABLE "${table}"`)
  }
}

/** Tables that refer to others come first. */
const TABLES = [
  'status_list_payment',
  'status_list_key',
  'status_list_taken_index',
  'status_list_order',
  'status_list',
]

const STATEMENTS = [
  // A number replaces the location in the rows of taken indices, of which a list may have millions.
  `CREATE TABLE "status_list" (
    "id" BIGINT PRIMARY KEY NOT NULL,
    "did" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "resource_type" TEXT NOT NULL,
    UNIQUE ("did", "name", "resource_type")
  )`,
  `CREATE TABLE "status_list_order" (
    "list_id" BIGINT PRIMARY KEY NOT NULL REFERENCES "status_list" ("id"),
    "sealed_key" TEXT NOT NULL,
    "entries" BIGINT NOT NULL,
    "position" BIGINT NOT NULL
  )`,
  `CREATE TABLE "status_list_taken_index" (
    "list_id" BIGINT NOT NULL REFERENCES "status_list" ("id"),
    "list_index" BIGINT NOT NULL,
    PRIMARY KEY ("list_id", "list_index")
  )`,
  `CREATE TABLE "status_list_key" (
    "list_id" BIGINT PRIMARY KEY NOT NULL REFERENCES "status_list" ("id"),
    "sealed_key" TEXT NOT NULL,
    "created_at" TEXT NOT NULL
  )`,
  `CREATE TABLE "status_list_payment" (
    "id" TEXT PRIMARY KEY NOT NULL,
    "account_id" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "did" TEXT NOT NULL,
    "list_name" TEXT NOT NULL,
    "resource_type" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "amount" TEXT NOT NULL,
    "state" TEXT NOT NULL CHECK ("state" IN ('begun', 'settled')),
    "holder" TEXT NOT NULL,
    "begun_at" TEXT NOT NULL,
    "tx_hash" TEXT,
    "paid_at" TEXT
  )`,
  // The second writer fails here, whatever process it is in.
  `CREATE UNIQUE INDEX "status_list_payment_begun"
    ON "status_list_payment" ("account_id", "network", "address", "amount") WHERE "state" = 'begun'`,
  `CREATE INDEX "status_list_payment_settled"
    ON "status_list_payment" ("account_id", "network", "address", "amount", "paid_at")
    WHERE "state" = 'settled'`,
]
