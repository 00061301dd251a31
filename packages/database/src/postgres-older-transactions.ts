import { setTimeout as sleep } from 'node:timers/promises'
import { AgentError } from '@vidimus/core-types'
import { sql, type Sql } from './sql.js'

const LOOK_EVERY_MS = 20
const LONGEST_WAIT_MS = 300_000

/**
 * Waits for the transactions of this database that are in progress, as `CREATE INDEX CONCURRENTLY` does: by the lock
 * that each has on its own id. A transaction that has begun to read keeps its view, whatever is committed meanwhile.
 *
 * @throws AgentError `unavailable` if one of them has not ended after minutes
 */
export async function olderTransactionsEnd(
  query: (statement: Sql) => Promise<{ transaction: string }[]>,
  longestWaitMs = LONGEST_WAIT_MS,
): Promise<void> {
  const end = performance.now() + longestWaitMs
  let older = await transactionsUnderWay(query)
  while (older.length > 0) {
    if (performance.now() > end) {
      const message = `${older.length} transactions of the database do not end; end them (see pg_stat_activity) and try again`
      throw new AgentError('unavailable', message)
    }
    await sleep(LOOK_EVERY_MS)
    const present = new Set(await transactionsUnderWay(query))
    older = older.filter((transaction) => present.has(transaction))
  }
}

async function transactionsUnderWay(
  query: (statement: Sql) => Promise<{ transaction: string }[]>,
): Promise<string[]> {
  const rows = await query(sql`SELECT l."virtualxid" AS transaction FROM pg_locks l
    JOIN pg_stat_activity a ON a."pid" = l."pid"
    WHERE l."locktype" = 'virtualxid' AND l."granted" AND l."virtualxid" = l."virtualtransaction"
      AND a."datname" = current_database() AND l."pid" <> pg_backend_pid()`)
  return rows.map(({ transaction }) => transaction)
}
