import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** How each job was ordered: whoever continues it must be allowed the same. */
export class KeepOrdersOfJobs1798300000860 implements MigrationInterface {
  readonly name = 'KeepOrdersOfJobs1798300000860'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "status_list_job" ADD COLUMN "ordered" TEXT')
    await queryRunner.query('ALTER TABLE "status_list_job" ADD COLUMN "rule" TEXT')
    await compareTextByBytes(queryRunner, ['status_list_job'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "status_list_job" DROP COLUMN "rule"')
    await queryRunner.query('ALTER TABLE "status_list_job" DROP COLUMN "ordered"')
  }
}
