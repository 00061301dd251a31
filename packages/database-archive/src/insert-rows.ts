import { AgentError } from '@vidimus/core-types'
import { joinSql, sql, Sql, type Connection, type Dialect, type SqlValue } from '@vidimus/database'
import type { ArchivedTable, TableShape } from './archive-format.js'
import { placed, toStored } from './archived-value.js'
import { quoted } from './quoted.js'

/** Rows in one statement: few sizes, so that there are few statements to prepare. */
const ROWS_IN_STATEMENT = [50, 5, 1]

/** Inserts rows as an archive has them. */
export async function insertRows(
  connection: Connection,
  dialect: Dialect,
  table: ArchivedTable,
  lines: readonly string[],
): Promise<void> {
  for (let n = 0; n < lines.length;) {
    const count = ROWS_IN_STATEMENT.find((size) => size <= lines.length - n) ?? 1
    const rows = lines.slice(n, n + count).map((line) => storedRow(dialect, table, line))
    await connection.run(insertion(dialect, table, rows))
    n += count
  }
}

/** @throws AgentError `invalid_input` if it is not a row of the table */
export function storedRow(dialect: Dialect, table: TableShape, line: string): SqlValue[] {
  const values = JSON.parse(line) as unknown[]
  const stored = table.columns.map(({ type }, n) => toStored(dialect, type, values[n]))
  const known = stored.filter((value) => value !== undefined)
  if (values.length === stored.length && known.length === stored.length) return known
  throw new AgentError('invalid_input', `the archive contains an invalid row of the table ${table.name}`)
}

function insertion(dialect: Dialect, table: ArchivedTable, rows: readonly SqlValue[][]): Sql {
  const columns = joinSql(table.columns.map(({ name }) => quoted(name)))
  // The numbers of rows are what others know them by.
  const overriding = dialect === 'postgres' && table.numbered ? sql`OVERRIDING SYSTEM VALUE` : sql``
  return sql`INSERT INTO ${quoted(table.name)} (${columns}) ${overriding} VALUES ${tuples(dialect, table, rows)}`
}

/** All at once: joined one after the other, each would copy the previous ones. */
function tuples(dialect: Dialect, { columns }: TableShape, rows: readonly SqlValue[][]): Sql {
  const places = columns.map(({ type }) => placed(dialect, type))
  const fragments = ['(']
  rows.forEach((_, row) => {
    places.forEach(({ before, after }, n) => {
      fragments[fragments.length - 1] += before
      const behind = n < places.length - 1 ? ', ' : row < rows.length - 1 ? '), (' : ')'
      fragments.push(after + behind)
    })
  })
  return new Sql(fragments, rows.flat())
}
