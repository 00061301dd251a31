import { Sql, type Database } from '@vidimus/database'
import { watchedConnection } from './watched-connection.js'

export interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** Every statement that a work gives to a database, those of its transactions included. */
export async function statementsOf(database: Database, work: () => Promise<unknown>): Promise<Sql[]> {
  const seen: Sql[] = []
  const query = database.query.bind(database)
  const write = database.write.bind(database)
  database.query = (statement) => (seen.push(statement), query(statement)) as never
  database.write = (step, options) =>
    write(
      (connection) => step(watchedConnection(connection, (statement) => void seen.push(statement))),
      options,
    )
  try {
    await work()
  } finally {
    Object.assign(database, { query, write })
  }
  return seen
}

/** What a statement reads from one end to the other on SQLite: tables, and indexes with `USING`. */
export const scansOf = (database: Database, statement: Sql): Promise<string[]> =>
  stepsOf(database, statement, /^SCAN (.+)/)

/** What a statement looks for on SQLite, each with the index and the conditions that lead to it. */
export const searchesOf = (database: Database, statement: Sql): Promise<string[]> =>
  stepsOf(database, statement, /^SEARCH (.+)/)

async function stepsOf(database: Database, { fragments, values }: Sql, step: RegExp): Promise<string[]> {
  const [first = '', ...others] = fragments
  const explained = new Sql([`EXPLAIN QUERY PLAN ${first}`, ...others], values)
  const plan = await database.query<{ detail: string }>(explained)
  return plan.flatMap(({ detail }) => step.exec(detail)?.[1] ?? [])
}

/** How many rows a SELECT looks at on PostgreSQL, those included that it does not want. */
export async function rowsRead(database: Database, statement: Sql): Promise<number> {
  const text = statement.fragments.reduce(
    (all, fragment, n) => all + literal(statement.values[n - 1]) + fragment,
  )
  const explained = new Sql([`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`], [])
  const [row] = await database.query<{ 'QUERY PLAN': string }>(explained)
  const [{ Plan }] = JSON.parse(row?.['QUERY PLAN'] ?? '') as [{ Plan: PlanNode }]
  return rowsOf(Plan)
}

/** Rows that a plan has looked at. */
export const rowsOf = (node: PlanNode): number =>
  (node['Relation Name'] === undefined
    ? 0
    : (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']) +
  (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0)

export const literal = (value: Sql['values'][number] | undefined): string => {
  if (value === null || value === undefined) return 'NULL'
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`
  return `'${String(value).replaceAll("'", "''")}'`
}
