import { isUniqueViolation } from '@vidimus/database'
import { LedgerError, resourceUri, type Network } from '@vidimus/ledger'
import { conflict } from './block.js'

/** For a sent statement: another writer was faster with something that exists only once. */
export const refusedByLedger = (error: unknown): unknown =>
  OWN_TABLES.some((table) => isUniqueViolation(error, table)) ? toLedgerError(error) : error

const OWN_TABLES = [
  'ledger_did',
  'ledger_did_version',
  'ledger_resource',
  'ledger_resource_data',
  'ledger_resource_delta',
]

/** The database's refusal as a ledger's. Unique constraints decide between processes that did not see each other's rows. */
export function toLedgerError(error: unknown): unknown {
  if (isUniqueViolation(error)) return conflict('another process wrote the same concurrently', error)
  if (!(error instanceof Error) || error.name !== 'DatabaseError') return error
  return new LedgerError('the database of the embedded ledger rejected the transaction', {
    codespace: 'vidimus',
    code: 2,
    phase: 'transport',
    retryable: true,
    cause: error,
  })
}

/** Stored content does not match its checksum: none of it is returned. */
export const damagedContent = (network: Network, collectionId: string, id: string): LedgerError =>
  new LedgerError(
    `the stored content of ${resourceUri(network, collectionId, id)} is damaged: its checksum differs`,
    { codespace: 'resource', code: 2500, phase: 'query' },
  )
