import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Which API key has made a webhook. */
export class NameKeysOfWebhooks1796300000020 implements MigrationInterface {
  readonly name = 'NameKeysOfWebhooks1796300000020'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE webhook ADD COLUMN api_key_id TEXT')
    await compareTextByBytes(queryRunner, ['webhook'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE webhook DROP COLUMN api_key_id')
  }
}
