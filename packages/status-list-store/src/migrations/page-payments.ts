import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Lists the payments of an account without reading earlier pages. */
export class PagePayments1796400000222 implements MigrationInterface {
  readonly name = 'PagePayments1796400000222'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX "status_list_payment_page" ON "status_list_payment" ("account_id", "paid_at", "id")
        WHERE "state" = 'settled'`,
    )
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "status_list_payment_page"')
  }
}
