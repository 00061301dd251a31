import type { Finding } from '@vidimus/core-types'
import type { DatabaseEngine } from './database-engine.js'
import { hasRoomForAll, isEnough, processShare } from './postgres-share.js'
import { sql } from './sql.js'

/** Beyond these differences the clock of the machine is one to look at, and no longer one to sign with. */
const [SMALL_DIFFERENCE_MS, LARGE_DIFFERENCE_MS] = [2_000, 60_000]

/** The state of an open database, for an operator. */
export async function diagnose(engine: DatabaseEngine): Promise<Finding[]> {
  if (engine.dialect === 'sqlite') return [await sqliteFinding(engine)]
  return [await postgresFinding(engine), ...(await connectionsFinding(engine)), await clockFinding(engine)]
}

async function sqliteFinding(engine: DatabaseEngine): Promise<Finding> {
  const [row] = await engine.query<{ version: string; bytes: number }>(
    sql`SELECT sqlite_version() AS version, page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()`,
  )
  const size = megabytes(row?.bytes)
  return { name: 'database', level: 'ok', message: `SQLite ${row?.version}, ${size}, ${engine.location}` }
}

async function postgresFinding(engine: DatabaseEngine): Promise<Finding> {
  const [row] = await engine.query<{ version: string; bytes: number }>(
    sql`SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes`,
  )
  const message = `PostgreSQL ${row?.version}, ${megabytes(row?.bytes)}, ${engine.location}`
  return { name: 'database', level: 'ok', message }
}

/** Every process may open as many as its pools are large, and they all share those of the server. */
async function connectionsFinding(engine: DatabaseEngine): Promise<Finding[]> {
  const use = await engine.connections?.()
  if (!use) return []
  const name = 'connections'
  const { room, poolSize } = use
  // This command is one of them, and ends soon.
  const running = { ...room, processes: Math.max(1, room.processes - 1) }
  const { processes, others } = running
  const message =
    `room for ${room.room} connections, ${others} used by other programs; ` +
    `${processes} ${processes === 1 ? 'process' : 'processes'} with up to ${poolSize} and one more each`
  if (hasRoomForAll(running, poolSize)) return [{ name, level: 'ok', message }]
  const each = processShare(running, poolSize)
  return [
    {
      name,
      level: isEnough(running) ? 'warn' : 'fail',
      message: `${message}: each has ${each} for its pools`,
      advice: 'lower DATABASE_POOL_SIZE, run fewer processes, or raise max_connections of the server',
    },
  ]
}

/** Several machines sign and date on one database: their clocks must agree. */
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
    advice: 'synchronise both clocks with NTP',
  }
}

const megabytes = (bytes = 0): string => `${(bytes / 1e6).toFixed(1)} MB`
