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

/** Which rule of an identity provider a webhook depends on, and since when it waits because its right has ended. */
export class SuspendWebhooks1800200000910 implements MigrationInterface {
  readonly name = 'SuspendWebhooks1800200000910'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE webhook ADD COLUMN rule TEXT')
    await queryRunner.query('ALTER TABLE webhook ADD COLUMN suspended_at TEXT')
    await queryRunner.query(
      'CREATE INDEX webhook_suspended ON webhook (suspended_at) WHERE suspended_at IS NOT NULL',
    )
    await compareTextByBytes(queryRunner, ['webhook'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX webhook_suspended')
    await queryRunner.query('ALTER TABLE webhook DROP COLUMN suspended_at')
    await queryRunner.query('ALTER TABLE webhook DROP COLUMN rule')
  }
}
