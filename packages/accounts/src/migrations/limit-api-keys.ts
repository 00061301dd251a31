import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The limits of an API key, its last use, and its successor. */
export class LimitApiKeys1795392000020 implements MigrationInterface {
  readonly name = 'LimitApiKeys1795392000020'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await queryRunner.query(`ALTER TABLE api_key ADD COLUMN ${column} TEXT`)
    await queryRunner.query('CREATE INDEX api_key_account ON api_key (account_id, created_at)')
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX api_key_account')
    for (const column of COLUMNS) await queryRunner.query(`ALTER TABLE api_key DROP COLUMN ${column}`)
  }
}

/** Scopes and networks are JSON lists; none at all: not limited. */
const COLUMNS = ['scopes', 'networks', 'last_used_at', 'rotated_to']
