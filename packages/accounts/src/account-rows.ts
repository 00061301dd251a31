import type { AccountRows } from '@vidimus/core-types'
import { sql, TableOfAccounts, type AccountTable, type Database } from '@vidimus/database'

/** This package's rows of accounts, beside the accounts themselves. */
export const accountRows = (database: Database): AccountRows[] => [
  new TableOfAccounts(database, { name: 'API keys', table: 'api_key', id: ['id'] }),
  new TableOfAccounts(database, AUDITED),
]

/** The rows stay, without what they say about the account. */
const AUDITED: AccountTable = {
  name: 'rows of the audit trail, without subject, detail, address and holder of the token',
  table: 'audit_event',
  id: ['sequence'],
  fate: 'made nameless',
  isLast: true,
  which: sql`(subject IS NOT NULL OR detail IS NOT NULL OR address IS NOT NULL
    OR token_subject IS NOT NULL)`,
  instead: sql`subject = NULL, detail = NULL, address = NULL, token_subject = NULL`,
}
