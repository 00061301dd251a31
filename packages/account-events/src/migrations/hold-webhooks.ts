import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Until when nothing is sent to a receiver that is down. */
export class HoldWebhooks1798300000840 implements MigrationInterface {
  readonly name = 'HoldWebhooks1798300000840'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE webhook ADD COLUMN held_until TEXT')
    await compareTextByBytes(queryRunner, ['webhook'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE webhook DROP COLUMN held_until')
  }
}
