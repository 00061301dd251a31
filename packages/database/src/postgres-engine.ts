import { AgentError, demandCaller, isAgentError } from '@vidimus/core-types'
import pg from 'pg'
import type { DataSourceOptions } from 'typeorm'
import type { Connection } from './connection.js'
import type { DatabaseEngine, Reader, Release } from './database-engine.js'
import { toDatabaseError } from './errors.js'
import type { DatabaseCounts, PoolUse } from './measurements.js'
import { migrate, pendingMigrations, type Migrations } from './migrate.js'
import { olderTransactionsEnd } from './postgres-older-transactions.js'
import { connectionConfig, PostgresPool } from './postgres-pool.js'
import { PostgresPresence } from './postgres-presence.js'
import { lockKey, PostgresTransactions } from './postgres-transactions.js'
import { PostgresTurns } from './postgres-turns.js'
import { RememberedQueries } from './remembered-queries.js'
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
  remembered: RememberedQueries
  transactions: PostgresTransactions
  turns: PostgresTurns
}

/**
 * PostgreSQL. Half of the connections are for writing, as those wait for other processes, and reading must not wait
 * behind them.
 */
export class PostgresEngine implements DatabaseEngine {
  readonly dialect = 'postgres'
  private opened: OpenDatabase | undefined
  private readonly shown: PostgresPresence

  constructor(private readonly options: PostgresOptions) {
    this.shown = new PostgresPresence(() => this.connect(options.statementTimeoutMs))
  }

  get location(): string {
    return this.options.location
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

  async open(importing: boolean): Promise<string[]> {
    try {
      const applied = await this.migrate(importing)
      const writers = this.pool(Math.ceil(this.options.poolSize / 2))
      const readers = this.pool(Math.floor(this.options.poolSize / 2))
      const reader: Reader = {
        query: (statement) => readers.use((connection) => connection.query(statement)),
      }
      this.opened = {
        writers,
        readers,
        // What a snapshot sees is all in its text: the same text, the same rows.
        remembered: new RememberedQueries(
          reader,
          sql`SELECT pg_current_snapshot()::text AS state`,
          'postgres',
          this.options.counts.remembered,
        ),
        transactions: new PostgresTransactions(writers, this.options.counts.repeats),
        turns: new PostgresTurns(writers, Math.floor(this.options.poolSize / 4)),
      }
      return applied
    } catch (error) {
      throw this.cannotOpen(error)
    }
  }

  async pendingMigrations(): Promise<string[]> {
    try {
      return await pendingMigrations(this.location, this.dataSource(), this.options.migrations)
    } catch (error) {
      throw this.cannotOpen(error)
    }
  }

  async close(): Promise<void> {
    const { opened } = this
    await opened?.transactions.idle()
    await this.shown.end()
    this.opened = undefined
    await Promise.all([opened?.writers.end(), opened?.readers.end()])
  }

  async query<Row>(statement: Sql): Promise<Row[]> {
    return this.active().readers.use((connection) => {
      // A connection may have been waited for.
      demandCaller()
      return connection.query<Row>(statement)
    })
  }

  async queryRemembered<Row>(statement: Sql): Promise<readonly Row[]> {
    return this.active().remembered.query<Row>(statement)
  }

  async write<T>(work: (connection: Connection) => Promise<T>, lane: string | undefined): Promise<T> {
    return this.active().transactions.run(work, lane)
  }

  async inTurn<T>(name: string, work: () => Promise<T>, options: TurnOptions): Promise<T> {
    return this.active().turns.take(name, work, options)
  }

  async readConsistently<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const pool = new PostgresPool({ ...this.options, connections: 1, statementTimeoutMs: 0 })
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

  /** One process at a time: of ten that start together, nine wait and find nothing left to do. */
  private async migrate(importing: boolean): Promise<string[]> {
    const client = await this.connect()
    try {
      await client.query('SELECT pg_advisory_lock(CAST($1 AS BIGINT))', [lockKey('migration')])
      return await migrate(this.location, this.dataSource(), this.options.migrations, importing)
    } finally {
      await client.end()
    }
  }

  private async connect(statementTimeoutMs = 0): Promise<pg.Client> {
    const client = new pg.Client(connectionConfig({ ...this.options, statementTimeoutMs }))
    // Whoever uses it next is told.
    client.on('error', () => undefined)
    try {
      await client.connect()
      return client
    } catch (error) {
      throw toDatabaseError(error)
    }
  }

  private dataSource(): DataSourceOptions {
    return {
      type: 'postgres',
      driver: pg,
      extra: { connectionString: this.options.url },
      applicationName: 'vidimus',
      connectTimeoutMS: this.options.connectTimeoutMs,
      // A migration never needs more than one; an extension would need a superuser.
      poolSize: 1,
      installExtensions: false,
    }
  }

  private pool(connections: number): PostgresPool {
    return new PostgresPool({ ...this.options, connections })
  }

  private active(): OpenDatabase {
    if (!this.opened) throw new AgentError('unavailable', 'the database is not open')
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
