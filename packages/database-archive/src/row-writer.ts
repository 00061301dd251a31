import { AgentError } from '@vidimus/core-types'
import { type Database, DatabaseError } from '@vidimus/database'
import type { ArchivedTable } from './archive-format.js'
import type { ArchivedRows } from './archive-reader.js'
import type { ImportMark } from './import-mark.js'
import { insertRows } from './insert-rows.js'

/** Approximate characters of rows in one transaction: others wait for it, and it is kept in memory. */
const MOST_CHARACTERS = 2_097_152

export interface RowWriterOptions {
  database: Database
  mark: ImportMark
  /** rows in one transaction */
  most: number
  /** after each transaction, before the next one; `total`: rows that are in the database */
  onWritten: (table: string, total: number) => void | Promise<void>
}

/** Writes rows in portions, each a transaction. */
export class RowWriter {
  private written = 0
  /** rows of each table, those that wait included */
  private readonly added = new Map<string, number>()
  private waiting: { table: ArchivedTable; lines: string[]; characters: number } | undefined

  constructor(private readonly options: RowWriterOptions) {}

  /** Of a table, those that wait included. */
  rowsOf(table: string): number {
    return this.added.get(table) ?? 0
  }

  /** Rows of one table follow each other. */
  async add({ table, lines }: ArchivedRows): Promise<void> {
    if (this.waiting?.table.name !== table.name) await this.flush()
    this.added.set(table.name, this.rowsOf(table.name) + lines.length)
    const { most } = this.options
    for (const line of lines) {
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
    const { database, mark, onWritten } = this.options
    await database
      .write(
        async (connection) => {
          await mark.demand(connection)
          await insertRows(connection, database.dialect, table, lines)
        },
        { spans: 'rows of an archive, in its order' },
      )
      .catch((error: unknown) => {
        throw error instanceof DatabaseError ? refusedRows(table, error) : error
      })
    this.written += lines.length
    await onWritten(table.name, this.written)
  }
}

/** Such as references to rows that are not there, which the database of the archive did not mind. */
const refusedRows = ({ name }: ArchivedTable, cause: DatabaseError): AgentError =>
  new AgentError('invalid_input', `the database refuses rows of the table ${name}: ${cause.message}`, {
    cause,
  })
