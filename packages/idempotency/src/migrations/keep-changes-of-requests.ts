import { compareTextByBytes, SealedHeadsMigration } from '@vidimus/database'
import type { QueryRunner } from 'typeorm'

/** What a request has changed, sealed, for a run of it after a crash. */
export class KeepChangesOfRequests1798300000890 extends SealedHeadsMigration {
  readonly name = 'KeepChangesOfRequests1798300000890'
  protected readonly columns = { idempotent_creation: 'change' }

  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE idempotent_creation ADD COLUMN change TEXT')
    await compareTextByBytes(queryRunner, ['idempotent_creation'])
    await super.up(queryRunner)
  }

  override async down(queryRunner: QueryRunner): Promise<void> {
    await super.down(queryRunner)
    await queryRunner.query('ALTER TABLE idempotent_creation DROP COLUMN change')
  }
}
