import type pg from 'pg'
import { isOfPart, toDatabaseError } from './errors.js'
import { loadPg } from './load-pg.js'
import { hasNoRoom, whenThereIsRoom } from './room-for-connections.js'
import { columnTypes, PostgresConnection, StatementNames } from './postgres-connection.js'
import type { PostgresServers } from './postgres-servers.js'
import { setUpSession, SILENT_MS, UNUSED_AT_SERVER_MS } from './postgres-session.js'
import { sql } from './sql.js'

export interface PostgresPoolOptions {
  servers: PostgresServers
  /** of this process, see {@link newProcessName} */
  processName: string
  connections: number
  /** how long to wait for a connection, if all are in use or if the server does not respond */
  connectTimeoutMs: number
  /** how long a statement may take, waiting for locks included; 0: for ever */
  statementTimeoutMs: number
  /** sends statements without waiting for earlier responses; default: each waits for the previous one */
  pipeline?: boolean
  /** of its sessions, as statements */
  settings?: string
}

/** The pool waits for what `onConnect` begins, which the driver's types do not show. */
type PoolConfig = Omit<pg.PoolConfig, 'onConnect' | 'Client'> & {
  Client: typeof pg.Client
  onConnect: (client: pg.ClientBase) => Promise<void>
  pipeline: boolean
}

/** The extra time for the server to report, beyond its own limit, that a statement took too long. */
const ANSWER_GRACE_MS = 2_000

/** Unused connections are closed after this time. */
const UNUSED_MS = 10_000

/** After the server had no room, it is asked for another connection again so late. */
const FULL_MS = 1_000

/** Connections to PostgreSQL: a limited number, and none that a failure may have left in the middle of something. */
export class PostgresPool {
  private readonly pool: pg.Pool
  private readonly names = new StatementNames()
  private limit: number
  /** until when the server is taken to have no room for one more */
  private fullUntil = 0

  constructor(private readonly options: PostgresPoolOptions) {
    this.limit = options.connections
    const config: PoolConfig = {
      ...connectionConfig(options),
      max: options.connections,
      idleTimeoutMillis: UNUSED_MS,
      Client: serverClients(),
      onConnect: (client) => setUpSession(client, options.statementTimeoutMs, options.settings),
      pipeline: options.pipeline ?? false,
    }
    this.pool = new (loadPg().Pool)(config)
    // A connection that ends while unused leaves the pool by itself; the next use opens another one.
    this.pool.on('error', () => undefined)
  }

  /** How its connections are used at this moment. */
  get occupancy(): { inUse: number; idle: number; waiting: number; most: number } {
    const { totalCount, idleCount, waitingCount } = this.pool
    return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount, most: this.limit }
  }

  /** Reduces the number of connections: excess ones are closed as soon as they are unused. */
  limitTo(connections: number): void {
    this.limit = connections
    void this.closeUnused()
  }

  /** How many wait for a connection. */
  get waiting(): number {
    return this.pool.waitingCount
  }

  /**
   * Lends a connection.
   *
   * @param settle - resets the connection after `work` has failed; if that fails too, the connection is closed
   * @throws AgentError `unavailable` if there is none in time, and what `work` throws
   */
  async use<T>(
    work: (connection: PostgresConnection) => Promise<T>,
    settle: (connection: pg.PoolClient) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<T> {
    const client = await this.connect()
    let lost: Error | undefined
    const lose = (error: Error) => (lost = error)
    client.on('error', lose)
    try {
      const connection = new PostgresConnection(client, this.names)
      const value = await work(connection)
      lost ??= connection.lost
      return value
    } catch (error) {
      // A statement that ran out of time may still be running.
      lost ??= isRefusal(error) ? await awaitFailure(settle(client)) : asError(error)
      if (lost) this.options.servers.lost(serverName(client))
      throw error
    } finally {
      client.removeListener('error', lose)
      client.release(lost ?? this.hasTooMany)
    }
  }

  end(): Promise<void> {
    return this.pool.end()
  }

  private get hasTooMany(): boolean {
    return this.pool.totalCount > this.limit
  }

  private async closeUnused(): Promise<void> {
    while (this.hasTooMany && this.pool.idleCount > 0 && !this.pool.ending) {
      const unused = await this.pool.connect().catch(() => undefined)
      if (!unused) return
      unused.release(this.hasTooMany)
    }
  }

  /** If the server has no room for one more, the existing ones must do. */
  private async connect(): Promise<pg.PoolClient> {
    const connect = (server: string) => {
      const isFull = performance.now() < this.fullUntil && this.pool.totalCount > 0
      this.pool.options.max = isFull ? Math.min(this.limit, this.pool.totalCount) : this.limit
      return this.connectTo(server).catch((error: unknown) => {
        if (hasNoRoom(error)) this.fullUntil = performance.now() + FULL_MS
        throw error
      })
    }
    try {
      return await whenThereIsRoom(() => this.options.servers.connect(connect), this.options.connectTimeoutMs)
    } catch (error) {
      throw toDatabaseError(error)
    }
  }

  /** Those to a server that serves no longer are closed. */
  private async connectTo(server: string): Promise<pg.PoolClient> {
    for (;;) {
      this.pool.options.connectionString = server
      const client = await this.pool.connect()
      if (serverName(client) === server) return client
      client.release(true)
    }
  }
}

/** Which server a connection of a pool is to. */
const servers = new WeakMap<pg.ClientBase, string | undefined>()

const serverClients = (): typeof pg.Client =>
  class extends loadPg().Client {
    constructor(config: pg.ClientConfig = {}) {
      super(config)
      servers.set(this, config.connectionString)
    }
  }

const serverName = (client: pg.PoolClient): string | undefined => servers.get(client)

/** How long a connection that holds locks outside of a transaction may be silent, in place of an unused one. */
export const HOLDING = sql`set_config('idle_session_timeout', ${String(SILENT_MS)}, false)`

/** Gives all of these locks back. */
export const LETTING_GO = `SELECT pg_advisory_unlock_all(), set_config('idle_session_timeout', '${UNUSED_AT_SERVER_MS}', false)`

/** How connections are made, also those that do not belong to a pool; {@link setUpSession} is to follow. */
export const connectionConfig = ({
  processName,
  connectTimeoutMs,
  statementTimeoutMs,
}: Pick<
  PostgresPoolOptions,
  'processName' | 'connectTimeoutMs' | 'statementTimeoutMs'
>): pg.ClientConfig => ({
  application_name: processName,
  connectionTimeoutMillis: connectTimeoutMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: UNUSED_MS,
  types: columnTypes,
  ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + ANSWER_GRACE_MS }),
})

/**
 * Whether the server itself refused the statement: then the connection is intact, unless the server accepts no more
 * writes. What it reports of others is not about this connection.
 */
const isRefusal = (error: unknown): boolean => {
  if (isOfPart(error)) return true
  const cause = error instanceof Error && error.name === 'AgentError' ? error.cause : error
  // Everything but driver failures comes from the work itself.
  if (!(cause instanceof Error) || cause.name !== 'DatabaseError') return true
  const { code } = cause as Error & { code?: string }
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !/^(08P01|57P|25006)/.test(code)
}

const awaitFailure = (settled: Promise<unknown>): Promise<Error | undefined> =>
  settled.then(
    () => undefined,
    (error: unknown) => asError(error),
  )

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
