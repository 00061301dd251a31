import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** What a request has changed, sealed, for a run of it after a crash. */
export class KeepChangesOfRequests1798300000890 implements MigrationInterface {
  readonly name = 'KeepChangesOfRequests1798300000890'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE idempotent_creation ADD COLUMN change TEXT')
    await compareTextByBytes(queryRunner, ['idempotent_creation'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE idempotent_creation DROP COLUMN change')
  }
}
