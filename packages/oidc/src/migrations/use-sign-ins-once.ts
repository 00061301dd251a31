import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Which attempts to sign in were used, by hash, for as long as they could be used again. */
export class UseSignInsOnce1800100000870 implements MigrationInterface {
  readonly name = 'UseSignInsOnce1800100000870'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE TABLE console_sign_in (hash TEXT PRIMARY KEY NOT NULL, used_at TEXT NOT NULL)',
    )
    await queryRunner.query('CREATE INDEX console_sign_in_used ON console_sign_in (used_at)')
    await compareTextByBytes(queryRunner, ['console_sign_in'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE console_sign_in')
  }
}
