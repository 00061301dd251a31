import type { AccountRows } from '@vidimus/core-types'
import { sql, TableOfAccounts, type Database } from '@vidimus/database'
import type { Network } from '@vidimus/ledger'

/** An embedded ledger's rows of accounts: they stay when an account is deleted. */
export function accountRows(database: Database, network: Network): AccountRows[] {
  const nameless = {
    fate: 'made nameless',
    which: sql`"network" = ${network}`,
    instead: sql`account_id = ''`,
  } as const
  return [
    new TableOfAccounts(database, {
      ...nameless,
      name: `versions of DID documents on ${network}, which stay`,
      table: 'ledger_did_version',
      id: ['home', 'network', 'did', 'version_id'],
    }),
    new TableOfAccounts(database, {
      ...nameless,
      name: `versions of status lists and other resources on ${network}, which stay`,
      table: 'ledger_resource',
      id: ['home', 'network', 'collection_id', 'id'],
    }),
  ]
}
