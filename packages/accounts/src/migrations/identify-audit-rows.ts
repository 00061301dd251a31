import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'
import { guardAuditUpdates, LET_GO, SAME } from './know-tokens.js'

/** A row that is written later has an identity: one whose COMMIT was not confirmed is not written a second time. */
export class IdentifyAuditRows1798300000891 implements MigrationInterface {
  readonly name = 'IdentifyAuditRows1798300000891'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE audit_event ADD COLUMN origin TEXT')
    await queryRunner.query('ALTER TABLE audit_event ADD COLUMN number BIGINT')
    await compareTextByBytes(queryRunner, ['audit_event'])
    await queryRunner.query(
      'CREATE UNIQUE INDEX audit_event_identity ON audit_event (home, origin, event, number) WHERE origin IS NOT NULL',
    )
    await guardAuditUpdates(queryRunner, LET_GO, [...SAME, 'home', 'origin', 'number'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await guardAuditUpdates(queryRunner, LET_GO, [...SAME, 'home'])
    await queryRunner.query('DROP INDEX audit_event_identity')
    for (const column of ['origin', 'number'])
      await queryRunner.query(`ALTER TABLE audit_event DROP COLUMN ${column}`)
  }
}
