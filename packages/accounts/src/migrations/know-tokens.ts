import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * The audit trail names the issuer and the holder of a bearer token. Of a deleted account it drops the holder, as it
 * drops subject, detail and address.
 */
export class KnowTokens1796800000730 implements MigrationInterface {
  readonly name = 'KnowTokens1796800000730'

  async up(queryRunner: QueryRunner): Promise<void> {
    const isPostgres = queryRunner.connection.options.type === 'postgres'
    for (const column of COLUMNS) await queryRunner.query(`ALTER TABLE audit_event ADD COLUMN ${column} TEXT`)
    await compareTextByBytes(queryRunner, ['audit_event'])
    for (const statement of isPostgres ? postgres(LET_GO, SAME) : sqlite(LET_GO, SAME)) {
      await queryRunner.query(statement)
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const isPostgres = queryRunner.connection.options.type === 'postgres'
    const before = [LET_GO, SAME].map((columns) => columns.filter((column) => !COLUMNS.includes(column)))
    const [letGo = [], same = []] = before
    for (const statement of isPostgres ? postgres(letGo, same) : sqlite(letGo, same)) {
      await queryRunner.query(statement)
    }
    for (const column of COLUMNS) await queryRunner.query(`ALTER TABLE audit_event DROP COLUMN ${column}`)
  }
}

const COLUMNS = ['token_issuer', 'token_subject']

const REFUSAL = 'audit_event is append-only'
const LET_GO = ['subject', 'detail', 'address', 'token_subject']
const SAME = [
  ...['sequence', 'time', 'event', 'outcome', 'account_id', 'api_key_id', 'request_id', 'occurrences'],
  'token_issuer',
]

/** @param is - how a dialect compares values that may be NULL */
const allowed = (letGo: readonly string[], same: readonly string[], is: string): string =>
  [
    ...letGo.map((column) => `NEW.${column} IS NULL`),
    ...same.map((column) => `NEW.${column} ${is} OLD.${column}`),
    'OLD.account_id IS NOT NULL',
    'NOT EXISTS (SELECT 1 FROM account a WHERE a.id = OLD.account_id AND a.deletion_began_at IS NULL)',
  ].join(' AND ')

const sqlite = (letGo: readonly string[], same: readonly string[]): string[] => [
  'DROP TRIGGER audit_event_no_update',
  `CREATE TRIGGER audit_event_no_update BEFORE UPDATE ON audit_event WHEN NOT (${allowed(letGo, same, 'IS')})
    BEGIN SELECT RAISE(ABORT, '${REFUSAL}'); END`,
]

const postgres = (letGo: readonly string[], same: readonly string[]): string[] => [
  `CREATE OR REPLACE FUNCTION audit_event_lets_go() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN IF ${allowed(letGo, same, 'IS NOT DISTINCT FROM')} THEN RETURN NEW; END IF;
      RAISE EXCEPTION '${REFUSAL}'; END $$`,
]
