import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The process that works on a request with an idempotency key; unknown for requests begun before. */
export class NamePresenceOfRequests1796500000710 implements MigrationInterface {
  readonly name = 'NamePresenceOfRequests1796500000710'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE idempotency_record ADD COLUMN presence TEXT')
    await compareTextByBytes(queryRunner, ['idempotency_record'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE idempotency_record DROP COLUMN presence')
  }
}
