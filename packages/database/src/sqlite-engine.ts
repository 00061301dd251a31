import { AgentError, isAgentError, textOfQueue, type QueueName } from '@vidimus/core-types'
import sqlite3 from 'sqlite3'
import type { DataSourceOptions } from 'typeorm'
import type { Connection, Reader } from './connection.js'
import type { DatabaseEngine, Release } from './database-engine.js'
import { DISK_IS_FULL, isAway, isBusy, toDatabaseError } from './errors.js'
import type { DatabaseCounts } from './measurements.js'
import {
  migrate,
  migrationNames,
  pendingMigrations,
  refuseEmpty,
  rememberedTables,
  type MigratedDatabase,
  type Migrations,
} from './migrate.js'
import { lockFile, lockFileInTurn } from './process-lock.js'
import { SqliteHomeWatch } from './home-versions.js'
import type { Moments } from './moments.js'
import { Remembered } from './remembered.js'
import { sql, type Sql } from './sql.js'
import { SqliteConnection } from './sqlite-connection.js'
import { SqliteFiles } from './sqlite-files.js'
import { SqliteLog } from './sqlite-log.js'
import { createFile, exists, isWithoutRoom, makePlace } from './sqlite-place.js'
import { SqlitePresence } from './sqlite-presence.js'
import { SqliteReserve } from './sqlite-reserve.js'
import { transactionsOn } from './sqlite-transactions.js'
import { SqliteTurns } from './sqlite-turns.js'
import type { TurnOptions } from './turn-options.js'
import { WriteQueue } from './write-queue.js'

export interface SqliteOptions {
  file: string
  migrations: Migrations
  /** how long a write waits for another process, in milliseconds */
  busyTimeoutMs: number
  /** the option that named the file, for messages about it */
  namedBy: string
  counts: DatabaseCounts
  moments: Moments
}

interface OpenDatabase {
  writer: SqliteConnection
  reader: SqliteConnection
  remembered: Remembered
  queue: WriteQueue
  turns: SqliteTurns
  files: SqliteFiles
  log: SqliteLog
}

/**
 * Databases whose files were lost. The last connection to close would move the write-ahead log into the file by its own
 * idea of it, which is older than the loss, and undo what other processes have committed since. They end with the process.
 */
const neverClosed: OpenDatabase[] = []

/**
 * A SQLite file in WAL mode with a queue for writes and a separate connection for reads, which therefore only see
 * committed rows.
 */
export class SqliteEngine implements DatabaseEngine {
  readonly dialect = 'sqlite'
  private opened: OpenDatabase | undefined
  private readonly shown: SqlitePresence
  private readonly reserve: SqliteReserve

  constructor(private readonly options: SqliteOptions) {
    this.reserve = new SqliteReserve(options.file)
    this.shown = new SqlitePresence(options.file, createFile)
  }

  get location(): string {
    return this.options.file
  }

  get file(): string {
    return this.options.file
  }

  readonly pools = []

  get queueLength(): number {
    return this.opened?.queue.length ?? 0
  }

  get isLost(): boolean {
    return this.opened?.files.lost !== undefined
  }

  async open(importing: boolean): Promise<string[]> {
    try {
      await this.refuseToMakeOne()
      await this.createForOwner()
      return await this.withReserve(() => this.openFiles(importing))
    } catch (error) {
      throw isAgentError(error) && !isAway(error) ? error : await this.cannotOpen(error)
    }
  }

  async pendingMigrations(): Promise<string[]> {
    const { file, migrations } = this.options
    if (!(await exists(file))) return migrationNames(migrations)
    return this.onSchema((database) => pendingMigrations(database, migrations))
  }

  async close(): Promise<void> {
    const { opened } = this
    await opened?.queue.idle()
    opened?.files.unwatch()
    const isLost = this.isLost
    await this.shown.end()
    this.opened = undefined
    opened?.remembered.forget()
    await opened?.turns.close()
    if (!opened) return
    if (isLost) {
      neverClosed.push(opened)
      return
    }
    await opened.log.close()
    await opened.reader.close()
    // Last: the last one to close moves the write-ahead log into the file.
    await opened.writer.close()
    await this.reserve.keep()
  }

  query<Row>(statement: Sql): Promise<Row[]> {
    return this.opened ? this.opened.reader.query<Row>(statement) : Promise.reject(notOpen())
  }

  remember<T>(homes: readonly number[], key: string, read: (reader: Reader) => Promise<T>): Promise<T> {
    return this.opened ? this.opened.remembered.find(homes, key, read) : Promise.reject(notOpen())
  }

  /** All lanes are one: SQLite has one writer. */
  write<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.opened ? this.opened.queue.run(work) : Promise.reject(notOpen())
  }

  /** All names are one: SQLite has one writer. */
  inTurn<T>(_name: QueueName, work: () => Promise<T>, options: TurnOptions): Promise<T> {
    return this.opened ? this.opened.turns.take(work, options) : Promise.reject(notOpen())
  }

  async readConsistently<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const { file, busyTimeoutMs } = this.options
    const connection = await SqliteConnection.open(file, { busyTimeoutMs, readOnly: true })
    try {
      // The first read determines what all later ones see.
      await connection.run(sql`BEGIN`)
      return await work(connection)
    } finally {
      await connection.close()
    }
  }

  async lock(name: QueueName): Promise<Release | undefined> {
    return lockFile(await this.makeLockFile(textOfQueue(name)))
  }

  async presence(): Promise<string> {
    const { opened } = this
    if (!opened) throw notOpen()
    const id = await this.shown.take()
    // Once others cannot see it any more, it must not write any more.
    opened.files.add(this.shown.file)
    return id
  }

  isPresent(id: string): Promise<boolean> {
    return this.shown.isPresent(id)
  }

  othersPresent(): Promise<number> {
    return this.shown.others()
  }

  /** One transaction writes at a time, and sees everything that was committed before it began. */
  olderTransactionsEnd(): Promise<void> {
    return Promise.resolve()
  }

  /** All processes on a file share the clock of its machine. */
  now(): Promise<Date> {
    return Promise.resolve(new Date())
  }

  async emptyLog(): Promise<boolean> {
    const { file, busyTimeoutMs } = this.options
    const connection = await SqliteConnection.open(file, { busyTimeoutMs, readOnly: false })
    try {
      // https://www.sqlite.org/pragma.html#pragma_wal_checkpoint
      const [row] = await connection.query<{ busy: number }>(sql`PRAGMA wal_checkpoint(TRUNCATE)`)
      return row?.busy === 0
    } finally {
      await connection.close()
    }
  }

  private async openFiles(importing: boolean): Promise<string[]> {
    const { file, busyTimeoutMs, counts, migrations, moments } = this.options
    const tables = rememberedTables(migrations)
    const applied = await this.migrate(importing)
    const [writer, reader, mover] = await this.openConnections()
    const log = new SqliteLog(mover)
    const files = new SqliteFiles(file, [await this.makeLockFile('migration')])
    files.watch()
    this.opened = {
      writer,
      reader,
      remembered: new Remembered(reader, new SqliteHomeWatch(reader), tables, moments, counts.remembered),
      queue: new WriteQueue(transactionsOn(writer, { busyTimeoutMs, files, log, remembered: tables })),
      turns: new SqliteTurns(() => this.makeLockFile('turn'), busyTimeoutMs),
      files,
      log,
    }
    return applied
  }

  /** @returns a connection that writes, one that reads, and one that moves the log into the file */
  private async openConnections(): Promise<[SqliteConnection, SqliteConnection, SqliteConnection]> {
    const { file, busyTimeoutMs } = this.options
    const opened: SqliteConnection[] = []
    const open = async (readOnly: boolean) => {
      const connection = await SqliteConnection.open(file, { busyTimeoutMs, readOnly })
      opened.unshift(connection)
      return connection
    }
    try {
      const [writer, reader] = [await open(false), await open(true)]
      // From the first read on, no other process that closes it removes its write-ahead log.
      await reader.query(sql`SELECT COUNT(*) FROM sqlite_schema`)
      return [writer, reader, await open(true)]
    } catch (error) {
      for (const connection of opened) await connection.close()
      throw error
    }
  }

  private async withReserve<T>(work: () => Promise<T>): Promise<T> {
    try {
      const done = await work()
      await this.reserve.keep()
      return done
    } catch (error) {
      if (!isAway(error) || isBusy(error) || !(await this.reserve.giveUp())) throw error
      return work()
    }
  }

  /** One process at a time: two that find the same migrations missing would both apply them. */
  private async migrate(importing: boolean): Promise<string[]> {
    const release = await lockFileInTurn(await this.makeLockFile('migration'))
    try {
      return await this.onSchema((database) => migrate(database, this.options.migrations, importing))
    } finally {
      await release()
    }
  }

  private async onSchema<T>(work: (database: MigratedDatabase) => Promise<T>): Promise<T> {
    const { file, busyTimeoutMs } = this.options
    const reader = await SqliteConnection.open(file, { busyTimeoutMs, readOnly: true })
    try {
      return await work({ location: file, dialect: 'sqlite', reader, dataSource: this.dataSource() })
    } finally {
      await reader.close()
    }
  }

  private dataSource(): DataSourceOptions {
    return {
      type: 'sqlite',
      // TypeORM asks the driver for its verbose form, which records a stack with every later call of the process.
      driver: { ...sqlite3, verbose: () => sqlite3 },
      database: this.options.file,
      enableWAL: true,
      busyTimeout: this.options.busyTimeoutMs,
    }
  }

  private async makeLockFile(name: string): Promise<string> {
    const file = `${this.options.file}-${name}.lock`
    const obstacle = await createFile(file)
    if (obstacle !== undefined) throw new AgentError('unavailable', obstacle)
    return file
  }

  /** Before there is a file: one that is empty would be in the way of the one that is missing. */
  private async refuseToMakeOne(): Promise<void> {
    const { file, migrations } = this.options
    if (!(await exists(file))) await refuseEmpty(file, migrations)
  }

  private async createForOwner(): Promise<void> {
    const { file, namedBy } = this.options
    const obstacle = await makePlace(file)
    if (obstacle === undefined) return
    throw new AgentError('invalid_configuration', `${namedBy}: ${obstacle}`, {
      details: [{ path: namedBy, message: obstacle }],
    })
  }

  private async cannotOpen(error: unknown): Promise<AgentError> {
    const { file } = this.options
    const known = toDatabaseError(error)
    // SQLite does not report this for every file of its own.
    const message = isAgentError(known) && (await isWithoutRoom(file)) ? DISK_IS_FULL : known.message
    return new AgentError('unavailable', `the database ${file} cannot be opened: ${message}`, {
      cause: error,
    })
  }
}

const notOpen = () => new AgentError('unavailable', 'the database is not open')
