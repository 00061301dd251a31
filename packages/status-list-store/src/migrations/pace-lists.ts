import { compareTextByBytes, VACUUM_OFTEN } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Lists that publish at intervals, and the changes that wait for the next version. */
export class PaceLists1797200000610 implements MigrationInterface {
  static readonly remembered = ['status_list', 'status_list_pace']
  readonly name = 'PaceLists1797200000610'

  async up(queryRunner: QueryRunner): Promise<void> {
    const storage = queryRunner.connection.options.type === 'postgres' ? `WITH (${VACUUM_OFTEN})` : ''
    for (const statement of statements(storage)) await queryRunner.query(statement)
    await compareTextByBytes(queryRunner, ['status_list_pace', 'status_list_change'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "status_list_change"')
    await queryRunner.query('DROP TABLE "status_list_pace"')
  }
}

const statements = (storage: string): string[] => [
  `CREATE TABLE "status_list_pace" (
    "list_id" BIGINT PRIMARY KEY NOT NULL REFERENCES "status_list" ("id"),
    "publish_every" TEXT NOT NULL,
    "always" INTEGER NOT NULL,
    "started_at" TEXT NOT NULL,
    "made" INTEGER NOT NULL,
    "stored" BIGINT NOT NULL,
    "published" BIGINT NOT NULL,
    "waiting_since" TEXT,
    "beat_at" TEXT,
    "claimed_until" TEXT
  ) ${storage}`,
  `CREATE INDEX "status_list_pace_due" ON "status_list_pace" ("beat_at") WHERE "beat_at" IS NOT NULL`,
  // Only the newest change of an entry: versions need no other.
  `CREATE TABLE "status_list_change" (
    "list_id" BIGINT NOT NULL REFERENCES "status_list" ("id"),
    "place" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "number" BIGINT NOT NULL,
    PRIMARY KEY ("list_id", "place")
  ) ${storage}`,
]
