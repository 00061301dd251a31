import { compareTextByBytes, VACUUM_OFTEN } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Series of status lists, and their members. */
export class KeepSeries1797100000700 implements MigrationInterface {
  readonly name = 'KeepSeries1797100000700'

  async up(queryRunner: QueryRunner): Promise<void> {
    const storage = queryRunner.connection.options.type === 'postgres' ? `WITH (${VACUUM_OFTEN})` : ''
    for (const statement of statements(storage)) await queryRunner.query(statement)
    await compareTextByBytes(queryRunner, ['status_list_series', 'status_list_member'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "status_list_member"')
    await queryRunner.query('DROP TABLE "status_list_series"')
  }
}

const statements = (storage: string): string[] => [
  `CREATE TABLE "status_list_series" (
    "home" INTEGER NOT NULL,
    "did" TEXT NOT NULL,
    "series" TEXT NOT NULL,
    "resource_type" TEXT NOT NULL,
    "template" TEXT NOT NULL,
    "period" TEXT,
    PRIMARY KEY ("home", "did", "series", "resource_type")
  ) ${storage}`,
  `CREATE TABLE "status_list_member" (
    "home" INTEGER NOT NULL,
    "did" TEXT NOT NULL,
    "series" TEXT NOT NULL,
    "resource_type" TEXT NOT NULL,
    "member" INTEGER NOT NULL,
    "state" TEXT NOT NULL CHECK ("state" IN ('begun', 'taken', 'ready', 'open', 'full', 'closed')),
    "expiry_group" TEXT,
    "resource_id" TEXT NOT NULL,
    "presence" TEXT,
    "last_expiry" TEXT,
    PRIMARY KEY ("home", "did", "series", "member", "resource_type")
  ) ${storage}`,
  // One process publishes the next member, and a group has one open member, whoever writes.
  `CREATE UNIQUE INDEX "status_list_member_begun"
    ON "status_list_member" ("home", "did", "series", "resource_type") WHERE "state" = 'begun'`,
  `CREATE UNIQUE INDEX "status_list_member_open"
    ON "status_list_member" ("home", "did", "series", "resource_type", "expiry_group") WHERE "state" = 'open'`,
  `CREATE INDEX "status_list_member_ready"
    ON "status_list_member" ("home", "did", "series", "resource_type") WHERE "state" = 'ready'`,
  `CREATE INDEX "status_list_member_expiring"
    ON "status_list_member" ("last_expiry") WHERE "state" IN ('open', 'full') AND "last_expiry" <> 'never'`,
]
