import { VacuumOftenMigration } from '@vidimus/database'

/** Veramo's tables are among them. */
export class VacuumAccountsOften1796500000511 extends VacuumOftenMigration {
  readonly name = 'VacuumAccountsOften1796500000511'

  protected readonly tables = [
    'identifier',
    'key',
    'private-key',
    'service',
    'account',
    'account_did',
    'account_did_key',
    'account_event',
    'account_event_head',
    'account_key',
    'account_key_network',
    'account_private_key',
    'account_service',
    'account_tally',
    'announced_event',
    'api_key',
    'audit_event',
    'did_creation',
    'idempotency_record',
    'idempotent_creation',
    'ledger_change',
    'undone_did_creation',
    'undone_private_key',
    'webhook',
    'webhook_delivery',
  ]
}
