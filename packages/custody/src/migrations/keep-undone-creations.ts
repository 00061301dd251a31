import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Creations of DIDs that were undone because the ledger had no such DID, kept for a while in case the ledger still
 * gets it. Their private keys stay in Veramo's table, sealed as before, under names of no account.
 */
export class KeepUndoneCreations1795824000060 implements MigrationInterface {
  readonly name = 'KeepUndoneCreations1795824000060'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
    await compareTextByBytes(queryRunner, ['undone_did_creation', 'undone_private_key'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'DELETE FROM "private-key" WHERE alias IN (SELECT stored_alias FROM undone_private_key)',
    )
    await queryRunner.query('DROP TABLE undone_private_key')
    await queryRunner.query('DROP TABLE undone_did_creation')
  }
}

const STATEMENTS = [
  `CREATE TABLE undone_did_creation (
    creation TEXT PRIMARY KEY NOT NULL,
    account_id TEXT NOT NULL REFERENCES account (id),
    did TEXT NOT NULL,
    provider TEXT,
    identifier TEXT NOT NULL,
    keys TEXT NOT NULL,
    undone_at TEXT NOT NULL,
    next_look_at TEXT NOT NULL
  )`,
  'CREATE INDEX undone_did_creation_next_look ON undone_did_creation (next_look_at)',
  `CREATE TABLE undone_private_key (
    stored_alias TEXT PRIMARY KEY NOT NULL,
    creation TEXT NOT NULL REFERENCES undone_did_creation (creation) ON DELETE CASCADE,
    account_id TEXT NOT NULL,
    alias TEXT NOT NULL
  )`,
  'CREATE INDEX undone_private_key_creation ON undone_private_key (creation)',
]
