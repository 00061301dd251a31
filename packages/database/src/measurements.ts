import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  Counter,
  DURATION_BUCKETS,
  askedGauge,
  gauge,
  Histogram,
  log,
  secondsSince,
  type HistogramForm,
  type Measurement,
  type MeasurementForm,
  type NumberSample,
} from '@vidimus/core-types'

export const TRANSACTION_SECONDS: HistogramForm = {
  name: 'vidimus_database_transaction_duration_seconds',
  help: 'Duration of write transactions, from the request to the end of the COMMIT',
  labels: ['outcome'],
  buckets: DURATION_BUCKETS,
}

export const TRANSACTION_REPEATS: MeasurementForm = {
  name: 'vidimus_database_transaction_repeats_total',
  help: 'Write transactions that PostgreSQL asked to repeat',
}

export const WRITE_QUEUE: MeasurementForm = {
  name: 'vidimus_database_write_queue_length',
  help: 'Write transactions waiting for the lock or for a connection',
}

export const REMEMBERED_QUERIES: MeasurementForm = {
  name: 'vidimus_database_remembered_queries_total',
  help: 'Queries whose rows can be cached: hit if they were in the cache',
  labels: ['result'],
}

export const CONNECTIONS: MeasurementForm = {
  name: 'vidimus_database_connections',
  help: 'Open connections to PostgreSQL',
  labels: ['pool', 'state'],
}

export const CONNECTIONS_MOST: MeasurementForm = {
  name: 'vidimus_database_connections_max',
  help: 'Maximum number of open connections to PostgreSQL',
  labels: ['pool'],
}

export const CONNECTIONS_WAITING: MeasurementForm = {
  name: 'vidimus_database_connections_waiting',
  help: 'Callers waiting for a connection to PostgreSQL',
  labels: ['pool'],
}

export const REPLICATION_LAG: MeasurementForm = {
  name: 'vidimus_replication_lag_seconds',
  help: 'Replication lag of the server in use; 0 on the primary',
}

export const DISK_AVAILABLE: MeasurementForm = {
  name: 'vidimus_database_disk_available_bytes',
  help: 'Free space on the disk of the SQLite file',
}

export const DISK_SIZE: MeasurementForm = {
  name: 'vidimus_database_disk_size_bytes',
  help: 'Size of the disk of the SQLite file',
}

/** How the connections of a pool are used. */
export interface PoolUse {
  pool: 'read' | 'write'
  inUse: number
  idle: number
  waiting: number
  most: number
}

/** The values that a database can report at any time. */
export interface MeasuredEngine {
  readonly queueLength: number
  /** none if there is no pool */
  readonly pools: readonly PoolUse[]
  /** of SQLite */
  readonly file?: string
  /** of PostgreSQL: how far a standby is behind */
  behind?(): Promise<{ seconds: number } | undefined>
}

/** The most of them take some milliseconds. */
const SLOW_SECONDS = 1

/** The counters of a database. */
export class DatabaseCounts {
  readonly transactions = new Histogram(TRANSACTION_SECONDS)
  readonly repeats = new Counter(TRANSACTION_REPEATS)
  readonly remembered = new Counter(REMEMBERED_QUERIES, [['hit'], ['miss']])

  /** Runs a write transaction. @throws what it throws */
  async during<T>(write: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    let outcome = 'committed'
    try {
      return await write()
    } catch (error) {
      outcome = 'failed'
      throw error
    } finally {
      const seconds = secondsSince(startedAt)
      this.transactions.observe(seconds, outcome)
      if (seconds >= SLOW_SECONDS) {
        log('warn', 'a write transaction was slow', { durationMs: Math.round(seconds * 1000), outcome })
      }
    }
  }

  /** Everything that is measured of a database. */
  with(engine: MeasuredEngine): readonly Measurement[] {
    const { file } = engine
    return [
      this.transactions,
      this.repeats,
      this.remembered,
      gauge(WRITE_QUEUE, () => engine.queueLength),
      ...(file === undefined ? serverGauges(engine) : diskGauges(file)),
    ]
  }
}

function serverGauges(engine: MeasuredEngine): readonly Measurement[] {
  const perPool = (read: (use: PoolUse) => number) => (): NumberSample[] =>
    engine.pools.map((use) => ({ labels: [use.pool], value: read(use) }))
  return [
    gauge(CONNECTIONS, () =>
      engine.pools.flatMap(({ pool, inUse, idle }) => [
        { labels: [pool, 'in_use'], value: inUse },
        { labels: [pool, 'idle'], value: idle },
      ]),
    ),
    gauge(
      CONNECTIONS_MOST,
      perPool(({ most }) => most),
    ),
    gauge(
      CONNECTIONS_WAITING,
      perPool(({ waiting }) => waiting),
    ),
    askedGauge(REPLICATION_LAG, async () => (await engine.behind?.())?.seconds ?? 0),
  ]
}

function diskGauges(file: string): readonly Measurement[] {
  const disk = () => statfs(dirname(file))
  return [
    askedGauge(DISK_AVAILABLE, async () => {
      const { bavail, bsize } = await disk()
      return bavail * bsize
    }),
    askedGauge(DISK_SIZE, async () => {
      const { blocks, bsize } = await disk()
      return blocks * bsize
    }),
  ]
}
