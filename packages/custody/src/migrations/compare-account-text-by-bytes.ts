import { TextByBytesMigration } from '@vidimus/database'

/**
 * Text is ordered and compared by its bytes in every kind of database; also in those of Veramo's tables that ours are
 * joined with, whose indexes would otherwise not serve this.
 */
export class CompareAccountTextByBytes1795824000050 extends TextByBytesMigration {
  readonly name = 'CompareAccountTextByBytes1795824000050'
  protected readonly tables = [
    'identifier',
    'key',
    'private-key',
    'service',
    'account',
    'api_key',
    'account_key',
    'account_private_key',
    'account_did',
    'account_did_key',
    'account_service',
    'did_creation',
    'secret_check',
    'audit_event',
    'idempotency_record',
    'idempotent_creation',
  ]
}
