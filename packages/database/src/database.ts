import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AgentError, parseOptions, type CheckResult, type HasLifecycle } from '@vidimus/core-types'
import { DataSource, type DataSourceOptions, type MigrationInterface } from 'typeorm'
import { z } from 'zod'
import { QueryRunnerConnection, type Connection } from './connection.js'
import { sqliteFile } from './database-url.js'
import { sql, type Sql } from './sql.js'
import { WriteQueue } from './write-queue.js'

type MigrationClass = new () => MigrationInterface
type EntityList = Exclude<DataSourceOptions['entities'], undefined>

const Options = z.strictObject({
  url: z.string().nullable(),
  dataDirectory: z.string().min(1).default('./data'),
  migrations: z.array(
    z.array(
      z.custom<MigrationClass>(
        (value) => typeof value === 'function',
        'has to be a list of migration classes',
      ),
    ),
  ),
  entities: z
    .array(
      z.custom<EntityList>(
        (value) => typeof value === 'object' && value !== null,
        'has to be a list of entities',
      ),
    )
    .default([]),
  busyTimeoutMs: z.int().min(0).default(10_000),
})

export interface DatabaseOptions {
  /** `sqlite:<path>`, a relative path starting at the working directory; `null`: `agent.sqlite` in the data directory */
  url: string | null
  /** where the file lies when there is no `url`; created for the owner alone */
  dataDirectory?: string
  /** each storing package's migrations; they run in the order of the time stamps in their names */
  migrations: readonly (readonly MigrationClass[])[]
  /** TypeORM entities that migrations of other packages ask for; nothing else uses them */
  entities?: readonly EntityList[]
  /** how long a write waits for another process, in milliseconds */
  busyTimeoutMs?: number
}

/**
 * The one database of an installation: SQLite in WAL mode with a queue for writes and a connection of its own for
 * reads, which therefore see committed rows only.
 *
 * TypeORM opens the file and runs the migrations. It does not run our transactions: its only SQLite connection lets
 * concurrent callers join each other's, and reports success before the COMMIT.
 */
export class Database implements HasLifecycle {
  readonly lifecycle = {
    start: () => this.open(),
    stop: () => this.close(),
    check: () => this.check(),
  }

  private readonly writer: DataSource
  private readonly reader: DataSource
  private readonly file: string
  private queue: WriteQueue | undefined
  private readConnection: Connection | undefined
  private opening: Promise<void> | undefined

  constructor(options: DatabaseOptions) {
    const { url, dataDirectory, migrations, entities, busyTimeoutMs } = parseOptions(Options, options)
    this.file = sqliteFile(url ?? `sqlite:${join(dataDirectory, 'agent.sqlite')}`)
    const connection = {
      type: 'sqlite',
      database: this.file,
      enableWAL: true,
      busyTimeout: busyTimeoutMs,
      synchronize: false,
      logging: false,
      invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    } as const
    this.writer = new DataSource({
      ...connection,
      migrations: migrations.flat(),
      entities: entities.flatMap((list) => Object.values(list)),
    })
    this.reader = new DataSource(connection)
  }

  /** Names of the migrations that were applied by this start, oldest first. */
  appliedMigrations: readonly string[] = []

  /** Where the database is, for the operator. */
  get location(): string {
    return this.file
  }

  /** Write transactions that wait for their turn. */
  get queueLength(): number {
    return this.queue?.length ?? 0
  }

  /** Rows as they stand after the last COMMIT. */
  query<Row>(statement: Sql): Promise<Row[]> {
    if (!this.readConnection) return Promise.reject(notOpen())
    return this.readConnection.query<Row>(statement)
  }

  /**
   * Runs `work` as one transaction and resolves after its COMMIT. Other writers wait meanwhile, so `work` does
   * nothing but statements: no network, no signing, no compression.
   *
   * @param work - may run on after an error of its own; what it throws undoes all of its statements
   */
  write<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (!this.queue) return Promise.reject(notOpen())
    return this.queue.run(work)
  }

  private open(): Promise<void> {
    this.opening ??= this.openOnce()
    return this.opening
  }

  private async openOnce(): Promise<void> {
    await mkdir(dirname(this.file), { recursive: true, mode: 0o700 })
    await this.writer.initialize()
    await this.refuseNewerSchema()
    const applied = await this.writer.runMigrations({ transaction: 'each' })
    this.appliedMigrations = applied.map(({ name }) => name)
    await this.reader.initialize()
    await this.reader.query('PRAGMA query_only = ON')
    this.queue = new WriteQueue(new QueryRunnerConnection(this.writer.createQueryRunner()))
    this.readConnection = new QueryRunnerConnection(this.reader.createQueryRunner())
  }

  private async refuseNewerSchema(): Promise<void> {
    const runner = this.writer.createQueryRunner()
    if (!(await runner.hasTable('migrations'))) return
    const rows = await new QueryRunnerConnection(runner).query<{ name: string }>(
      sql`SELECT name FROM migrations`,
    )
    const known = new Set(
      this.writer.migrations.map((migration) => migration.name ?? migration.constructor.name),
    )
    const unknown = rows.map(({ name }) => name).filter((name) => !known.has(name))
    if (unknown.length === 0) return
    throw new AgentError(
      'invalid_configuration',
      `the database ${this.file} was written by a newer version (it has the migration ${unknown.join(', ')}); ` +
        'start that version, or restore a backup made before it',
    )
  }

  private async close(): Promise<void> {
    await this.queue?.idle()
    this.queue = undefined
    this.readConnection = undefined
    if (this.reader.isInitialized) await this.reader.destroy()
    if (this.writer.isInitialized) await this.writer.destroy()
  }

  private async check(): Promise<CheckResult[]> {
    try {
      await this.reader.query('SELECT 1')
      return [{ name: 'database', ok: true }]
    } catch {
      return [{ name: 'database', ok: false, message: 'the database does not answer' }]
    }
  }
}

const notOpen = () => new AgentError('unavailable', 'the database is not open')
