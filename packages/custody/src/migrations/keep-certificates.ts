import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Keys may have X.509 certificates: a chain in base64 DER, as JSON, and when the first of them expires. */
export class KeepCertificates1796700000620 implements MigrationInterface {
  readonly name = 'KeepCertificates1796700000620'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE account_key ADD COLUMN certificate_chain TEXT')
    await queryRunner.query('ALTER TABLE account_key ADD COLUMN certificate_expires_at TEXT')
    await compareTextByBytes(queryRunner, ['account_key'])
    await queryRunner.query(
      `CREATE INDEX account_key_certificate_expires_at ON account_key (certificate_expires_at)
        WHERE certificate_expires_at IS NOT NULL`,
    )
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX account_key_certificate_expires_at')
    await queryRunner.query('ALTER TABLE account_key DROP COLUMN certificate_expires_at')
    await queryRunner.query('ALTER TABLE account_key DROP COLUMN certificate_chain')
  }
}
