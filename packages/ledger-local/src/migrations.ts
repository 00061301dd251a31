import type { MigrationInterface, QueryRunner } from 'typeorm'
import { CountBlocksOfDids1796600000400 } from './blocks-of-dids-migration.js'
import { AddHomesToLedger1797600000290 } from './homes-migration.js'
import { IndexNamedVersionsAlone1796500000720 } from './named-versions-migration.js'
import { LeadResourceIndicesByName1796300000020 } from './resource-indices-migration.js'
import { ShareLedgerStorage1796500000311 } from './storage-shares-migration.js'
import { CompareLedgerTextByBytes1795824000051 } from './text-by-bytes-migration.js'
import { VacuumLedgerOften1796500000512 } from './vacuum-often-migration.js'

/** `''` means "none" in the columns of version links: NULLs would not collide in a unique constraint. */
export class CreateLedger1763683200000 implements MigrationInterface {
  /** Data that verifiers request again and again. */
  static readonly remembered = [
    'ledger_did',
    'ledger_did_version',
    'ledger_resource',
    'ledger_resource_latest',
  ]

  readonly name = 'CreateLedger1763683200000'

  async up(queryRunner: QueryRunner): Promise<void> {
    const binary = queryRunner.connection.options.type === 'postgres' ? 'BYTEA' : 'BLOB'
    for (const statement of tables(binary)) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`DROP TABLE "${table}"`)
  }
}

/** Money: amounts are in ncheq and text, as no number of every database holds them exactly. */
export class CreateLedgerBank1795219200001 implements MigrationInterface {
  readonly name = 'CreateLedgerBank1795219200001'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of BANK_TABLES) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['ledger_payment', 'ledger_account']) await queryRunner.query(`DROP TABLE "${table}"`)
  }
}

/** Versions of a resource are found by time, version name and content, without reading others. */
export class IndexResourceVersions1763713111000 implements MigrationInterface {
  readonly name = 'IndexResourceVersions1763713111000'

  async up(queryRunner: QueryRunner): Promise<void> {
    const resource = '"network", "collection_id", "name", "type"'
    for (const [index, columns] of Object.entries(INDICES)) {
      await queryRunner.query(`CREATE INDEX "${index}" ON "ledger_resource" (${resource}, ${columns})`)
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const index of Object.keys(INDICES)) await queryRunner.query(`DROP INDEX "${index}"`)
  }
}

/**
 * Content may be stored as a delta to that of a newer version. Deltas have a table of their own: content that shrinks
 * in place leaves its page of the file nearly empty.
 */
export class KeepResourceDeltas1795824000040 implements MigrationInterface {
  readonly name = 'KeepResourceDeltas1795824000040'

  async up(queryRunner: QueryRunner): Promise<void> {
    const binary = queryRunner.connection.options.type === 'postgres' ? 'BYTEA' : 'BLOB'
    await queryRunner.query(`CREATE TABLE "ledger_resource_delta" (
      "network" TEXT NOT NULL,
      "collection_id" TEXT NOT NULL,
      "id" TEXT NOT NULL,
      "base_id" TEXT NOT NULL,
      "delta" ${binary} NOT NULL,
      PRIMARY KEY ("network", "collection_id", "id")
    )`)
    await queryRunner.query(
      `ALTER TABLE "ledger_resource_data" ADD COLUMN "chain_length" INTEGER NOT NULL DEFAULT 0`,
    )
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const deltas: unknown = await queryRunner.query(`SELECT "id" FROM "ledger_resource_delta" LIMIT 1`)
    if (Array.isArray(deltas) && deltas.length > 0) {
      throw new Error('contents of resources are kept as deltas, which the version before cannot read')
    }
    await queryRunner.query(`ALTER TABLE "ledger_resource_data" DROP COLUMN "chain_length"`)
    await queryRunner.query(`DROP TABLE "ledger_resource_delta"`)
  }
}

/** Histories are read page by page, and their length is known; versions of documents are found by their time. */
export class PageHistories1796400000223 implements MigrationInterface {
  readonly name = 'PageHistories1796400000223'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX "ledger_did_version_by_time" ON "ledger_did_version"
        ("network", "did", (COALESCE("updated", "created")))`,
    )
    await queryRunner.query(
      `ALTER TABLE "ledger_resource_latest" ADD COLUMN "versions" INTEGER NOT NULL DEFAULT 1`,
    )
    await queryRunner.query(
      `UPDATE "ledger_resource_latest" SET "versions" = (SELECT COUNT(*) FROM "ledger_resource" "r"
        WHERE "r"."network" = "ledger_resource_latest"."network"
        AND "r"."collection_id" = "ledger_resource_latest"."collection_id"
        AND "r"."name" = "ledger_resource_latest"."name" AND "r"."type" = "ledger_resource_latest"."type")`,
    )
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "ledger_resource_latest" DROP COLUMN "versions"')
    await queryRunner.query('DROP INDEX "ledger_did_version_by_time"')
  }
}

/**
 * The cost of reading a version through deltas is counted; an index lists the versions of all resources of a
 * collection.
 */
export class CountChainCosts1796500000301 implements MigrationInterface {
  readonly name = 'CountChainCosts1796500000301'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "ledger_resource_data" ADD COLUMN "chain_cost" INTEGER NOT NULL DEFAULT 0`,
    )
    await queryRunner.query(
      `CREATE INDEX "ledger_resource_by_height" ON "ledger_resource"
        (("network" || ' ' || "collection_id"), "height")`,
    )
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "ledger_resource_by_height"')
    await queryRunner.query('ALTER TABLE "ledger_resource_data" DROP COLUMN "chain_cost"')
  }
}

const INDICES = {
  ledger_resource_by_time: '"created"',
  ledger_resource_by_version: '"version", "created"',
  ledger_resource_by_checksum: '"checksum", "created"',
}

/** The migrations of the embedded ledger, for the `migrations` of the database. */
export const migrations = [
  CreateLedger1763683200000,
  IndexResourceVersions1763713111000,
  CreateLedgerBank1795219200001,
  KeepResourceDeltas1795824000040,
  CompareLedgerTextByBytes1795824000051,
  LeadResourceIndicesByName1796300000020,
  PageHistories1796400000223,
  CountChainCosts1796500000301,
  ShareLedgerStorage1796500000311,
  VacuumLedgerOften1796500000512,
  IndexNamedVersionsAlone1796500000720,
  CountBlocksOfDids1796600000400,
  AddHomesToLedger1797600000290,
]

const TABLES = [
  'ledger_tx',
  'ledger_resource_latest',
  'ledger_resource_data',
  'ledger_resource',
  'ledger_did_version',
  'ledger_did',
  'ledger_state',
]

const tables = (binary: string) => [
  `CREATE TABLE "ledger_state" (
    "network" TEXT PRIMARY KEY,
    "height" BIGINT NOT NULL,
    "last_time" TEXT NOT NULL
  )`,
  `CREATE TABLE "ledger_did" (
    "network" TEXT NOT NULL,
    "did" TEXT NOT NULL,
    "latest_version_id" TEXT NOT NULL,
    "deactivated" INTEGER NOT NULL,
    PRIMARY KEY ("network", "did")
  )`,
  `CREATE TABLE "ledger_did_version" (
    "network" TEXT NOT NULL,
    "did" TEXT NOT NULL,
    "version_id" TEXT NOT NULL,
    "height" BIGINT NOT NULL,
    "previous_version_id" TEXT NOT NULL,
    "next_version_id" TEXT NOT NULL,
    "created" TEXT NOT NULL,
    "updated" TEXT,
    "doc" TEXT NOT NULL,
    PRIMARY KEY ("network", "did", "version_id"),
    UNIQUE ("network", "did", "previous_version_id")
  )`,
  `CREATE TABLE "ledger_resource" (
    "network" TEXT NOT NULL,
    "collection_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "height" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "created" TEXT NOT NULL,
    "checksum" TEXT NOT NULL,
    "also_known_as" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "previous_version_id" TEXT NOT NULL,
    "next_version_id" TEXT NOT NULL,
    PRIMARY KEY ("network", "collection_id", "id"),
    UNIQUE ("network", "collection_id", "name", "type", "previous_version_id")
  )`,
  `CREATE INDEX "ledger_resource_by_height" ON "ledger_resource" ("network", "collection_id", "height")`,
  `CREATE TABLE "ledger_resource_data" (
    "network" TEXT NOT NULL,
    "collection_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "data" ${binary} NOT NULL,
    PRIMARY KEY ("network", "collection_id", "id")
  )`,
  `CREATE TABLE "ledger_resource_latest" (
    "network" TEXT NOT NULL,
    "collection_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "resource_id" TEXT NOT NULL,
    PRIMARY KEY ("network", "collection_id", "name", "type")
  )`,
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
]

const BANK_TABLES = [
  // "seeded": the amount that the configuration gave the account when it was first named there; NULL for all others.
  `CREATE TABLE "ledger_account" (
    "network" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "balance" TEXT NOT NULL,
    "seeded" TEXT,
    PRIMARY KEY ("network", "address")
  )`,
  `CREATE TABLE "ledger_payment" (
    "network" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "height" BIGINT NOT NULL,
    "time" TEXT NOT NULL,
    "sender" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "amount" TEXT NOT NULL,
    "memo" TEXT NOT NULL,
    PRIMARY KEY ("network", "hash"),
    UNIQUE ("network", "height")
  )`,
  `CREATE INDEX "ledger_payment_by_recipient" ON "ledger_payment" ("network", "recipient", "height")`,
  `CREATE INDEX "ledger_payment_by_memo" ON "ledger_payment" ("network", "recipient", "memo")`,
]
