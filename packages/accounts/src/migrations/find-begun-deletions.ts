import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Every process looks for deletions that were begun and have not ended, every minute. */
export class FindBegunDeletions1797600000740 implements MigrationInterface {
  readonly name = 'FindBegunDeletions1797600000740'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE INDEX account_begun_deletion ON account (deletion_began_at) WHERE deletion_began_at IS NOT NULL',
    )
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX account_begun_deletion')
  }
}
