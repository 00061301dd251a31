import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Which process works on a request with an idempotency key; of those that were begun before, nobody knows. */
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
