import sqlite3 from 'sqlite3'
import type { Connection } from './connection.js'
import { toDatabaseError } from './errors.js'
import { sql, Sql, type SqlValue } from './sql.js'

export interface SqliteConnectionOptions {
  /** how long a statement waits for another process, in milliseconds */
  busyTimeoutMs: number
  /** refuse every change */
  readOnly: boolean
}

interface Prepared {
  statement: Promise<sqlite3.Statement>
  /** once it is: then nothing waits for it any more */
  ready?: sqlite3.Statement
}

/** Tells how a call of the driver ended. */
type Settle<T> = (error: Error | null, value: T) => void

/** Cached prepared statements: more than the service has, so that only those built from lists are ever dropped. */
const MAX_PREPARED = 256

/**
 * Pages of 4 KiB in the write-ahead log before a COMMIT moves them into the file: if {@link SqliteLog} did not, as
 * nothing else has the file open.
 */
const PAGES_IN_LOG = 32_000

/**
 * A connection to a SQLite file with its statements prepared once. Preparing costs more than running a look-up by key
 * (measured: 60 of 110 µs).
 */
export class SqliteConnection implements Pick<Connection, 'query' | 'run'> {
  private readonly prepared = new Map<string, Prepared>()

  private constructor(private readonly database: sqlite3.Database) {}

  static async open(file: string, options: SqliteConnectionOptions): Promise<SqliteConnection> {
    const database = await openFile(file, sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE)
    const connection = new SqliteConnection(database)
    database.configure('busyTimeout', options.busyTimeoutMs)
    try {
      await connection.prepareForUse(options)
      return connection
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  /** A file of other software, which keeps it in its own way: not even that is changed. */
  static async openForeign(file: string): Promise<SqliteConnection> {
    return new SqliteConnection(await openFile(file, sqlite3.OPEN_READONLY))
  }

  query<Row>(statement: Sql): Promise<Row[]> {
    return this.using<Row[]>(statement, (prepared, settle) => {
      // `all` and never `get`: a statement that is not read to its end keeps its snapshot of the database.
      prepared.all<Row>(statement.values, settle)
    })
  }

  run(statement: Sql): Promise<number> {
    return this.using<number>(statement, (prepared, settle) => {
      prepared.run(statement.values, function (error) {
        settle(error, this.changes)
      })
    })
  }

  /**
   * Runs statements one after the other, in as few driver calls as possible: each is a trip to another thread, which
   * costs more than most statements.
   */
  async execute(statements: readonly Sql[]): Promise<void> {
    let together: { statement: Sql; text: string }[] = []
    for (const statement of statements) {
      const text = withLiterals(statement)
      if (text !== undefined) {
        together.push({ statement, text })
        continue
      }
      if (together.length > 0) await this.executeTexts(together)
      together = []
      await this.run(statement)
    }
    if (together.length > 0) await this.executeTexts(together)
  }

  /** From now on nothing waits for other processes: the caller retries if it must. */
  answerAtOnce(): void {
    this.database.configure('busyTimeout', 0)
  }

  async close(): Promise<void> {
    const statements = [...this.prepared.values()]
    this.prepared.clear()
    for (const { statement } of statements) await finalize(statement)
    await new Promise<void>((resolve, reject) => {
      this.database.close((error) => (error ? reject(toDatabaseError(error)) : resolve()))
    })
  }

  private executeTexts(together: readonly { statement: Sql; text: string }[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.database.exec(together.map(({ text }) => text).join(';\n'), (error) => {
        if (!error) return resolve()
        // The driver does not report which of them it was.
        const text = together.map(({ statement }) => statement.text('sqlite')).join(';\n')
        reject(toDatabaseError(error, text))
      })
    })
  }

  /** One promise for each call of the driver: a transaction makes many. */
  private using<T>(
    statement: Sql,
    call: (prepared: sqlite3.Statement, settle: Settle<T>) => void,
  ): Promise<T> {
    const text = statement.text('sqlite')
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => reject(toDatabaseError(error, text))
      const callOn = (prepared: sqlite3.Statement) =>
        call(prepared, (error, value) => (error ? fail(error) : resolve(value)))
      try {
        const known = this.prepare(text)
        if (known.ready) callOn(known.ready)
        else known.statement.then(callOn).catch(fail)
      } catch (error) {
        fail(error)
      }
    })
  }

  private async prepareForUse({ readOnly }: SqliteConnectionOptions): Promise<void> {
    await this.query(sql`PRAGMA journal_mode = WAL`)
    // FULL: an acknowledged change survives a power loss, not only the end of the process.
    await this.query(sql`PRAGMA synchronous = FULL`)
    await this.query(sql`PRAGMA foreign_keys = ON`)
    // Deleted data is overwritten if that costs no further page: the rows of single keys.
    await this.query(sql`PRAGMA secure_delete = FAST`)
    await this.query(new Sql([`PRAGMA wal_autocheckpoint = ${PAGES_IN_LOG}`], []))
    if (readOnly) await this.query(sql`PRAGMA query_only = ON`)
  }

  private prepare(text: string): Prepared {
    const known = this.prepared.get(text)
    if (known) return known
    const statement = new Promise<sqlite3.Statement>((resolve, reject) => {
      const prepared = this.database.prepare(text, (error: Error | null) =>
        error ? reject(error) : resolve(prepared),
      )
    })
    const made: Prepared = { statement }
    this.prepared.set(text, made)
    statement.then(
      (prepared) => (made.ready = prepared),
      () => this.prepared.delete(text),
    )
    this.dropOldest()
    return made
  }

  private dropOldest(): void {
    const [oldest] = this.prepared
    if (this.prepared.size <= MAX_PREPARED || !oldest) return
    const [text, { statement }] = oldest
    this.prepared.delete(text)
    // Runs that wait for it are queued before its end.
    void finalize(statement)
  }
}

const openFile = (file: string, mode: number): Promise<sqlite3.Database> =>
  new Promise((resolve, reject) => {
    const opened = new sqlite3.Database(file, mode, (error) => (error ? reject(error) : resolve(opened)))
  })

/** A statement that could not even be prepared has nothing to end. */
const finalize = (statement: Promise<sqlite3.Statement>): Promise<void> =>
  statement.then(
    (prepared) => new Promise<void>((resolve) => prepared.finalize(() => resolve())),
    () => undefined,
  )

/** Larger ones are bound: hexadecimal digits would be read slower than bytes. */
const MOST_BYTES = 65_536
/** Other numbers are bound by the driver as floating-point ones. */
const WHOLE_NUMBER = { least: -(2 ** 31), most: 2 ** 31 - 1 }

/**
 * The text of a statement with its values as literals of SQLite's grammar, for several statements in one driver call,
 * which accepts no values.
 *
 * @returns `undefined` if a value cannot be written exactly as the driver would have bound it
 * @see https://www.sqlite.org/lang_expr.html#literal_values_constants_
 */
export function withLiterals({ fragments, values }: Sql): string | undefined {
  let text = fragments[0] ?? ''
  for (const [n, value] of values.entries()) {
    const literal = sqlLiteral(value)
    if (literal === undefined) return undefined
    text += literal + (fragments[n + 1] ?? '')
  }
  return text
}

function sqlLiteral(value: SqlValue): string | undefined {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return textLiteral(value)
  if (typeof value === 'number') {
    const isWhole = Number.isInteger(value) && value >= WHOLE_NUMBER.least && value <= WHOLE_NUMBER.most
    return isWhole ? String(value) : undefined
  }
  return value.length <= MOST_BYTES ? `X'${value.toString('hex')}'` : undefined
}

/** A quotation mark is all that has a meaning in it; behind a NUL the driver would see nothing more. */
const textLiteral = (text: string): string | undefined =>
  text.includes('\0') ? undefined : `'${text.replaceAll("'", "''")}'`
