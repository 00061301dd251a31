import type { Finding } from '@vidimus/core-types'
import type { DatabaseEngine } from './database-engine.js'
import { sql } from './sql.js'

/** What of all connections of the server may be in use before somebody should look. */
const MOST_CONNECTIONS_USED = 0.8
/** Beyond these differences the clock of the machine is one to look at, and no longer one to sign with. */
const [SMALL_DIFFERENCE_MS, LARGE_DIFFERENCE_MS] = [2_000, 60_000]

/** How an open database stands, for an operator. */
export async function diagnose(engine: DatabaseEngine): Promise<Finding[]> {
  if (engine.dialect === 'sqlite') return [await sqliteFinding(engine)]
  return [await postgresFinding(engine), await clockFinding(engine)]
}

async function sqliteFinding(engine: DatabaseEngine): Promise<Finding> {
  const [row] = await engine.query<{ version: string; bytes: number }>(
    sql`SELECT sqlite_version() AS version, page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()`,
  )
  const size = megabytes(row?.bytes)
  return { name: 'database', level: 'ok', message: `SQLite ${row?.version}, ${size}, ${engine.location}` }
}

async function postgresFinding(engine: DatabaseEngine): Promise<Finding> {
  const [row] = await engine.query<{ version: string; bytes: number; used: number; most: number }>(
    sql`SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes,
      (SELECT SUM(numbackends) FROM pg_stat_database) AS used, CAST(current_setting('max_connections') AS INTEGER) AS most`,
  )
  const { used = 0, most = 0 } = row ?? {}
  const [inUse, all] = [Number(used), Number(most)]
  const message = `PostgreSQL ${row?.version}, ${megabytes(row?.bytes)}, ${inUse} of ${all} connections in use, ${engine.location}`
  if (inUse < all * MOST_CONNECTIONS_USED) return { name: 'database', level: 'ok', message }
  const advice = 'lower DATABASE_POOL_SIZE, run fewer processes, or raise max_connections of the server'
  return { name: 'database', level: 'warn', message, advice }
}

/** Several machines sign and date on one database: their clocks have to agree. */
async function clockFinding(engine: DatabaseEngine): Promise<Finding> {
  const asked = Date.now()
  const there = (await engine.now()).getTime()
  const [before, after] = [asked - there, Date.now() - there]
  // The database looked at its clock at some moment in between.
  const difference = Math.max(0, before, -after)
  const direction = before > 0 ? 'ahead of' : 'behind'
  if (difference < SMALL_DIFFERENCE_MS) {
    return { name: 'clock', level: 'ok', message: 'that of the database agrees' }
  }
  return {
    name: 'clock',
    level: difference < LARGE_DIFFERENCE_MS ? 'warn' : 'fail',
    message: `this machine is ${(difference / 1000).toFixed(1)} s ${direction} the database`,
    advice: 'let both machines take their time from NTP',
  }
}

const megabytes = (bytes = 0): string => `${(bytes / 1e6).toFixed(1)} MB`
