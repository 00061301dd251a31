import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * The index of an account's audit trail is on an expression, which the primary key does not have: with few accounts
 * PostgreSQL would read the primary key backwards, and all rows of the others for an account that has few.
 */
export class ReadAuditByAccount1797700000790 implements MigrationInterface {
  readonly name = 'ReadAuditByAccount1797700000790'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX audit_event_of_account ON audit_event (account_id, (sequence + 0))')
    await queryRunner.query('DROP INDEX audit_event_account')
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX audit_event_account ON audit_event (account_id, sequence)')
    await queryRunner.query('DROP INDEX audit_event_of_account')
  }
}
