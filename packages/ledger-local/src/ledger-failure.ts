import { isUniqueViolation } from '@vidimus/database'
import { LedgerError } from '@vidimus/ledger'
import { conflict } from './block.js'

/** The database's refusal as a ledger's. Unique constraints decide between processes that did not see each other's rows. */
export function toLedgerError(error: unknown): unknown {
  if (isUniqueViolation(error)) return conflict('another process wrote the same at the same time', error)
  if (!(error instanceof Error) || error.name !== 'DatabaseError') return error
  return new LedgerError('the database of the embedded ledger refused the transaction', {
    codespace: 'vidimus',
    code: 2,
    phase: 'transport',
    retryable: true,
    cause: error,
  })
}
