import type { Database } from '@vidimus/database'
import type { ArchivedTable } from './archive-format.js'
import type { ArchivedRows } from './archive-reader.js'
import type { ImportedRows, ImportMark } from './import-mark.js'
import { insertRows } from './insert-rows.js'

/** Characters of rows in one transaction, about: others wait for it, and it is kept in memory. */
const MOST_CHARACTERS = 2_097_152

/** Writes rows in portions, each a transaction together with the mark of how far the import is. */
export class RowWriter {
  private readonly imported: Map<string, number>
  /** rows of each table that came by, imported before or waiting */
  private readonly seen = new Map<string, number>()
  private waiting: { table: ArchivedTable; lines: string[]; characters: number } | undefined

  /**
   * @param before - rows of each table that are there already: as many of them are passed over
   * @param most - rows in one transaction
   */
  constructor(
    private readonly database: Database,
    private readonly mark: ImportMark,
    before: ImportedRows,
    private readonly most: number,
  ) {
    this.imported = new Map(before)
  }

  /** Rows that are in the database. */
  get total(): number {
    return [...this.imported.values()].reduce((sum, rows) => sum + rows, 0)
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
    const missing = lines.slice(Math.max(this.importedOf(table.name) - seen, 0))
    for (const line of missing) {
      this.waiting ??= { table, lines: [], characters: 0 }
      this.waiting.lines.push(line)
      this.waiting.characters += line.length
      if (this.waiting.lines.length >= this.most || this.waiting.characters >= MOST_CHARACTERS)
        await this.flush()
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
    await this.database.write(async (connection) => {
      await this.mark.advance(connection, table.name, from, to)
      await insertRows(connection, this.database.dialect, table, lines)
    })
    this.imported.set(table.name, to)
  }

  private importedOf(table: string): number {
    return this.imported.get(table) ?? 0
  }
}
