import { AgentError, demandCaller, isAgentError, log, outsideOfRequests } from '@vidimus/core-types'
import pg from 'pg'
import type { DataSourceOptions } from 'typeorm'
import type { Connection, Reader } from './connection.js'
import type { DatabaseEngine, Release } from './database-engine.js'
import { toDatabaseError } from './errors.js'
import type { DatabaseCounts, PoolUse } from './measurements.js'
import {
  migrate,
  pendingMigrations,
  rememberedTables,
  type MigratedDatabase,
  type Migrations,
} from './migrate.js'
import { olderTransactionsEnd } from './postgres-older-transactions.js'
import { connectionConfig, PostgresPool } from './postgres-pool.js'
import { PostgresPresence } from './postgres-presence.js'
import { lockKey, PostgresTransactions } from './postgres-transactions.js'
import { newProcessName, RenewedShare, serverRoom, shareOf, type ServerRoom } from './postgres-share.js'
import { PostgresTurns } from './postgres-turns.js'
import { PostgresHomeWatch } from './home-versions.js'
import { Remembered } from './remembered.js'
import { whenThereIsRoom } from './room-for-connections.js'
import { sql, type Sql } from './sql.js'
import type { TurnOptions } from './turn-options.js'

export interface PostgresOptions {
  url: string
  location: string
  migrations: Migrations
  poolSize: number
  connectTimeoutMs: number
  statementTimeoutMs: number
  counts: DatabaseCounts
}

interface OpenDatabase {
  readers: PostgresPool
  writers: PostgresPool
  remembered: Remembered
  transactions: PostgresTransactions
  turns: PostgresTurns
  share: RenewedShare
}

/** How long a start waits for a connection that the server has no room for. */
const PATIENT_START_MS = 30_000

/**
 * PostgreSQL. Half of the connections are for writing, as those wait for other processes, and reading must not wait
 * behind them.
 */
export class PostgresEngine implements DatabaseEngine {
  readonly dialect = 'postgres'
  private opened: OpenDatabase | undefined
  private readonly shown: PostgresPresence
  private readonly processName = newProcessName()

  constructor(private readonly options: PostgresOptions) {
    this.shown = new PostgresPresence(() => this.connect(options.statementTimeoutMs))
  }

  get location(): string {
    return this.options.location
  }

  /** Its files are the server's own affair. */
  readonly isLost = false

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

  async open(importing: boolean): Promise<string[]> {
    try {
      const { applied, room } = await this.startWithRoom(() => this.migrate(importing))
      this.opened = this.begin(shareOf(room, this.options.poolSize))
      return applied
    } catch (error) {
      throw this.cannotOpen(error)
    }
  }

  async pendingMigrations(): Promise<string[]> {
    try {
      return await this.startWithRoom(() => this.missingMigrations())
    } catch (error) {
      throw this.cannotOpen(error)
    }
  }

  private async missingMigrations(): Promise<string[]> {
    const client = await this.connect()
    try {
      return await pendingMigrations(this.schemaSeenBy(client), this.options.migrations)
    } finally {
      await client.end()
    }
  }

  /** The log is the server's, for standbys and archives. */
  emptyLog(): Promise<boolean> {
    return Promise.resolve(true)
  }

  async close(): Promise<void> {
    const { opened } = this
    await opened?.transactions.idle()
    await this.shown.end()
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

  async remember<T>(home: number, key: string, read: (reader: Reader) => Promise<T>): Promise<T> {
    return this.active().remembered.find(home, key, read)
  }

  async write<T>(work: (connection: Connection) => Promise<T>, lane: string | undefined): Promise<T> {
    return this.active().transactions.run(work, lane)
  }

  async inTurn<T>(name: string, work: () => Promise<T>, options: TurnOptions): Promise<T> {
    return this.active().turns.take(name, work, options)
  }

  async readConsistently<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const pool = new PostgresPool({
      ...this.options,
      processName: this.processName,
      connections: 1,
      statementTimeoutMs: 0,
    })
    try {
      return await pool.use(
        async (connection) => {
          await connection.run(sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`)
          const result = await work(connection)
          await connection.run(sql`COMMIT`)
          return result
        },
        (client) => client.query('ROLLBACK'),
      )
    } finally {
      await pool.end()
    }
  }

  /** The lock is that of a connection of its own: it ends with the process, and where the connection breaks. */
  async lock(name: string): Promise<Release | undefined> {
    const client = await this.connect()
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

  private startWithRoom<T>(work: () => Promise<T>): Promise<T> {
    const tell = () => log('warn', 'the database has no room for another connection: the start waits for one')
    return whenThereIsRoom(work, PATIENT_START_MS, tell)
  }

  /** @param connections - of both pools */
  private begin(connections: number): OpenDatabase {
    const { migrations, counts } = this.options
    const tables = rememberedTables(migrations)
    const writers = this.pool(writersOf(connections), true)
    const readers = this.pool(readersOf(connections))
    const reader: Reader = {
      query: (statement) => readers.use((connection) => connection.query(statement)),
    }
    const share = new RenewedShare(() => outsideOfRequests(() => this.divide(reader, readers, writers)))
    return {
      writers,
      readers,
      share,
      remembered: new Remembered(reader, new PostgresHomeWatch(reader), tables, counts.remembered),
      transactions: new PostgresTransactions(writers, tables, counts.repeats),
      // Whoever has a turn needs another connection to write.
      turns: new PostgresTurns(writers, () => Math.floor(writers.occupancy.most / 2)),
    }
  }

  /** Keeps to what there is of connections for this process, now. */
  private async divide(reader: Reader, readers: PostgresPool, writers: PostgresPool): Promise<void> {
    const connections = shareOf(await serverRoom(reader), this.options.poolSize)
    writers.limitTo(writersOf(connections))
    readers.limitTo(readersOf(connections))
  }

  /** How the connections of the server are divided, and how many this process would have at the most. */
  async connections(): Promise<{ room: ServerRoom; poolSize: number }> {
    return { room: await serverRoom(this), poolSize: this.options.poolSize }
  }

  /** One process at a time: of ten that start together, nine wait and find nothing left to do. */
  private async migrate(importing: boolean): Promise<{ applied: string[]; room: ServerRoom }> {
    const client = await this.connect()
    try {
      await client.query('SELECT pg_advisory_lock(CAST($1 AS BIGINT))', [lockKey('migration')])
      const database = this.schemaSeenBy(client)
      const applied = await migrate(database, this.options.migrations, importing)
      return { applied, room: await serverRoom(database.reader) }
    } finally {
      await client.end()
    }
  }

  private schemaSeenBy(client: pg.Client): MigratedDatabase {
    const reader = { query: <Row>(statement: Sql) => rowsOf<Row>(client, statement) }
    return { location: this.location, dialect: 'postgres', reader, dataSource: this.dataSource() }
  }

  private async connect(statementTimeoutMs = 0): Promise<pg.Client> {
    const config = connectionConfig({ ...this.options, processName: this.processName, statementTimeoutMs })
    const connect = async () => {
      const client = new pg.Client(config)
      // Whoever uses it next is told.
      client.on('error', () => undefined)
      await client.connect()
      return client
    }
    try {
      return await whenThereIsRoom(connect, this.options.connectTimeoutMs)
    } catch (error) {
      throw toDatabaseError(error)
    }
  }

  private dataSource(): DataSourceOptions {
    return {
      type: 'postgres',
      driver: pg,
      extra: { connectionString: this.options.url },
      applicationName: this.processName,
      connectTimeoutMS: this.options.connectTimeoutMs,
      // A migration never needs more than one; an extension would need a superuser.
      poolSize: 1,
      installExtensions: false,
    }
  }

  private pool(connections: number, pipeline = false): PostgresPool {
    return new PostgresPool({ ...this.options, processName: this.processName, connections, pipeline })
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

const writersOf = (connections: number): number => Math.ceil(connections / 2)
const readersOf = (connections: number): number => Math.floor(connections / 2)

async function rowsOf<Row>(client: pg.Client, statement: Sql): Promise<Row[]> {
  const { rows } = await client.query(statement.text('postgres'), [...statement.values])
  return rows as Row[]
}
