import type { MigrationInterface, QueryRunner } from 'typeorm'

/** An append-only table: the database itself refuses to change or delete its rows. */
export class CreateAuditTrail1795392000021 implements MigrationInterface {
  readonly name = 'CreateAuditTrail1795392000021'

  async up(queryRunner: QueryRunner): Promise<void> {
    const isPostgres = queryRunner.connection.options.type === 'postgres'
    await queryRunner.query(table(isPostgres ? POSTGRES_SEQUENCE : SQLITE_SEQUENCE))
    for (const statement of INDEXES) await queryRunner.query(statement)
    for (const statement of isPostgres ? POSTGRES_GUARDS : SQLITE_GUARDS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE audit_event')
    if (queryRunner.connection.options.type === 'postgres') {
      await queryRunner.query('DROP FUNCTION audit_event_is_append_only')
    }
  }
}

// Numbers are never given twice, so that a gap at the end shows as well.
const SQLITE_SEQUENCE = 'INTEGER PRIMARY KEY AUTOINCREMENT'
const POSTGRES_SEQUENCE = 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY'

/** Without foreign keys: what happened stays true whatever becomes of those that it happened to. */
const table = (sequence: string) => `CREATE TABLE audit_event (
  sequence ${sequence},
  time TEXT NOT NULL,
  event TEXT NOT NULL,
  outcome TEXT NOT NULL,
  account_id TEXT,
  api_key_id TEXT,
  address TEXT,
  request_id TEXT,
  subject TEXT,
  detail TEXT,
  occurrences INTEGER NOT NULL
)`

const INDEXES = [
  'CREATE INDEX audit_event_time ON audit_event (time)',
  'CREATE INDEX audit_event_account ON audit_event (account_id, sequence)',
  'CREATE INDEX audit_event_event ON audit_event (event, sequence)',
]

const REFUSAL = 'audit_event is append-only'

const SQLITE_GUARDS = ['UPDATE', 'DELETE'].map(
  (change) => `CREATE TRIGGER audit_event_no_${change.toLowerCase()} BEFORE ${change} ON audit_event
    BEGIN SELECT RAISE(ABORT, '${REFUSAL}'); END`,
)

const POSTGRES_GUARDS = [
  `CREATE FUNCTION audit_event_is_append_only() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION '${REFUSAL}'; END $$`,
  `CREATE TRIGGER audit_event_guard BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event
    FOR EACH STATEMENT EXECUTE FUNCTION audit_event_is_append_only()`,
]
