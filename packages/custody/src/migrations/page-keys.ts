import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The keys of an account are listed page by page, in every order and by everything that is searched by. */
export class PageKeys1796500000510 implements MigrationInterface {
  readonly name = 'PageKeys1796500000510'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE account_key ADD COLUMN kms TEXT NOT NULL DEFAULT ''`)
    await compareTextByBytes(queryRunner, ['account_key'])
    await queryRunner.query(
      `UPDATE account_key SET kms =
        COALESCE((SELECT k.kms FROM "key" k WHERE k.kid = account_key.stored_kid), '')`,
    )
    for (const [name, columns] of Object.entries(INDICES)) {
      await queryRunner.query(`CREATE INDEX ${name} ON account_key (${columns})`)
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDICES)) await queryRunner.query(`DROP INDEX ${name}`)
    await queryRunner.query('ALTER TABLE account_key DROP COLUMN kms')
  }
}

const INDICES = {
  account_key_kms: 'account_id, kms, kid',
  account_key_created: 'account_id, created_at, kid',
}
