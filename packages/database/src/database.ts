import {
  AgentError,
  demandCaller,
  inSpan,
  onlyReads,
  parseOptions,
  type CheckResult,
  type HasLifecycle,
  type HasMeasurements,
  type Measurement,
  type QueueName,
} from '@vidimus/core-types'
import type { Connection, Reader } from './connection.js'
import type { DatabaseEngine, Release } from './database-engine.js'
import { Options, type DatabaseOptions } from './database-options.js'
import { diagnose } from './diagnosis.js'
import { isFull, onlyPostgres } from './errors.js'
import { chooseEngine } from './choose-engine.js'
import { checkDatabase } from './database-check.js'
import { HOME_VERSION_MIGRATIONS } from './home-versions.js'
import { DatabaseCounts } from './measurements.js'
import { eachOnce, migrationNames, type BegunMigration, type Migrations } from './migrate.js'
import { Moments } from './moments.js'
import { toLane } from './lanes.js'
import { inOneHome, type WriteOptions } from './one-home.js'
import { overwriting } from './overwriting.js'
import { Probes } from './probes.js'
import { sql, type Dialect, type Sql } from './sql.js'

/**
 * The one database of an installation: a SQLite file, or PostgreSQL for any number of processes. Reads see committed
 * rows only; a write is a transaction of its own, as if no other ran at the same time.
 *
 * TypeORM only runs the migrations: its single SQLite connection lets concurrent callers join each other's
 * transactions, and reports success before the COMMIT.
 */
export class Database implements HasLifecycle, HasMeasurements {
  readonly lifecycle = {
    start: () => this.open(),
    stop: () => this.close(),
    check: async () => [await this.check()],
    diagnose: () => diagnose(this.engine),
  }

  readonly measurements: readonly Measurement[]

  private readonly engine: DatabaseEngine
  private readonly tables: Migrations
  private readonly counts = new DatabaseCounts()
  private readonly moments = new Moments()
  private readonly probes = new Probes((statement) => this.query(statement))
  private opening: Promise<void> | undefined
  private importing = false
  private readsOnly = false
  /** according to the last write that could tell */
  private diskIsFull = false

  constructor(options: DatabaseOptions) {
    const parsed = parseOptions(Options, options)
    this.tables = { migrations: [HOME_VERSION_MIGRATIONS, eachOnce(parsed.migrations)] }
    this.engine = chooseEngine(parsed, {
      migrations: this.tables,
      counts: this.counts,
      moments: this.moments,
    })
    this.measurements = this.counts.with(this.engine)
    this.migrationNames = migrationNames(this.tables)
  }

  /** Call it before it starts: `tell` is called before each migration that is applied. */
  watchMigrations(tell: (begun: BegunMigration) => void): void {
    this.tables.onMigration = tell
  }

  /** Names of all migrations, oldest first: these are applied once it is open. */
  readonly migrationNames: readonly string[]

  /** Names of the migrations that were applied by this start, oldest first. */
  appliedMigrations: readonly string[] = []

  /** The kind of database. */
  get dialect(): Dialect {
    return this.engine.dialect
  }

  /** Where the database is, for the operator. */
  get location(): string {
    return this.engine.location
  }

  /** Waiting write transactions. */
  get queueLength(): number {
    return this.engine.queueLength
  }

  /**
   * For health checks: whether a statement can be executed. Concurrent calls share one connection.
   *
   * @throws what {@link query} throws
   */
  probe(statement: Sql): Promise<void> {
    return this.probes.run(statement)
  }

  /** Rows as of the last COMMIT. */
  async query<Row>(statement: Sql): Promise<Row[]> {
    demandCaller()
    const rows = await this.engine.query<Row>(statement)
    this.moments.end()
    return rows
  }

  /**
   * As {@link query}, for look-ups that are repeated much more often than anything changes: the rows are cached until
   * a transaction of any process changes their home. Callers share them and must not modify them.
   *
   * @param home - of the rows, see {@link homeOf}
   */
  queryRemembered<Row>(statement: Sql, home: number): Promise<readonly Row[]> {
    const key = `${statement.text(this.dialect)} ${JSON.stringify(statement.values)}`
    return this.remember([home], key, (reader) => reader.query<Row>(statement))
  }

  /**
   * The result of `read` on rows of some homes, cached until a transaction of any process changes one of them. Migrations
   * define which tables may be read (see `RememberedTables`), {@link Sql.changing} which homes a statement changes.
   *
   * @param key - of the look-up; unique in the installation
   * @returns a value shared by several callers, which must not modify it
   */
  remember<T>(homes: readonly number[], key: string, read: (reader: Reader) => Promise<T>): Promise<T> {
    return this.engine.remember(homes, key, read)
  }

  /**
   * Runs `work` as one transaction and resolves after its COMMIT. Other writers may wait meanwhile, so `work` only
   * runs statements: no network, no signing, no compression. PostgreSQL may require running it again, from the
   * beginning; and once a statement of it has failed, PostgreSQL accepts no further ones.
   *
   * @param work - if it throws, all of its statements are undone
   * @throws AgentError `unavailable` if the database cannot be used: nothing is changed. `outcome_unknown` if it did not confirm the
   *   COMMIT: everything is changed, or nothing
   */
  async write<T>(
    work: (connection: Connection) => Promise<T> | T,
    { lane, guarded, overwrite, spans }: WriteOptions = {},
  ): Promise<T> {
    if (this.readsOnly) throw onlyReads()
    const whole =
      spans === undefined
        ? (connection: Connection) => inOneHome(connection, work)
        : async (connection: Connection) => work(connection)
    const kept = overwrite ? overwriting(whole, this.dialect) : whole
    const write = () => this.engine.write(kept, toLane(lane, guarded))
    try {
      const result = await inSpan('database.write', { 'db.system.name': SYSTEM_NAMES[this.dialect] }, () =>
        this.counts.during(write),
      )
      this.diskIsFull = false
      return result
    } catch (error) {
      this.diskIsFull ||= isFull(error)
      throw error
    } finally {
      this.moments.endAll()
    }
  }

  /**
   * Runs `work`, which may do anything, after the works of the same name that other processes requested before. It is
   * a courtesy among processes that would only undo each other's efforts; correctness must not depend on it, as
   * waiting is limited. On SQLite only patient works queue.
   *
   * @param name - of what only one process should do at a time; a process requests each name once at a time
   * @param options - `patient`: waits as long as a statement may take, not only for a while
   * @throws AgentError `unavailable` if the database cannot be used, and what `work` throws
   */
  inTurn<T>(
    name: QueueName,
    work: () => Promise<T>,
    options: { patient?: boolean | undefined } = {},
  ): Promise<T> {
    const inMoment = () => {
      this.moments.end()
      return work()
    }
    return this.engine.inTurn(name, inMoment, options)
  }

  /** Lets `work` read everything as of one moment, for as long as it takes. */
  readConsistently<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.moments.endAfter(this.engine.readConsistently(work))
  }

  /**
   * Runs statements that change how tables are kept, each committed by itself, and as long as it takes.
   *
   * @throws AgentError `invalid_configuration` if it is a SQLite file
   */
  alterTables<T>(work: (connection: Reader) => Promise<T>): Promise<T> {
    return this.engine.alterTables?.(work) ?? Promise.reject(onlyPostgres())
  }

  /**
   * Takes a lock that all processes on this database respect, for work that only one of them may do. It ends with
   * this process at the latest.
   *
   * @param name - of the work: letters and dashes
   * @returns a function that releases it; `undefined` if another process has it
   */
  lock(name: QueueName): Promise<Release | undefined> {
    return this.moments.endAfter(this.engine.lock(name))
  }

  /**
   * Registers the presence of this process on this database, so that others leave its unfinished work to it. It ends
   * with the process, however that ends. It may also end earlier, if the process freezes or cannot reach the database
   * for long: code that takes over the work of an absent process must expect it to come back.
   *
   * @returns the id of this process, always the same, see {@link isPresent}
   * @throws AgentError `unavailable`
   */
  presence(): Promise<string> {
    return this.engine.presence()
  }

  /** Whether the process with this id from {@link presence} is present. */
  isPresent(id: string): Promise<boolean> {
    return this.engine.isPresent(id)
  }

  /** How many other processes are present. */
  readonly othersPresent = (): Promise<number> => this.engine.othersPresent()

  /**
   * Removes deleted data from the write-ahead log of a SQLite file; PostgreSQL manages its own.
   *
   * @returns whether the log is empty; not if others read for long
   */
  emptyLog(): Promise<boolean> {
    return this.engine.emptyLog()
  }

  /** The time of the database's clock, which is one for all processes. */
  now(): Promise<Date> {
    return this.engine.now()
  }

  /**
   * Resolves when every transaction that is now in progress, in any process, has ended: later ones see what was
   * committed before this call.
   *
   * @throws AgentError `unavailable` if one of them lasts for minutes
   */
  olderTransactionsEnd(): Promise<void> {
    return this.engine.olderTransactionsEnd()
  }

  /**
   * Names of the migrations that the next start applies, oldest first. Nothing is changed or opened.
   *
   * @throws AgentError `invalid_configuration` if a newer version has written the database
   */
  pendingMigrations(): Promise<string[]> {
    return this.engine.pendingMigrations(this.readsOnly)
  }

  /**
   * Call it before it starts: if there are no tables yet, and there is a reason, the start is refused, and nothing is
   * created.
   *
   * @param reason - only called if there are no tables: its code is not loaded for every command
   */
  refuseEmpty(reason: () => Promise<string | undefined>): void {
    this.tables.noEmptyOne = reason
  }

  /** Call it before it starts, in the import itself: all others are refused while an import is unfinished. */
  admitUnfinishedImport(): void {
    this.importing = true
  }

  /**
   * Call it before it starts: this process changes nothing, so that a standby of PostgreSQL can serve it.
   *
   * @throws AgentError `invalid_configuration` if it is a SQLite file
   */
  serveReadsOnly(): void {
    if (this.dialect === 'sqlite')
      throw new AgentError(
        'invalid_configuration',
        '--read-only is for a standby of PostgreSQL, not for SQLite',
      )
    this.readsOnly = true
  }

  /** Whether this process changes nothing: then no background work that would may begin. */
  get isReadOnly(): boolean {
    return this.readsOnly
  }

  private open(): Promise<void> {
    this.opening ??= this.engine.open(this.importing, this.readsOnly).then((applied) => {
      this.appliedMigrations = applied
    })
    return this.opening
  }

  private close(): Promise<void> {
    return this.engine.close()
  }

  private async check(): Promise<CheckResult> {
    const { diskIsFull, readsOnly } = this
    return checkDatabase(this.engine, { probe: () => this.probe(sql`SELECT 1`), diskIsFull, readsOnly })
  }
}

/** As OpenTelemetry calls them: https://opentelemetry.io/docs/specs/semconv/database/ */
const SYSTEM_NAMES: Readonly<Record<Dialect, string>> = { sqlite: 'sqlite', postgres: 'postgresql' }
