import { compareTextByBytes, compareTextByLanguage } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Text is ordered and compared by its bytes, whatever kind of database it stands in. */
export class CompareLedgerTextByBytes1795824000051 implements MigrationInterface {
  readonly name = 'CompareLedgerTextByBytes1795824000051'

  async up(queryRunner: QueryRunner): Promise<void> {
    await compareTextByBytes(queryRunner, TABLES)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await compareTextByLanguage(queryRunner, TABLES)
  }
}

const TABLES = [
  'ledger_state',
  'ledger_did',
  'ledger_did_version',
  'ledger_resource',
  'ledger_resource_data',
  'ledger_resource_delta',
  'ledger_resource_latest',
  'ledger_tx',
  'ledger_account',
  'ledger_payment',
]
