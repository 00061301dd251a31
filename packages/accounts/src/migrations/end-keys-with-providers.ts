import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The identity provider whose token made an API key, which works only as long as the provider is configured. */
export class EndKeysWithProviders1800100000871 implements MigrationInterface {
  readonly name = 'EndKeysWithProviders1800100000871'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_key ADD COLUMN token_issuer TEXT')
    await compareTextByBytes(queryRunner, ['api_key'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_key DROP COLUMN token_issuer')
  }
}
