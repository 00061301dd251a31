import type { AccountRows } from '@vidimus/core-types'
import { TableOfAccounts, type Database } from '@vidimus/database'

/** This package's rows of accounts; the marks of creations are deleted with the record of their request. */
export const accountRows = (database: Database): AccountRows[] => [
  new TableOfAccounts(database, {
    name: 'kept answers',
    table: 'idempotency_record',
    id: ['id'],
    with: ['idempotent_creation'],
  }),
]
