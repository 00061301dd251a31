import { Sql, sql, type Connection, type Database, type Dialect } from '@vidimus/database'

export const quoted = (name: string, table?: string): Sql =>
  new Sql([`${table === undefined ? '' : `${table}.`}"${name}"`], [])

/** Numbers 1 to `amount`, as the column `n` of a table `s`. */
export const numbers = (dialect: Dialect, amount: number): Sql =>
  dialect === 'sqlite'
    ? sql`(WITH RECURSIVE counted(n) AS
        (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < CAST(${amount} AS INTEGER)) SELECT n FROM counted) s`
    : sql`generate_series(1, CAST(${amount} AS INTEGER)) AS s(n)`

/** The time of the n-th row of a table `s`, as the service writes times. */
export function timeOf(dialect: Dialect, { first, stepMs }: { first: Date; stepMs: number }): Sql {
  const seconds = new Sql([`(${first.getTime() / 1000} + s.n * ${stepMs / 1000})`], [])
  return dialect === 'sqlite'
    ? sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${seconds}, 'unixepoch')`
    : sql`to_char(to_timestamp(${seconds}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** Tables in the order in which they were made: what others refer to comes first. */
export async function tablesOf(connection: Connection, dialect: Dialect): Promise<string[]> {
  const rows = await connection.query<{ name: string }>(
    dialect === 'sqlite'
      ? sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY rowid`
      : sql`SELECT relname AS name FROM pg_class
          WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY oid`,
  )
  return rows.map(({ name }) => name)
}

export async function columnsOf(connection: Connection, dialect: Dialect, table: string): Promise<string[]> {
  const rows = await connection.query<{ name: string }>(
    dialect === 'sqlite'
      ? sql`SELECT name FROM pragma_table_info(${table})`
      : sql`SELECT column_name AS name FROM information_schema.columns
          WHERE table_schema = current_schema() AND table_name = ${table} ORDER BY ordinal_position`,
  )
  return rows.map(({ name }) => name)
}

const CACHE_KIB = 3_000_000

/** Makes room for many rows: pages that are changed again and again stay in memory meanwhile. */
export async function prepareForMuch(database: Database): Promise<void> {
  if (database.dialect === 'sqlite') {
    await database.write((connection) => connection.run(new Sql([`PRAGMA cache_size = -${CACHE_KIB}`], [])))
  }
}
