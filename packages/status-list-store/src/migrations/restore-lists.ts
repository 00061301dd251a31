import { compareTextByBytes, VACUUM_OFTEN } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** After a restore from a backup, lists skip what they may have allocated since, each once for each restore. */
export class RestoreLists1797200000591 implements MigrationInterface {
  readonly name = 'RestoreLists1797200000591'

  async up(queryRunner: QueryRunner): Promise<void> {
    const storage = queryRunner.connection.options.type === 'postgres' ? `WITH (${VACUUM_OFTEN})` : ''
    await queryRunner.query(`CREATE TABLE "database_restore" (
      "id" TEXT PRIMARY KEY NOT NULL,
      "begun_at" TEXT NOT NULL,
      "ended_at" TEXT
    ) ${storage}`)
    await queryRunner.query('CREATE INDEX "database_restore_ended" ON "database_restore" ("ended_at")')
    await compareTextByBytes(queryRunner, ['database_restore'])
    const collated = queryRunner.connection.options.type === 'postgres' ? ' COLLATE "C"' : ''
    await queryRunner.query(`ALTER TABLE "status_list_order" ADD COLUMN "restore_id" TEXT${collated}`)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "status_list_order" DROP COLUMN "restore_id"')
    await queryRunner.query('DROP TABLE "database_restore"')
  }
}
