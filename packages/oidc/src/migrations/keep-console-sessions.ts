import { compareTextByBytes, VACUUM_OFTEN } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Who is signed in to the console, by the hash of what their browser holds, and with which rights. */
export class KeepConsoleSessions1797300000730 implements MigrationInterface {
  readonly name = 'KeepConsoleSessions1797300000730'

  async up(queryRunner: QueryRunner): Promise<void> {
    const storage = queryRunner.connection.options.type === 'postgres' ? `WITH (${VACUUM_OFTEN})` : ''
    await queryRunner.query(`CREATE TABLE console_session (
      hash TEXT PRIMARY KEY NOT NULL,
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      issuer TEXT NOT NULL,
      subject TEXT NOT NULL,
      scopes TEXT,
      networks TEXT,
      created_at TEXT NOT NULL,
      used_at TEXT NOT NULL
    ) ${storage}`)
    await queryRunner.query('CREATE INDEX console_session_account ON console_session (account_id)')
    await queryRunner.query('CREATE INDEX console_session_used ON console_session (used_at)')
    await compareTextByBytes(queryRunner, ['console_session'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE console_session')
  }
}
