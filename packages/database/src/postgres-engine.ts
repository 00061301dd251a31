import {
  AgentError,
  demandCaller,
  isAgentError,
  outsideOfRequests,
  type QueueName,
} from '@vidimus/core-types'
import type { Connection, Reader } from './connection.js'
import type { Behind, DatabaseEngine, Release } from './database-engine.js'
import { toDatabaseError } from './errors.js'
import type { DatabaseCounts, PoolUse } from './measurements.js'
import { rememberedTables, type Migrations } from './migrate.js'
import type { PostgresAddress } from './postgres-address.js'
import { ReplicationLag } from './postgres-lag.js'
import type { Lane } from './lanes.js'
import { olderTransactionsEnd } from './postgres-older-transactions.js'
import type { PostgresConnection } from './postgres-connection.js'
import { PostgresConnecting } from './postgres-connecting.js'
import { PostgresOpening } from './postgres-opening.js'
import { PostgresPool, type PostgresPoolOptions } from './postgres-pool.js'
import { PostgresPresence } from './postgres-presence.js'
import { FOR_WRITING } from './postgres-session.js'
import { lockKey, PostgresTransactions } from './postgres-transactions.js'
import { newProcessName, RenewedShare, serverRoom, processShare, type ServerRoom } from './postgres-share.js'
import { PostgresTurns } from './postgres-turns.js'
import { PostgresHomeWatch } from './home-versions.js'
import type { Moments } from './moments.js'
import { Remembered } from './remembered.js'
import { sql, type Sql } from './sql.js'
import type { TurnOptions } from './turn-options.js'

export interface PostgresOptions {
  address: PostgresAddress
  migrations: Migrations
  poolSize: number
  connectTimeoutMs: number
  statementTimeoutMs: number
  maxLagMs: number
  counts: DatabaseCounts
  moments: Moments
}

interface OpenDatabase {
  readers: PostgresPool
  writers: PostgresPool
  remembered: Remembered
  transactions: PostgresTransactions
  turns: PostgresTurns
  share: RenewedShare
}

/**
 * PostgreSQL. Half of the connections are for writing, as those wait for other processes, and reading must not wait
 * behind them.
 */
export class PostgresEngine implements DatabaseEngine {
  readonly dialect = 'postgres'
  private opened: OpenDatabase | undefined
  private readonly shown: PostgresPresence
  private readonly processName = newProcessName()
  private readonly connecting: PostgresConnecting
  private readonly opening: PostgresOpening
  private readonly lag = new ReplicationLag((statement) => this.query(statement))

  constructor(private readonly options: PostgresOptions) {
    const named = { ...options, processName: this.processName }
    this.connecting = new PostgresConnecting(named)
    this.opening = new PostgresOpening(this.connecting, named)
    this.shown = new PostgresPresence(() => this.connecting.connect(options.statementTimeoutMs))
  }

  get location(): string {
    return this.options.address.location
  }

  /** Its files are the server's own affair. */
  readonly isLost = false

  async behind(): Promise<Behind | undefined> {
    const seconds = await this.lag.seconds()
    return seconds === undefined ? undefined : { seconds, most: this.options.maxLagMs / 1000 }
  }

  get queueLength(): number {
    return this.opened?.transactions.waiting ?? 0
  }

  get pools(): readonly PoolUse[] {
    if (!this.opened) return []
    const { readers, writers } = this.opened
    return [
      { pool: 'read', ...readers.occupancy },
      { pool: 'write', ...writers.occupancy },
    ]
  }

  async open(importing: boolean, readsOnly: boolean): Promise<string[]> {
    try {
      const { applied, room } = await this.opening.open(importing, readsOnly)
      this.opened = this.begin(processShare(room, this.options.poolSize))
      if (readsOnly) this.lag.begin()
      else this.connecting.servers.demandWritable()
      return applied
    } catch (error) {
      throw this.cannotOpen(error)
    }
  }

  async pendingMigrations(readsOnly: boolean): Promise<string[]> {
    try {
      return await this.opening.pendingMigrations(readsOnly)
    } catch (error) {
      throw this.cannotOpen(error)
    }
  }

  /** The log is the server's, for standbys and archives. */
  emptyLog(): Promise<boolean> {
    return Promise.resolve(true)
  }

  async close(): Promise<void> {
    const { opened } = this
    await opened?.transactions.idle()
    await Promise.all([this.shown.end(), this.lag.stop()])
    this.opened = undefined
    opened?.remembered.forget()
    await Promise.all([opened?.writers.end(), opened?.readers.end()])
  }

  async query<Row>(statement: Sql): Promise<Row[]> {
    return this.active().readers.use((connection) => {
      // A connection may have been waited for.
      demandCaller()
      return connection.query<Row>(statement)
    })
  }

  async remember<T>(homes: readonly number[], key: string, read: (reader: Reader) => Promise<T>): Promise<T> {
    return this.active().remembered.find(homes, key, read)
  }

  async write<T>(work: (connection: Connection) => Promise<T>, lane: Lane | undefined): Promise<T> {
    return this.active().transactions.run(work, lane)
  }

  async inTurn<T>(name: QueueName, work: () => Promise<T>, options: TurnOptions): Promise<T> {
    return this.active().turns.take(name, work, options)
  }

  readConsistently<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const inTransaction = async (connection: PostgresConnection) => {
      await connection.run(sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`)
      const result = await work(connection)
      await connection.run(sql`COMMIT`)
      return result
    }
    return this.withoutTimeLimits((pool) => pool.use(inTransaction, (client) => client.query('ROLLBACK')))
  }

  alterTables<T>(work: (connection: Reader) => Promise<T>): Promise<T> {
    return this.withoutTimeLimits((pool) => pool.use(work))
  }

  private async withoutTimeLimits<T>(work: (pool: PostgresPool) => Promise<T>): Promise<T> {
    const { connecting, processName } = this
    const pool = new PostgresPool({
      ...this.options,
      servers: connecting.servers,
      processName,
      connections: 1,
      statementTimeoutMs: 0,
    })
    try {
      return await work(pool)
    } finally {
      await pool.end()
    }
  }

  /** The lock is on a dedicated connection: it ends with the process, or if the connection breaks. */
  async lock(name: QueueName): Promise<Release | undefined> {
    const client = await this.connecting.connect(0)
    try {
      const { rows } = await client.query<{ locked: string }>(
        'SELECT pg_try_advisory_lock(CAST($1 AS BIGINT))::text AS locked',
        [lockKey(name)],
      )
      if (rows[0]?.locked === 'true') return () => client.end()
    } catch (error) {
      await client.end().catch(() => undefined)
      throw toDatabaseError(error)
    }
    await client.end()
    return undefined
  }

  async presence(): Promise<string> {
    this.active()
    return this.shown.take()
  }

  async othersPresent(): Promise<number> {
    const [row] = await this.query<{ count: number }>(PostgresPresence.present)
    return (row?.count ?? 0) - (this.shown.isTaken ? 1 : 0)
  }

  async isPresent(id: string): Promise<boolean> {
    const [row] = await this.query<{ free: string }>(PostgresPresence.isFree(id))
    return row?.free !== 'true'
  }

  async now(): Promise<Date> {
    const [row] = await this.query<{ now: number }>(
      sql`SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS now`,
    )
    return new Date(row?.now ?? Number.NaN)
  }

  olderTransactionsEnd(): Promise<void> {
    return olderTransactionsEnd((statement) => this.query(statement))
  }

  /** @param connections - of both pools */
  private begin(connections: number): OpenDatabase {
    const { migrations, counts, moments } = this.options
    const tables = rememberedTables(migrations)
    const writers = this.pool(writerConnections(connections), { pipeline: true, settings: FOR_WRITING })
    const readers = this.pool(readerConnections(connections))
    const reader: Reader = {
      query: (statement) => readers.use((connection) => connection.query(statement)),
    }
    const share = new RenewedShare(() => outsideOfRequests(() => this.divide(reader, readers, writers)))
    return {
      writers,
      readers,
      share,
      remembered: new Remembered(reader, new PostgresHomeWatch(reader), tables, moments, counts.remembered),
      transactions: new PostgresTransactions(writers, tables, counts.repeats),
      // The holder of the lock needs another connection to write.
      turns: new PostgresTurns(writers, () => Math.floor(writers.occupancy.most / 2)),
    }
  }

  /** Keeps to what there is of connections for this process, now. */
  private async divide(reader: Reader, readers: PostgresPool, writers: PostgresPool): Promise<void> {
    const connections = processShare(await serverRoom(reader), this.options.poolSize)
    writers.limitTo(writerConnections(connections))
    readers.limitTo(readerConnections(connections))
  }

  /** How the server's connections are divided, and how many this process may have at most. */
  async connections(): Promise<{ room: ServerRoom; poolSize: number }> {
    return { room: await serverRoom(this), poolSize: this.options.poolSize }
  }

  private pool(
    connections: number,
    use: Pick<PostgresPoolOptions, 'pipeline' | 'settings'> = {},
  ): PostgresPool {
    const { servers } = this.connecting
    return new PostgresPool({
      ...this.options,
      servers,
      processName: this.processName,
      connections,
      ...use,
    })
  }

  private active(): OpenDatabase {
    if (!this.opened) throw new AgentError('unavailable', 'the database is not open')
    this.opened.share.look()
    return this.opened
  }

  private cannotOpen(error: unknown): AgentError {
    if (isAgentError(error) && error.code !== 'unavailable') return error
    const known = toDatabaseError(error)
    const reason =
      isAgentError(known) && known.cause instanceof Error
        ? `${known.message} (${known.cause.message})`
        : known.message
    return new AgentError('unavailable', `the database ${this.location} cannot be opened: ${reason}`, {
      cause: error,
    })
  }
}

const writerConnections = (connections: number): number => Math.ceil(connections / 2)
const readerConnections = (connections: number): number => Math.floor(connections / 2)
