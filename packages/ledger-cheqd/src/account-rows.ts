import type { AccountRows, Network } from '@vidimus/core-types'
import { sql, TableOfAccounts, type Database } from '@vidimus/database'
import { BUDGETS } from './spending.js'

/** Rows that are deleted with an account: its queued messages are sent before. */
export function accountRows({ database, network }: { database: Database; network: Network }): AccountRows[] {
  const messages = { table: 'cheqd_message', id: ['id'] } as const
  const ended = sql`"state" IN ('done', 'failed')`
  return [
    new TableOfAccounts(database, {
      ...messages,
      name: `messages on their way to ${network}`,
      fate: 'waited for',
      which: sql`"network" = ${network} AND NOT (${ended})`,
    }),
    new TableOfAccounts(database, {
      ...messages,
      name: `messages to ${network} that have ended`,
      fate: 'made nameless',
      which: sql`"network" = ${network} AND ${ended}`,
      instead: sql`account_id = ''`,
    }),
    BUDGETS.rowsOf(database, 'days with costs'),
  ]
}
