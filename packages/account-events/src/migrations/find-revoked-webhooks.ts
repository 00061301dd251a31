import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Webhooks that were revoked long ago are found without reading the others. */
export class FindRevokedWebhooks1796500000515 implements MigrationInterface {
  readonly name = 'FindRevokedWebhooks1796500000515'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE INDEX webhook_revoked ON webhook (revoked_at) WHERE revoked_at IS NOT NULL',
    )
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX webhook_revoked')
  }
}
