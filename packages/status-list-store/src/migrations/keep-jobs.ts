import { compareTextByBytes, SealedHeadsMigration, VACUUM_OFTEN } from '@vidimus/database'
import type { QueryRunner } from 'typeorm'

/** Mass changes of status lists, and their rows. */
export class KeepJobs1797000000710 extends SealedHeadsMigration {
  readonly name = 'KeepJobs1797000000710'
  protected readonly columns = { status_list_job_part: 'sealed' }

  override async up(queryRunner: QueryRunner): Promise<void> {
    const storage = queryRunner.connection.options.type === 'postgres' ? `WITH (${VACUUM_OFTEN})` : ''
    // A store used on its own has no accounts.
    const account = (await queryRunner.hasTable('account')) ? 'REFERENCES "account" ("id")' : ''
    for (const statement of statements(account, storage)) await queryRunner.query(statement)
    await compareTextByBytes(queryRunner, ['status_list_job', 'status_list_job_part'])
    await super.up(queryRunner)
  }

  override async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "status_list_job_part"')
    await queryRunner.query('DROP TABLE "status_list_job"')
  }
}

const statements = (account: string, storage: string): string[] => [
  // A job without an id is being uploaded.
  `CREATE TABLE "status_list_job" (
    "account_id" TEXT NOT NULL ${account},
    "uid" TEXT NOT NULL,
    "id" TEXT,
    "state" TEXT NOT NULL,
    "dry_run" INTEGER NOT NULL,
    "row_count" BIGINT NOT NULL,
    "applied" BIGINT NOT NULL,
    "refused" BIGINT NOT NULL,
    "checksum" TEXT,
    "select_after" TEXT,
    "part_count" BIGINT NOT NULL,
    "api_key_id" TEXT,
    "networks" TEXT,
    "holder" TEXT,
    "attempts" INTEGER NOT NULL,
    "failure" TEXT,
    "created_at" TEXT NOT NULL,
    "ended_at" TEXT,
    "next_look_at" TEXT,
    PRIMARY KEY ("account_id", "uid")
  ) ${storage}`,
  `CREATE UNIQUE INDEX "status_list_job_by_id" ON "status_list_job" ("account_id", "id")`,
  `CREATE INDEX "status_list_job_due" ON "status_list_job" ("next_look_at") WHERE "next_look_at" IS NOT NULL`,
  `CREATE INDEX "status_list_job_ended" ON "status_list_job" ("ended_at") WHERE "ended_at" IS NOT NULL`,
  `CREATE INDEX "status_list_job_uploads" ON "status_list_job" ("created_at", "account_id", "uid") WHERE "id" IS NULL`,
  `CREATE TABLE "status_list_job_part" (
    "account_id" TEXT NOT NULL ${account},
    "job_uid" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "list" BIGINT NOT NULL,
    "place" BIGINT NOT NULL,
    "part_id" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    PRIMARY KEY ("account_id", "job_uid", "kind", "list", "place")
  ) ${storage}`,
  // By which a part is found when it is sealed anew.
  `CREATE INDEX "status_list_job_part_by_id" ON "status_list_job_part" ("part_id")`,
]
