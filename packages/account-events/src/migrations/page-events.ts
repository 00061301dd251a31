import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Events of a type, webhooks, and what waits for one or is dead are found without reading the rest. */
export class PageEvents1796400000221 implements MigrationInterface {
  readonly name = 'PageEvents1796400000221'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, columns] of Object.entries(INDICES)) {
      await queryRunner.query(`CREATE INDEX ${name} ON ${columns}`)
    }
    await queryRunner.query('DROP INDEX webhook_account')
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX webhook_account ON webhook (account_id, created_at)')
    for (const name of Object.keys(INDICES)) await queryRunner.query(`DROP INDEX ${name}`)
  }
}

const INDICES = {
  account_event_type: 'account_event (account_id, type, position)',
  webhook_page: 'webhook (account_id, created_at, id)',
  webhook_delivery_waiting: 'webhook_delivery (webhook_id, position, next_attempt_at) WHERE dead_at IS NULL',
  webhook_delivery_dead: 'webhook_delivery (webhook_id, position) WHERE dead_at IS NOT NULL',
}
