import { compareTextByBytes, VACUUM_OFTEN } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Sessions keep the claims of their token, sealed, in place of the rights that these gave at the time. Those that have only
 * the latter end.
 */
export class SealSessionClaims1800100000872 implements MigrationInterface {
  readonly name = 'SealSessionClaims1800100000872'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE console_session')
    await this.createTable(queryRunner, 'sealed_claims TEXT NOT NULL')
    await queryRunner.query(
      'CREATE TABLE console_session_check (id TEXT PRIMARY KEY NOT NULL, sealed TEXT NOT NULL)',
    )
    await queryRunner.query(
      `CREATE INDEX console_session_sealed_head ON console_session (substr("sealed_claims", 1, 12))
        WHERE "sealed_claims" LIKE '%.%'`,
    )
    await compareTextByBytes(queryRunner, ['console_session', 'console_session_check'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE console_session_check')
    await queryRunner.query('DROP TABLE console_session')
    await this.createTable(queryRunner, 'scopes TEXT, networks TEXT')
  }

  private async createTable(queryRunner: QueryRunner, columns: string): Promise<void> {
    const storage = queryRunner.connection.options.type === 'postgres' ? `WITH (${VACUUM_OFTEN})` : ''
    await queryRunner.query(`CREATE TABLE console_session (
      hash TEXT PRIMARY KEY NOT NULL,
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      issuer TEXT NOT NULL,
      subject TEXT NOT NULL,
      ${columns},
      id TEXT,
      created_at TEXT NOT NULL,
      used_at TEXT NOT NULL
    ) ${storage}`)
    await queryRunner.query('CREATE INDEX console_session_account ON console_session (account_id)')
    await queryRunner.query('CREATE INDEX console_session_used ON console_session (used_at)')
  }
}
