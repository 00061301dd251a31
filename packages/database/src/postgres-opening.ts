import { AgentError, log, queueName } from '@vidimus/core-types'
import type pg from 'pg'
import type { DataSourceOptions } from 'typeorm'
import { loadPg } from './load-pg.js'
import {
  demandMigrated,
  migrate,
  pendingMigrations,
  type MigratedDatabase,
  type Migrations,
} from './migrate.js'
import { readRole, type ConnectingOptions, type PostgresConnecting } from './postgres-connecting.js'
import { demandOwnSessions } from './postgres-session.js'
import { serverRoom, type ServerRoom } from './postgres-share.js'
import { lockKey } from './postgres-transactions.js'
import { whenThereIsRoom } from './room-for-connections.js'
import type { Sql } from './sql.js'

/** How a start found the server. */
interface Opening {
  /** names of the migrations that it applied */
  applied: string[]
  room: ServerRoom
}

/** How long a start waits for a connection that the server has no room for. */
const PATIENT_START_MS = 30_000

/** Checks before a process begins whether it can work with the server, and brings its tables up to date. */
export class PostgresOpening {
  constructor(
    private readonly connecting: PostgresConnecting,
    private readonly options: ConnectingOptions & { migrations: Migrations },
  ) {}

  /**
   * @param importing - whether an unfinished import is allowed
   * @param readsOnly - changes nothing, so that a standby is accepted
   */
  open(importing: boolean, readsOnly: boolean): Promise<Opening> {
    return this.onOneConnection((database, client) =>
      readsOnly ? this.lookAtSchema(database, client) : this.migrate(database, client, importing),
    )
  }

  pendingMigrations(readsOnly: boolean): Promise<string[]> {
    return this.onOneConnection(async (database, client) => {
      if (!readsOnly) await this.demandPrimary(client)
      return pendingMigrations(database, this.options.migrations)
    })
  }

  /** One process at a time: of ten that start together, nine wait and find nothing left to do. */
  private async migrate(database: MigratedDatabase, client: pg.Client, importing: boolean): Promise<Opening> {
    await this.demandPrimary(client)
    await this.demandOwnSessions(client)
    await client.query('SELECT pg_advisory_lock(CAST($1 AS BIGINT))', [lockKey(queueName('migration'))])
    const applied = await migrate(database, this.options.migrations, importing)
    return { applied, room: await serverRoom(database.reader) }
  }

  private async lookAtSchema(database: MigratedDatabase, client: pg.Client): Promise<Opening> {
    await this.demandOwnSessions(client)
    await demandMigrated(database, this.options.migrations)
    return { applied: [], room: await serverRoom(database.reader) }
  }

  private async demandPrimary(client: pg.Client): Promise<void> {
    if (!(await readRole(client)).isStandby) return
    throw new AgentError(
      'invalid_configuration',
      `the database ${this.options.address.location} is a standby, which is read-only: ` +
        'give the address of its primary, or start with --read-only',
    )
  }

  private async demandOwnSessions(client: pg.Client): Promise<void> {
    const other = await this.connecting.connect(0)
    try {
      await demandOwnSessions(client, other)
    } finally {
      await other.end()
    }
  }

  private onOneConnection<T>(
    work: (database: MigratedDatabase, client: pg.Client) => Promise<T>,
  ): Promise<T> {
    const tell = () => log('warn', 'the database has no free connection; waiting for one')
    return whenThereIsRoom(() => this.connected(work), PATIENT_START_MS, tell)
  }

  private async connected<T>(
    work: (database: MigratedDatabase, client: pg.Client) => Promise<T>,
  ): Promise<T> {
    const server = await this.connecting.servers.find()
    const client = await this.connecting.connect(0)
    const reader = { query: <Row>(statement: Sql) => queryRows<Row>(client, statement) }
    const { location } = this.options.address
    try {
      return await work(
        { location, dialect: 'postgres', reader, dataSource: this.dataSource(server) },
        client,
      )
    } finally {
      await client.end()
    }
  }

  private dataSource(server: string): DataSourceOptions {
    return {
      type: 'postgres',
      driver: loadPg(),
      extra: { connectionString: server },
      applicationName: this.options.processName,
      connectTimeoutMS: this.options.connectTimeoutMs,
      // A migration never needs more than one; an extension would need a superuser.
      poolSize: 1,
      installExtensions: false,
    }
  }
}

async function queryRows<Row>(client: pg.Client, statement: Sql): Promise<Row[]> {
  const { rows } = await client.query(statement.text('postgres'), [...statement.values])
  return rows as Row[]
}
