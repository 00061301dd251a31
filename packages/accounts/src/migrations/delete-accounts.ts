import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Accounts can be disabled and deleted. The audit trail keeps the events of a deleted account but drops what
 * identifies it: subject, detail and address become NULL, and nothing else may change.
 */
export class DeleteAccounts1796500000600 implements MigrationInterface {
  readonly name = 'DeleteAccounts1796500000600'

  async up(queryRunner: QueryRunner): Promise<void> {
    const isPostgres = queryRunner.connection.options.type === 'postgres'
    for (const column of COLUMNS) await queryRunner.query(`ALTER TABLE account ADD COLUMN ${column} TEXT`)
    await compareTextByBytes(queryRunner, ['account'])
    for (const statement of isPostgres ? POSTGRES : SQLITE) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const isPostgres = queryRunner.connection.options.type === 'postgres'
    for (const statement of isPostgres ? POSTGRES_BEFORE : SQLITE_BEFORE) await queryRunner.query(statement)
    for (const column of COLUMNS) await queryRunner.query(`ALTER TABLE account DROP COLUMN ${column}`)
  }
}

const COLUMNS = ['disabled_at', 'deletion_began_at']

const REFUSAL = 'audit_event is append-only'
const SAME = ['sequence', 'time', 'event', 'outcome', 'account_id', 'api_key_id', 'request_id', 'occurrences']

/** @param is - how a dialect compares values that may be NULL */
const letsGo = (is: string): string =>
  [
    ...['subject', 'detail', 'address'].map((column) => `NEW.${column} IS NULL`),
    ...SAME.map((column) => `NEW.${column} ${is} OLD.${column}`),
    'OLD.account_id IS NOT NULL',
    'NOT EXISTS (SELECT 1 FROM account a WHERE a.id = OLD.account_id AND a.deletion_began_at IS NULL)',
  ].join(' AND ')

const SQLITE = [
  'DROP TRIGGER audit_event_no_update',
  `CREATE TRIGGER audit_event_no_update BEFORE UPDATE ON audit_event WHEN NOT (${letsGo('IS')})
    BEGIN SELECT RAISE(ABORT, '${REFUSAL}'); END`,
]

const SQLITE_BEFORE = [
  'DROP TRIGGER audit_event_no_update',
  `CREATE TRIGGER audit_event_no_update BEFORE UPDATE ON audit_event
    BEGIN SELECT RAISE(ABORT, '${REFUSAL}'); END`,
]

const POSTGRES = [
  'DROP TRIGGER audit_event_guard ON audit_event',
  `CREATE TRIGGER audit_event_guard BEFORE DELETE OR TRUNCATE ON audit_event
    FOR EACH STATEMENT EXECUTE FUNCTION audit_event_is_append_only()`,
  `CREATE FUNCTION audit_event_lets_go() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN IF ${letsGo('IS NOT DISTINCT FROM')} THEN RETURN NEW; END IF;
      RAISE EXCEPTION '${REFUSAL}'; END $$`,
  `CREATE TRIGGER audit_event_update_guard BEFORE UPDATE ON audit_event
    FOR EACH ROW EXECUTE FUNCTION audit_event_lets_go()`,
]

const POSTGRES_BEFORE = [
  'DROP TRIGGER audit_event_update_guard ON audit_event',
  'DROP FUNCTION audit_event_lets_go',
  'DROP TRIGGER audit_event_guard ON audit_event',
  `CREATE TRIGGER audit_event_guard BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event
    FOR EACH STATEMENT EXECUTE FUNCTION audit_event_is_append_only()`,
]
