import { createHash } from 'node:crypto'
import { AgentError } from '@vidimus/core-types'
import { joinSql, sql, Sql, type Dialect, type Reader, type SqlValue } from '@vidimus/database'
import type { TableDigest, TableShape } from './archive-format.js'
import { placed, selected, toArchived } from './archived-value.js'
import { quoted } from './quoted.js'

/** Sizes of rows that are looked at together. */
const SIZES_TOGETHER = 1_000
/** Bytes of rows that are read together: they determine the memory of an export. */
const BYTES_TOGETHER = 1_048_576

type Row = Readonly<Record<string, unknown>>

/** Goes through the rows of a table in the order of its key. */
interface TableCursor {
  /** Of the rows that follow, in bytes. */
  sizes(most: number): Promise<number[]>
  rows(count: number): Promise<Row[]>
  close(): Promise<void>
}

/**
 * The rows of a table as lines of an archive, in the order of the bytes of its key, some at a time.
 *
 * @throws AgentError `invalid_input` for a value that its column must not hold
 */
export async function* tableRows(
  reader: Reader,
  dialect: Dialect,
  table: TableShape,
): AsyncGenerator<string[]> {
  const cursor =
    dialect === 'sqlite' ? new SqliteCursor(reader, table) : await PostgresCursor.open(reader, table)
  let sizes: number[] = []
  for (;;) {
    if (sizes.length === 0) sizes = await cursor.sizes(SIZES_TOGETHER)
    if (sizes.length === 0) {
      await cursor.close()
      return
    }
    const count = fitting(sizes)
    sizes = sizes.slice(count)
    yield (await cursor.rows(count)).map((row) => rowLine(table, row))
  }
}

/** Counts and digests the rows of a table. */
export class RowDigest {
  rows = 0
  private readonly hash = createHash('sha256')

  add(lines: readonly string[]): void {
    this.rows += lines.length
    for (const line of lines) this.hash.update(line).update('\n')
  }

  of(table: string): TableDigest {
    return { table, rows: this.rows, sha256: this.hash.copy().digest('hex') }
  }
}

/** How many of the first rows fit into {@link BYTES_TOGETHER}; one in any case. */
function fitting(sizes: readonly number[]): number {
  let bytes = 0
  const tooMany = sizes.findIndex((size) => (bytes += size) > BYTES_TOGETHER)
  return tooMany < 0 ? sizes.length : Math.max(tooMany, 1)
}

function rowLine(table: TableShape, row: Row): string {
  const values = table.columns.map(({ name, type }, n) => {
    const value = toArchived(type, row[`c${n}`])
    if (value !== undefined) return value
    throw new AgentError(
      'invalid_input',
      `the column ${name} of the table ${table.name} holds a value that is not a ${type}, in the row ` +
        JSON.stringify(
          table.key.map((key) => row[`c${table.columns.findIndex((column) => column.name === key)}`]),
        ),
    )
  })
  return JSON.stringify(values)
}

const columnList = (dialect: Dialect, { columns }: TableShape): Sql =>
  joinSql(columns.map(({ name, type }, n) => sql`${selected(dialect, name, type)} AS ${quoted(`c${n}`)}`))

const rowBytes = ({ columns }: TableShape): Sql =>
  joinSql(
    columns
      .filter(({ type }) => type === 'text' || type === 'bytes')
      .map(({ name }) => sql`COALESCE(octet_length(${quoted(name)}), 0)`)
      .concat(sql`0`),
    ' + ',
  )

/** Each page begins behind the last one's key; the index of the key leads there. */
class SqliteCursor implements TableCursor {
  private after: readonly SqlValue[] | undefined

  constructor(
    private readonly reader: Reader,
    private readonly table: TableShape,
  ) {}

  async sizes(most: number): Promise<number[]> {
    const rows = await this.reader.query<{ bytes: number }>(
      sql`SELECT ${rowBytes(this.table)} AS "bytes" ${this.following(most)}`,
    )
    return rows.map(({ bytes }) => bytes)
  }

  async rows(count: number): Promise<Row[]> {
    const rows = await this.reader.query<Row>(
      sql`SELECT ${columnList('sqlite', this.table)} ${this.following(count)}`,
    )
    const last = rows.at(-1)
    if (last) this.after = this.keyColumns().map(({ position }) => last[`c${position}`] as SqlValue)
    return rows
  }

  async close(): Promise<void> {
    // Its statements have ended.
  }

  private following(most: number): Sql {
    const key = joinSql(this.table.key.map(quoted))
    const order = joinSql(this.table.key.map((name) => sql`${quoted(name)} COLLATE BINARY`))
    const further =
      this.after === undefined ? sql`` : sql`WHERE (${key}) > (${joinSql(this.keyParameters(this.after))})`
    return sql`FROM ${quoted(this.table.name)} ${further} ORDER BY ${order} LIMIT ${most}`
  }

  private keyParameters(values: readonly SqlValue[]): Sql[] {
    return this.keyColumns().map(({ type }, n) => {
      const { before, after } = placed('sqlite', type)
      return new Sql([before, after], [values[n] ?? null])
    })
  }

  private keyColumns() {
    return this.table.key.map((key) => {
      const position = this.table.columns.findIndex(({ name }) => name === key)
      return { position, type: this.table.columns[position]?.type ?? 'text' }
    })
  }
}

/** A cursor of the database: not all indexes are in byte order, so that each page would sort the whole table. */
class PostgresCursor implements TableCursor {
  private constructor(
    private readonly reader: Reader,
    private readonly name: string,
  ) {}

  static async open(reader: Reader, table: TableShape): Promise<PostgresCursor> {
    const types = new Map(table.columns.map(({ name, type }) => [name, type]))
    const order = joinSql(
      table.key.map((key) => (types.get(key) === 'text' ? sql`${quoted(key)} COLLATE "C"` : quoted(key))),
    )
    const from = sql`FROM ${quoted(table.name)} ORDER BY ${order}`
    for (const [what, list] of [
      ['sizes', sql`${rowBytes(table)} AS "bytes"`],
      ['rows', columnList('postgres', table)],
    ] as const) {
      const name = quoted(`${what} of ${table.name}`)
      await reader.query(sql`DECLARE ${name} NO SCROLL CURSOR FOR SELECT ${list} ${from}`)
    }
    return new PostgresCursor(reader, table.name)
  }

  async sizes(most: number): Promise<number[]> {
    const rows = await this.fetch<{ bytes: number }>(most, 'sizes')
    return rows.map(({ bytes }) => bytes)
  }

  rows(count: number): Promise<Row[]> {
    return this.fetch<Row>(count, 'rows')
  }

  /** Its sorted rows would otherwise stay until the end of the transaction. */
  async close(): Promise<void> {
    for (const what of ['sizes', 'rows'])
      await this.reader.query(sql`CLOSE ${quoted(`${what} of ${this.name}`)}`)
  }

  private fetch<T>(count: number, what: string): Promise<T[]> {
    const statement = new Sql([`FETCH FORWARD ${count} FROM `], [])
    return this.reader.query<T>(sql`${statement}${quoted(`${what} of ${this.name}`)}`)
  }
}
