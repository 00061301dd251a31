import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * A new version of a status list is recorded with its actions, so that the audit trail has them whichever process
 * writes the row.
 */
export class NoteActionsOfChanges1796600000500 implements MigrationInterface {
  readonly name = 'NoteActionsOfChanges1796600000500'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE ledger_change ADD COLUMN actions TEXT NOT NULL DEFAULT '[]'`)
    await compareTextByBytes(queryRunner, ['ledger_change'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE ledger_change DROP COLUMN actions')
  }
}
