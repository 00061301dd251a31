import { AgentError } from '@vidimus/core-types'
import { type Database, DatabaseError } from '@vidimus/database'
import type { ArchivedTable } from './archive-format.js'
import type { ArchivedRows } from './archive-reader.js'
import type { ImportedRows, ImportMark } from './import-mark.js'
import { insertRows } from './insert-rows.js'

/** Approximate characters of rows in one transaction: others wait for it, and it is kept in memory. */
const MOST_CHARACTERS = 2_097_152

export interface RowWriterOptions {
  database: Database
  mark: ImportMark
  /** rows of each table that are there already: as many of them are passed over */
  before: ImportedRows
  /** rows in one transaction */
  most: number
  /** after each transaction; `total`: rows that are in the database */
  onWritten: (table: string, total: number) => void
}

/** Writes rows in portions, each a transaction together with the mark of how far the import is. */
export class RowWriter {
  private readonly imported: Map<string, number>
  /** rows of each table that came by, imported before or waiting */
  private readonly seen = new Map<string, number>()
  private waiting: { table: ArchivedTable; lines: string[]; characters: number } | undefined

  constructor(private readonly options: RowWriterOptions) {
    this.imported = new Map(options.before)
  }

  /** Of a table, those that wait included. */
  rowsOf(table: string): number {
    return this.seen.get(table) ?? 0
  }

  /** Rows of one table follow each other. */
  async add({ table, lines }: ArchivedRows): Promise<void> {
    if (this.waiting?.table.name !== table.name) await this.flush()
    const seen = this.rowsOf(table.name)
    this.seen.set(table.name, seen + lines.length)
    const { most } = this.options
    const missing = lines.slice(Math.max(this.importedOf(table.name) - seen, 0))
    for (const line of missing) {
      this.waiting ??= { table, lines: [], characters: 0 }
      this.waiting.lines.push(line)
      this.waiting.characters += line.length
      if (this.waiting.lines.length >= most || this.waiting.characters >= MOST_CHARACTERS) await this.flush()
    }
  }

  /** Writes those that wait. */
  async flush(): Promise<void> {
    const { waiting } = this
    if (!waiting) return
    this.waiting = undefined
    const { table, lines } = waiting
    const from = this.importedOf(table.name)
    const to = from + lines.length
    const { database, mark, onWritten } = this.options
    await database
      .write(
        async (connection) => {
          await mark.advance(connection, table.name, from, to)
          await insertRows(connection, database.dialect, table, lines)
        },
        { spans: 'rows of an archive, in its order' },
      )
      .catch((error: unknown) => {
        throw error instanceof DatabaseError ? refusedRows(table, error) : error
      })
    this.imported.set(table.name, to)
    onWritten(
      table.name,
      [...this.imported.values()].reduce((sum, rows) => sum + rows, 0),
    )
  }

  private importedOf(table: string): number {
    return this.imported.get(table) ?? 0
  }
}

/** Such as references to rows that are not there, which the database of the archive did not mind. */
const refusedRows = ({ name }: ArchivedTable, cause: DatabaseError): AgentError =>
  new AgentError('invalid_input', `the database refuses rows of the table ${name}: ${cause.message}`, {
    cause,
  })
