import { TextByBytesMigration } from '@vidimus/database'

/** Text is ordered and compared by its bytes in every kind of database. */
export class CompareLedgerTextByBytes1795824000051 extends TextByBytesMigration {
  readonly name = 'CompareLedgerTextByBytes1795824000051'
  protected readonly tables = [
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
}
