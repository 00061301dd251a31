import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Changes submitted to ledgers, recorded beforehand: audit trail, events and rows follow, whichever process dies in
 * between.
 */
export class KeepLedgerChanges1796500000100 implements MigrationInterface {
  readonly name = 'KeepLedgerChanges1796500000100'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
    await compareTextByBytes(queryRunner, ['ledger_change'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE ledger_change')
  }
}

const STATEMENTS = [
  `CREATE TABLE ledger_change (
    id TEXT PRIMARY KEY NOT NULL,
    account_id TEXT NOT NULL REFERENCES account (id),
    holder TEXT NOT NULL,
    kind TEXT NOT NULL,
    did TEXT NOT NULL,
    version_id TEXT NOT NULL,
    kids TEXT NOT NULL,
    actor TEXT NOT NULL,
    created_at TEXT NOT NULL,
    next_look_at TEXT NOT NULL
  )`,
  'CREATE INDEX ledger_change_account ON ledger_change (account_id)',
  'CREATE INDEX ledger_change_next_look ON ledger_change (next_look_at)',
]
