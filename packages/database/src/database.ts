import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  AgentError,
  createFolder,
  fileObstacle,
  isAgentError,
  parseOptions,
  systemCodeOf,
  type CheckResult,
  type HasLifecycle,
} from '@vidimus/core-types'
import { z } from 'zod'
import type { Connection } from './connection.js'
import { sqliteFile } from './database-url.js'
import { toDatabaseError } from './errors.js'
import { migrate, type EntityList, type MigrationClass } from './migrate.js'
import { lockFile, type Release } from './process-lock.js'
import { RememberedQueries } from './remembered-queries.js'
import { sql, type Sql } from './sql.js'
import { SqliteConnection } from './sqlite-connection.js'
import { WriteQueue } from './write-queue.js'

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
 * TypeORM runs the migrations and nothing else: its only SQLite connection lets concurrent callers join each other's
 * transactions, and reports success before the COMMIT.
 */
export class Database implements HasLifecycle {
  readonly lifecycle = {
    start: () => this.open(),
    stop: () => this.close(),
    check: () => this.check(),
  }

  private readonly options: z.output<typeof Options>
  private readonly file: string
  private writer: SqliteConnection | undefined
  private reader: SqliteConnection | undefined
  private remembered: RememberedQueries | undefined
  private queue: WriteQueue | undefined
  private opening: Promise<void> | undefined

  constructor(options: DatabaseOptions) {
    this.options = parseOptions(Options, options)
    this.file = sqliteFile(this.options.url ?? `sqlite:${join(this.options.dataDirectory, 'agent.sqlite')}`)
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
    if (!this.reader) return Promise.reject(notOpen())
    return this.reader.query<Row>(statement)
  }

  /**
   * As {@link query}, for look-ups that are repeated much more often than anything changes: the rows are remembered
   * until the next COMMIT of whatever process. Callers share them and must not change them.
   */
  queryRemembered<Row>(statement: Sql): Promise<readonly Row[]> {
    if (!this.remembered) return Promise.reject(notOpen())
    return this.remembered.query<Row>(statement)
  }

  /**
   * Runs `work` as one transaction and resolves after its COMMIT. Other writers wait meanwhile, so `work` does
   * nothing but statements: no network, no signing, no compression.
   *
   * @param work - what it throws undoes all of its statements
   */
  write<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (!this.queue) return Promise.reject(notOpen())
    return this.queue.run(work)
  }

  /**
   * Takes a lock that all processes on this database respect, for work that only one of them may do. It ends with this
   * process at the latest.
   *
   * @param name - of the work: letters and dashes
   * @returns how to give it back; `undefined` where another has it
   */
  async lock(name: string): Promise<Release | undefined> {
    const file = `${this.file}-${name}.lock`
    const obstacle = await createFile(file)
    if (obstacle !== undefined) throw new AgentError('unavailable', obstacle)
    return lockFile(file)
  }

  private open(): Promise<void> {
    this.opening ??= this.openOnce()
    return this.opening
  }

  private async openOnce(): Promise<void> {
    const { migrations, entities, busyTimeoutMs } = this.options
    try {
      await this.createForOwner()
      this.appliedMigrations = await migrate(this.file, { migrations, entities, busyTimeoutMs })
      this.writer = await SqliteConnection.open(this.file, { busyTimeoutMs, readOnly: false })
      this.reader = await SqliteConnection.open(this.file, { busyTimeoutMs, readOnly: true })
    } catch (error) {
      throw isAgentError(error) ? error : cannotOpen(this.file, error)
    }
    this.remembered = new RememberedQueries(this.reader)
    this.queue = new WriteQueue(this.writer)
  }

  /** SQLite gives its other files the mode of the first. */
  private async createForOwner(): Promise<void> {
    const obstacle = (await createFolder(dirname(this.file))) ?? (await createFile(this.file))
    if (obstacle === undefined) return
    const path = this.options.url === null ? 'dataDirectory' : 'url'
    throw new AgentError('invalid_configuration', `${path}: ${obstacle}`, {
      details: [{ path, message: obstacle }],
    })
  }

  private async close(): Promise<void> {
    await this.queue?.idle()
    const { reader, writer } = this
    this.queue = this.remembered = this.reader = this.writer = undefined
    await reader?.close()
    // Last: whoever closes last moves what is in the write-ahead log into the file.
    await writer?.close()
  }

  private async check(): Promise<CheckResult[]> {
    try {
      await this.query(sql`SELECT 1`)
      return [{ name: 'database', ok: true }]
    } catch {
      return [{ name: 'database', ok: false, message: 'the database does not answer' }]
    }
  }
}

/** @returns what is in the way */
async function createFile(file: string): Promise<string | undefined> {
  try {
    await (await open(file, 'a', 0o600)).close()
    return undefined
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === undefined) throw error
    return fileObstacle(file, code, 'written')
  }
}

const notOpen = () => new AgentError('unavailable', 'the database is not open')

const cannotOpen = (file: string, error: unknown) =>
  new AgentError('unavailable', `the database ${file} cannot be opened: ${toDatabaseError(error).message}`, {
    cause: error,
  })
