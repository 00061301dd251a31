import { VacuumOftenMigration } from '@vidimus/database'

export class VacuumLedgerOften1796500000512 extends VacuumOftenMigration {
  readonly name = 'VacuumLedgerOften1796500000512'

  protected readonly tables = [
    'ledger_account',
    'ledger_did',
    'ledger_did_version',
    'ledger_payment',
    'ledger_resource',
    'ledger_resource_data',
    'ledger_resource_delta',
    'ledger_resource_latest',
    'ledger_tx',
  ]
}
