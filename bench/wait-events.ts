import { Database, sql } from '@vidimus/database'

const PAUSE_MS = 20

/**
 * Looks again and again at what the connections of a PostgreSQL database are doing.
 *
 * @returns ends it; by the kind of wait, the part of all busy connections, the most frequent first
 */
export function watchWaits(url: string): () => Promise<[string, number][]> {
  const seen = new Map<string, number>()
  let watching = true
  const watched = watch()

  async function watch(): Promise<void> {
    const database = new Database({ url, migrations: [], postgres: { poolSize: 2 } })
    // Its schema belongs to others: reading needs no start of the service.
    await database.readConsistently(async (reader) => {
      while (watching) {
        const rows = await reader.query<{ doing: string; connections: number }>(BUSY)
        for (const { doing, connections } of rows) seen.set(doing, (seen.get(doing) ?? 0) + connections)
        await reader.query(sql`SELECT pg_stat_clear_snapshot()`)
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
    })
  }

  return async () => {
    watching = false
    await watched
    const all = [...seen.values()].reduce((sum, count) => sum + count, 0)
    const parts = [...seen].map(([doing, count]): [string, number] => [doing, count / all])
    return parts.sort(([, one], [, other]) => other - one)
  }
}

/** Between two statements of a transaction the server waits for the service, with its locks. */
const BUSY = sql`SELECT CASE WHEN state = 'idle in transaction' THEN 'the service, in a transaction'
      WHEN wait_event IS NULL THEN 'nothing: working' ELSE wait_event_type || ': ' || wait_event END AS doing,
    COUNT(*) AS connections
  FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND state IN ('active', 'idle in transaction')
  GROUP BY doing`
