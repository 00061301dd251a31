import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Lists whose changes must not wait for a beat any more, because their DID is about to end. */
export class HurryLists1797300000690 implements MigrationInterface {
  readonly name = 'HurryLists1797300000690'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "status_list_pace" ADD COLUMN "hurried_until" TEXT')
    await compareTextByBytes(queryRunner, ['status_list_pace'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "status_list_pace" DROP COLUMN "hurried_until"')
  }
}
