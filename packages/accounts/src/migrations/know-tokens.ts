import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * The audit trail names the issuer and the holder of a bearer token. Of a deleted account it drops the holder, as it
 * drops subject, detail and address.
 */
export class KnowTokens1796800000730 implements MigrationInterface {
  readonly name = 'KnowTokens1796800000730'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await queryRunner.query(`ALTER TABLE audit_event ADD COLUMN ${column} TEXT`)
    await compareTextByBytes(queryRunner, ['audit_event'])
    await guardAuditUpdates(queryRunner, LET_GO, SAME)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const [letGo, same] = [LET_GO, SAME].map((columns) => columns.filter((name) => !COLUMNS.includes(name)))
    await guardAuditUpdates(queryRunner, letGo ?? [], same ?? [])
    for (const column of COLUMNS) await queryRunner.query(`ALTER TABLE audit_event DROP COLUMN ${column}`)
  }
}

const COLUMNS = ['token_issuer', 'token_subject']

export const LET_GO = ['subject', 'detail', 'address', 'token_subject']
export const SAME = [
  ...['sequence', 'time', 'event', 'outcome', 'account_id', 'api_key_id', 'request_id', 'occurrences'],
  'token_issuer',
]

const REFUSAL = 'audit_event is append-only'

/**
 * What the trigger of the audit trail lets happen to a row: that it drops what identifies a deleted account.
 *
 * @param letGo - columns that become NULL
 * @param same - columns that keep their values
 */
export async function guardAuditUpdates(
  queryRunner: QueryRunner,
  letGo: readonly string[],
  same: readonly string[],
): Promise<void> {
  if (queryRunner.connection.options.type === 'postgres') {
    await queryRunner.query(`CREATE OR REPLACE FUNCTION audit_event_lets_go() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF ${allowed(letGo, same, 'IS NOT DISTINCT FROM')} THEN RETURN NEW; END IF;
        RAISE EXCEPTION '${REFUSAL}'; END $$`)
    return
  }
  await queryRunner.query('DROP TRIGGER audit_event_no_update')
  await queryRunner.query(`CREATE TRIGGER audit_event_no_update BEFORE UPDATE ON audit_event
    WHEN NOT (${allowed(letGo, same, 'IS')}) BEGIN SELECT RAISE(ABORT, '${REFUSAL}'); END`)
}

/** @param is - how a dialect compares values that may be NULL */
const allowed = (letGo: readonly string[], same: readonly string[], is: string): string =>
  [
    ...letGo.map((column) => `NEW.${column} IS NULL`),
    ...same.map((column) => `NEW.${column} ${is} OLD.${column}`),
    'OLD.account_id IS NOT NULL',
    'NOT EXISTS (SELECT 1 FROM account a WHERE a.id = OLD.account_id AND a.deletion_began_at IS NULL)',
  ].join(' AND ')
