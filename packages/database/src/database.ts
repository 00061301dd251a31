import { join } from 'node:path'
import {
  AgentError,
  demandCaller,
  inSpan,
  parseOptions,
  type CheckResult,
  type HasLifecycle,
  type HasMeasurements,
  type Measurement,
} from '@vidimus/core-types'
import type { z } from 'zod'
import type { Connection, Reader } from './connection.js'
import type { DatabaseEngine, Release } from './database-engine.js'
import { Options, type DatabaseOptions } from './database-options.js'
import { databasePlace } from './database-url.js'
import { diagnose } from './diagnosis.js'
import { isFull } from './errors.js'
import { checkDatabase } from './database-check.js'
import { CountHomeVersions1796500000730 } from './home-versions.js'
import { DatabaseCounts } from './measurements.js'
import { namesOf, type BegunMigration, type Migrations } from './migrate.js'
import { PostgresEngine } from './postgres-engine.js'
import { overwriting } from './overwriting.js'
import { Probes } from './probes.js'
import { sql, type Dialect, type Sql } from './sql.js'
import { SqliteEngine } from './sqlite-engine.js'

/**
 * The one database of an installation: a SQLite file, or PostgreSQL for any number of processes. Reads see committed
 * rows only; a write is a transaction of its own, as if there were no other at the same time.
 *
 * TypeORM runs the migrations and nothing else: its only SQLite connection lets concurrent callers join each other's
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
  private readonly probes = new Probes((statement) => this.query(statement))
  private opening: Promise<void> | undefined
  private importing = false
  private readsOnly = false
  /** as the last write said that could tell */
  private diskIsFull = false

  constructor(options: DatabaseOptions) {
    const parsed = parseOptions(Options, options)
    const { migrations, entities } = parsed
    this.tables = { migrations: [[CountHomeVersions1796500000730], ...migrations], entities }
    this.engine = engineOf(parsed, this.tables, this.counts)
    this.measurements = this.counts.with(this.engine)
    this.migrationNames = namesOf(this.tables)
  }

  /** To be called before it starts: `tell` is called before each migration that is applied. */
  watchMigrations(tell: (begun: BegunMigration) => void): void {
    this.tables.onMigration = tell
  }

  /** Names of all migrations, oldest first: what is applied once it is open. */
  readonly migrationNames: readonly string[]

  /** Names of the migrations that were applied by this start, oldest first. */
  appliedMigrations: readonly string[] = []

  /** What kind of database it is. */
  get dialect(): Dialect {
    return this.engine.dialect
  }

  /** Where the database is, for the operator. */
  get location(): string {
    return this.engine.location
  }

  /** Write transactions that wait for their turn. */
  get queueLength(): number {
    return this.engine.queueLength
  }

  /**
   * For health checks: whether a statement can be executed. Those that come at the same time take one connection together.
   *
   * @throws what {@link query} throws
   */
  probe(statement: Sql): Promise<void> {
    return this.probes.run(statement)
  }

  /** Rows as they stand after the last COMMIT. */
  async query<Row>(statement: Sql): Promise<Row[]> {
    demandCaller()
    return this.engine.query<Row>(statement)
  }

  /**
   * As {@link query}, for look-ups that are repeated much more often than anything changes: the rows are remembered
   * until a transaction of whatever process changes their home. Callers share them and must not change them.
   *
   * @param home - whose rows they are, see {@link homeOf}
   */
  queryRemembered<Row>(statement: Sql, home: number): Promise<readonly Row[]> {
    const key = `${statement.text(this.dialect)} ${JSON.stringify(statement.values)}`
    return this.remember(home, key, (reader) => reader.query<Row>(statement))
  }

  /**
   * What `read` makes of rows of one home, remembered until a transaction of whatever process changes that home. Which
   * tables may be read, migrations say (see `RememberedTables`); which homes a statement changes, {@link Sql.changing}.
   *
   * @param key - what is looked for; unlike any other of the installation
   * @returns what several callers share: nobody may change it
   */
  remember<T>(home: number, key: string, read: (reader: Reader) => Promise<T>): Promise<T> {
    return this.engine.remember(home, key, read)
  }

  /**
   * Runs `work` as one transaction and resolves after its COMMIT. Other writers may wait meanwhile, so `work` does
   * nothing but statements: no network, no signing, no compression. PostgreSQL may ask for it to be run again, from the
   * beginning; and once a statement of it has failed, PostgreSQL takes no further ones.
   *
   * @param work - what it throws undoes all of its statements
   * @param options - `lane`: a name for those works that change the same rows. On PostgreSQL they go one after the other,
   * in all processes, and share COMMITs; without it they run at the same time, and are repeated where they met. What is
   * right does not depend on it, only what is fast.
   * `overwrite`: what it deletes is overwritten in a SQLite file, which would otherwise keep what stood in whole pages.
   * @throws AgentError `unavailable` where the database cannot be used; then it is not known whether it was done
   */
  write<T>(
    work: (connection: Connection) => Promise<T> | T,
    { lane, overwrite }: { lane?: string; overwrite?: boolean } = {},
  ): Promise<T> {
    const whole = async (connection: Connection) => work(connection)
    if (this.readsOnly) return Promise.reject(onlyReads())
    return inSpan('database.write', { 'db.system.name': SYSTEM_NAMES[this.dialect] }, () =>
      this.counts.during(() =>
        this.noticeFullDisk(this.engine.write(overwrite ? overwriting(whole, this.dialect) : whole, lane)),
      ),
    )
  }

  /**
   * Runs `work`, which may do anything, after those of its name that other processes have asked for before. It is a
   * courtesy among processes that would only undo each other's efforts; nothing right may depend on it, as a turn that
   * does not come is not waited for. On SQLite patient works alone have turns.
   *
   * @param name - of what only one should do at a time; a process asks for one of a name at a time
   * @param options - `patient`: waits as long as a statement may take, and not for a while alone
   * @throws AgentError `unavailable` where the database cannot be used, and what `work` throws
   */
  inTurn<T>(
    name: string,
    work: () => Promise<T>,
    options: { patient?: boolean | undefined } = {},
  ): Promise<T> {
    return this.engine.inTurn(name, work, options)
  }

  /** Lets `work` read everything as it stands at one moment, for as long as it takes. */
  readConsistently<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.engine.readConsistently(work)
  }

  /**
   * Takes a lock that all processes on this database respect, for work that only one of them may do. It ends with this
   * process at the latest.
   *
   * @param name - of the work: letters and dashes
   * @returns how to give it back; `undefined` where another has it
   */
  lock(name: string): Promise<Release | undefined> {
    return this.engine.lock(name)
  }

  /**
   * Shows all processes on this database that this one is there, so that they leave to it what it has begun. It ends
   * with the process, however that ends. It may also end earlier, where the process stands still or cannot reach the
   * database for long: who takes over what an absent process has begun must expect that it comes back.
   *
   * @returns an id that stands for this process, always the same, see {@link isPresent}
   * @throws AgentError `unavailable`
   */
  presence(): Promise<string> {
    return this.engine.presence()
  }

  /** Whether the process that got this id from {@link presence} is there. */
  isPresent(id: string): Promise<boolean> {
    return this.engine.isPresent(id)
  }

  /**
   * Leaves nothing of what was deleted in the write-ahead log of a SQLite file; that of PostgreSQL is its own affair.
   *
   * @returns whether the log is empty; not where others read for long
   */
  emptyLog(): Promise<boolean> {
    return this.engine.emptyLog()
  }

  /** The time of the database's clock, which is one for all processes. */
  now(): Promise<Date> {
    return this.engine.now()
  }

  /**
   * Resolves when every transaction has ended that is under way now, in whatever process: those that come later see
   * what was committed before this call.
   *
   * @throws AgentError `unavailable` where one of them goes on for minutes
   */
  olderTransactionsEnd(): Promise<void> {
    return this.engine.olderTransactionsEnd()
  }

  /**
   * Names of the migrations that the next start applies, oldest first. Nothing is changed, nor opened.
   *
   * @throws AgentError `invalid_configuration` where a newer version has written the database
   */
  pendingMigrations(): Promise<string[]> {
    return this.engine.pendingMigrations(this.readsOnly)
  }

  /**
   * To be called before it starts: where it has no tables yet, and there is a reason, it does not. Nothing is made then.
   *
   * @param reason - asked only where there are no tables: who can say it is not loaded for every command
   */
  refuseEmpty(reason: () => Promise<string | undefined>): void {
    this.tables.noEmptyOne = reason
  }

  /** To be called before it starts, by the import itself: everybody else is refused while one is unfinished. */
  admitUnfinishedImport(): void {
    this.importing = true
  }

  /**
   * To be called before it starts: this process changes nothing, so that a standby of PostgreSQL serves it.
   *
   * @throws AgentError `invalid_configuration` where it is a SQLite file
   */
  serveReadsOnly(): void {
    if (this.dialect === 'sqlite')
      throw new AgentError(
        'invalid_configuration',
        '--read-only is for a standby of PostgreSQL, not for SQLite',
      )
    this.readsOnly = true
  }

  /** Whether this process changes nothing: then nothing in the background that would may begin. */
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

  private async noticeFullDisk<T>(written: Promise<T>): Promise<T> {
    try {
      const result = await written
      this.diskIsFull = false
      return result
    } catch (error) {
      this.diskIsFull ||= isFull(error)
      throw error
    }
  }
}

const onlyReads = () =>
  new AgentError(
    'read_only',
    'this process only reads, as it was started with --read-only; send what changes something to one on the primary',
  )

/** As OpenTelemetry calls them: https://opentelemetry.io/docs/specs/semconv/database/ */
const SYSTEM_NAMES: Readonly<Record<Dialect, string>> = { sqlite: 'sqlite', postgres: 'postgresql' }

function engineOf(
  { url, dataDirectory, busyTimeoutMs, postgres }: z.output<typeof Options>,
  tables: Migrations,
  counts: DatabaseCounts,
): DatabaseEngine {
  const place = databasePlace(url ?? `sqlite:${join(dataDirectory, 'agent.sqlite')}`)
  if (place.dialect === 'postgres')
    return new PostgresEngine({ ...place, ...postgres, migrations: tables, counts })
  const namedBy = url === null ? 'dataDirectory' : 'url'
  return new SqliteEngine({ file: place.file, migrations: tables, busyTimeoutMs, namedBy, counts })
}
