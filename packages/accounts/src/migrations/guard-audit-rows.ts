import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * On PostgreSQL the trigger that keeps rows of the audit trail from being deleted looks at each row: where another engine
 * distributes tables, triggers of whole statements do not run.
 */
export class GuardAuditRows1797700000781 implements MigrationInterface {
  readonly name = 'GuardAuditRows1797700000781'

  async up(queryRunner: QueryRunner): Promise<void> {
    if (queryRunner.connection.options.type !== 'postgres') return
    await queryRunner.query('DROP TRIGGER audit_event_guard ON audit_event')
    await guard(queryRunner, 'audit_event_guard', 'DELETE', 'ROW')
    await guard(queryRunner, 'audit_event_truncate_guard', 'TRUNCATE', 'STATEMENT')
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    if (queryRunner.connection.options.type !== 'postgres') return
    await queryRunner.query('DROP TRIGGER audit_event_truncate_guard ON audit_event')
    await queryRunner.query('DROP TRIGGER audit_event_guard ON audit_event')
    await guard(queryRunner, 'audit_event_guard', 'DELETE OR TRUNCATE', 'STATEMENT')
  }
}

const guard = (queryRunner: QueryRunner, name: string, change: string, each: 'ROW' | 'STATEMENT') =>
  queryRunner.query(`CREATE TRIGGER ${name} BEFORE ${change} ON audit_event
    FOR EACH ${each} EXECUTE FUNCTION audit_event_is_append_only()`)
