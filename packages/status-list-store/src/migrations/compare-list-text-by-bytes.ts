import { compareTextByBytes, compareTextByLanguage } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Text is ordered and compared by its bytes, whatever kind of database it stands in. */
export class CompareListTextByBytes1795824000052 implements MigrationInterface {
  readonly name = 'CompareListTextByBytes1795824000052'

  async up(queryRunner: QueryRunner): Promise<void> {
    await compareTextByBytes(queryRunner, TABLES)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await compareTextByLanguage(queryRunner, TABLES)
  }
}

const TABLES = [
  'status_list',
  'status_list_order',
  'status_list_key',
  'status_list_payment',
  'status_list_secret_check',
]
