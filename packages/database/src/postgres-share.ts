import { randomBytes } from 'node:crypto'
import type { Reader } from './connection.js'
import { sql } from './sql.js'

/** What a process uses beside its pools, such as the session of its presence. */
const BESIDE_POOLS = 1
/** One to read and one to write. */
const LEAST = 2
/** Processes come and go. */
const RENEW_MS = 2_000

/** How the connections of a server are divided among the processes of the service. */
export interface ServerRoom {
  /** the server's connections for roles other than superusers */
  room: number
  /** of them, those that other programs have */
  others: number
  /** processes of the service that have any, commands included */
  processes: number
}

/** The name of one process at the server: everything that it connects as. */
export const newProcessName = (): string => `vidimus ${randomBytes(4).toString('hex')}`

/**
 * How many connections the pools of one process may open: as many as configured, if the server has room for so many
 * in each process and in one more, which may be starting or be a command. Otherwise all get an equal share.
 */
export const processShare = ({ room, others, processes }: ServerRoom, configured: number): number =>
  Math.min(configured, Math.max(LEAST, Math.floor((room - others) / (processes + 1)) - BESIDE_POOLS))

/** Whether pools of the configured size leave nothing to divide. */
export const hasRoomForAll = ({ room, others, processes }: ServerRoom, configured: number): boolean =>
  (configured + BESIDE_POOLS) * processes <= room - others

/** Whether every process, and one more, can have the minimum. */
export const isEnough = ({ room, others, processes }: ServerRoom): boolean =>
  (LEAST + BESIDE_POOLS) * (processes + 1) <= room - others

/** Roles that may not see the activity of others still see their sessions and names. */
export async function serverRoom(reader: Reader): Promise<ServerRoom> {
  const isOwn = sql`application_name ~ '^vidimus ([0-9a-f]{8}|presence)$'`
  const [row] = await reader.query<ServerRoom>(
    sql`SELECT CAST(current_setting('max_connections') AS INTEGER)
        - CAST(current_setting('superuser_reserved_connections') AS INTEGER)
        - CAST(COALESCE(current_setting('reserved_connections', true), '0') AS INTEGER) AS room,
      COUNT(*) FILTER (WHERE NOT (${isOwn})) AS others,
      COUNT(DISTINCT application_name) FILTER (WHERE ${isOwn} AND application_name <> 'vidimus presence') AS processes
      FROM pg_stat_activity WHERE datid IS NOT NULL`,
  )
  if (!row) throw new Error('the server does not report its maximum of connections')
  return row
}

/** Asks again how much room there is, at most once per interval. */
export class RenewedShare {
  private askedAt = performance.now()

  /** @param renew - asks, and applies the result */
  constructor(private readonly renew: () => Promise<void>) {}

  /** Nothing waits for it. */
  look(): void {
    const now = performance.now()
    if (now - this.askedAt < RENEW_MS) return
    this.askedAt = now
    // If the server does not respond, the requests that need it report that.
    this.renew().catch(() => undefined)
  }
}
