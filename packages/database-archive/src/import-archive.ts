import { AgentError, queueName, type SealedStore } from '@vidimus/core-types'
import { sql, type Database, type Reader, type Connection, type Dialect } from '@vidimus/database'
import type { ArchivedTable, ArchiveProgress } from './archive-format.js'
import { ArchiveReader, type ArchiveContent } from './archive-reader.js'
import { databaseTables, type DatabaseTable } from './database-tables.js'
import { demandSameMigrations, demandSameTables, SecretCheck } from './fitting-database.js'
import { alreadyImporting, dropRows, ImportMark } from './import-mark.js'
import { storedRow } from './insert-rows.js'
import { quoted } from './quoted.js'
import { RowDigest, tableRows } from './table-rows.js'
import { RowWriter } from './row-writer.js'

export interface ImportOptions {
  /** not opened yet: that happens once the archive is found to be good */
  database: Database
  file: string
  passphrase: string
  /** everything that keeps sealed texts: its secrets must fit the archive */
  stores: readonly SealedStore[]
  /** rows in one transaction, default 1000 */
  most?: number
  onProgress?: (progress: ArchiveProgress) => void | Promise<void>
}

/** The result of an import. */
export interface ImportSummary {
  file: string
  /** where the database is */
  database: string
  tables: number
  rows: number
  /** an interrupted import was dropped first */
  startedOver: boolean
  /** the database held all of it before */
  unchanged: boolean
}

const LOCK = queueName('import')
const ROWS_IN_TRANSACTION = 1_000

/**
 * Fills an empty database from an archive; what an interrupted import has left there is dropped first. Nothing is written
 * before the whole archive was read and verified; the database counts as imported once all its content was compared with
 * the archive.
 *
 * @throws AgentError `invalid_input` for an archive or database that does not fit, `wrong_secret` for another secret,
 *   `unavailable` if another process imports
 */
export async function importArchive(options: ImportOptions): Promise<ImportSummary> {
  const { database, file, passphrase, stores } = options
  const archive = await ArchiveReader.open(file, passphrase)
  demandSameMigrations(archive.head, database.migrationNames)
  const content = await readThrough(archive, options, new SecretCheck(stores))
  database.admitUnfinishedImport()
  await database.lifecycle.start()
  const release = await database.lock(LOCK)
  if (!release) throw alreadyImporting(database)
  try {
    return await new Import(archive, content, options).run()
  } finally {
    await release()
  }
}

/** The first time: nothing of it is used before its end is known. */
async function readThrough(
  archive: ArchiveReader,
  { database, onProgress }: ImportOptions,
  secrets: SecretCheck,
): Promise<ArchiveContent> {
  const total = archivedRows(archive)
  let done = 0
  const content = await archive.read(async (rows) => {
    for (const line of rows.lines) {
      const stored = storedRow(database.dialect, rows.table, line)
      if (database.dialect === 'postgres') demandNoZero(rows.table, stored)
    }
    secrets.look(rows)
    done += rows.lines.length
    await onProgress?.({ step: 'reading', table: rows.table.name, done, total })
  })
  secrets.demandSecrets()
  return content
}

function demandNoZero({ name }: ArchivedTable, values: readonly unknown[]): void {
  if (!values.some((value) => typeof value === 'string' && value.includes('\0'))) return
  throw new AgentError(
    'invalid_input',
    `a row of the table ${name} has the character U+0000 in a text, which PostgreSQL cannot store`,
  )
}

const archivedRows = ({ head }: ArchiveReader) => head.tables.reduce((sum, { rows }) => sum + rows, 0)

/** The import into an open database that no other process imports into. */
class Import {
  private readonly database: Database
  private readonly mark: ImportMark

  constructor(
    private readonly archive: ArchiveReader,
    private readonly content: ArchiveContent,
    private readonly options: ImportOptions,
  ) {
    this.database = options.database
    this.mark = new ImportMark(options.database)
  }

  async run(): Promise<ImportSummary> {
    const tables = await databaseTables(this.database, this.database.dialect)
    demandSameTables(this.archive.head.tables, tables)
    const startedOver = await this.mark.exists()
    const unchanged = !startedOver && (await this.holdsAll(tables))
    if (!unchanged) {
      await this.begin(tables, startedOver)
      await this.write(tables)
      await this.demandEqual(tables)
      await this.finish()
    }
    return {
      file: this.options.file,
      database: this.database.location,
      tables: tables.length,
      rows: this.content.rows,
      startedOver,
      unchanged,
    }
  }

  /** As after an import whose last word got lost. */
  private async holdsAll(tables: readonly DatabaseTable[]): Promise<boolean> {
    if (this.content.rows === 0) return false
    for (const { name } of tables) {
      const [found] = await this.database.query<{ rows: number }>(
        sql`SELECT COUNT(*) AS "rows" FROM ${quoted(name)}`,
      )
      if (found?.rows !== this.content.digests.get(name)?.rows) return false
    }
    return (await this.different(tables)) === undefined
  }

  private begin(tables: readonly DatabaseTable[], startsOver: boolean): Promise<void> {
    return this.database.write(async (connection) => {
      if (startsOver) await dropRows(connection, this.database.dialect, tables)
      const filled = await filledTables(connection, tables)
      if (filled.length > 0) {
        throw new AgentError(
          'invalid_input',
          `the database ${this.database.location} is not empty (${filled.join(', ')}); an archive is ` +
            'imported only into an empty one',
        )
      }
      await this.mark.begin(connection)
    })
  }

  /**
   * Reads the archive as often as needed: the order of its tables is that of the references in the original database,
   * and this one may have more of them.
   */
  private async write(tables: readonly DatabaseTable[]): Promise<void> {
    const writer = new RowWriter({
      database: this.database,
      mark: this.mark,
      most: this.options.most ?? ROWS_IN_TRANSACTION,
      onWritten: (table, total) => this.progress('writing', table, total),
    })
    const complete = new Set(tables.filter(({ name }) => this.rowsOf(name) === 0).map(({ name }) => name))
    while (complete.size < tables.length) {
      const now = tables.filter(({ name }) => !complete.has(name))
      const open = new Set(complete)
      const taken = new Set<string>()
      await this.archive.read(async (rows) => {
        const { name } = rows.table
        if (!taken.has(name) && !isReady(now, name, open)) return
        taken.add(name)
        await writer.add(rows)
        if (writer.rowsOf(name) === this.rowsOf(name)) open.add(name)
      })
      await writer.flush()
      taken.forEach((name) => complete.add(name))
    }
  }

  private async demandEqual(tables: readonly DatabaseTable[]): Promise<void> {
    const different = await this.different(tables)
    if (different === undefined) return
    throw new AgentError(
      'invalid_input',
      `the table ${different} in the database ${this.database.location} differs from the archive: something else ` +
        'has written to it. Start over with an empty database',
    )
  }

  private different(tables: readonly DatabaseTable[]): Promise<string | undefined> {
    return this.database.readConsistently(async (reader) => {
      let done = 0
      for (const table of tables) {
        const digest = new RowDigest()
        for await (const lines of tableRows(reader, this.database.dialect, table)) {
          digest.add(lines)
          await this.progress('comparing', table.name, (done += lines.length))
        }
        const found = digest.of(table.name)
        const expected = this.content.digests.get(table.name)
        if (found.rows !== expected?.rows || found.sha256 !== expected.sha256) return table.name
      }
      return undefined
    })
  }

  private async finish(): Promise<void> {
    await this.database.write(async (connection) => {
      await continueNumbers(connection, this.database.dialect, this.archive.head.tables)
      await this.mark.remove(connection)
    })
  }

  private async progress(step: ArchiveProgress['step'], table: string, done: number): Promise<void> {
    await this.options.onProgress?.({ step, table, done, total: this.content.rows })
  }

  private rowsOf(table: string): number {
    return this.content.digests.get(table)?.rows ?? 0
  }
}

/** Whether everything exists that rows of the table may refer to. */
const isReady = (tables: readonly DatabaseTable[], name: string, complete: ReadonlySet<string>): boolean =>
  tables.find((table) => table.name === name)?.references.every((other) => complete.has(other)) ?? false

async function filledTables(reader: Reader, tables: readonly DatabaseTable[]): Promise<string[]> {
  const filled: string[] = []
  for (const { name } of tables) {
    const rows = await reader.query(sql`SELECT 1 FROM ${quoted(name)} LIMIT 1`)
    if (rows.length > 0) filled.push(name)
  }
  return filled
}

/** Lets the database continue the numbering of the exported one, so that no number is assigned twice. */
async function continueNumbers(
  connection: Connection,
  dialect: Dialect,
  tables: readonly ArchivedTable[],
): Promise<void> {
  for (const { name, numbered } of tables) {
    if (!numbered || numbered.last === 0) continue
    const { column, last } = numbered
    if (dialect === 'sqlite') {
      await connection.run(sql`DELETE FROM sqlite_sequence WHERE name = ${name}`)
      await connection.run(sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${name}, ${last})`)
    } else {
      await connection.query(sql`SELECT setval(
        CAST(pg_get_serial_sequence(${quoted(name).text('postgres')}, ${column}) AS REGCLASS), CAST(${last} AS BIGINT))`)
    }
  }
}
