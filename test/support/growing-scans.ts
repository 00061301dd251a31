import assert from 'node:assert/strict'
import { Sql, type Connection, type Database } from '@vidimus/database'
import { openDatabase } from './open-database.js'

/** Tables that do not grow with what accounts do, and those of what is under way at this moment alone. */
const SMALL = new Set([
  'account_event_keeping',
  'ledger_state',
  'migrations',
  'secret_check',
  'status_list_secret_check',
  'webhook_secret_check',
  'database_restore',
])
/** They hold what is still to be done, and nothing else. */
const PARTIAL_INDICES =
  /USING (COVERING )?INDEX (account_event_unplaced|webhook_delivery_waiting|work_item_held)/

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  Filter?: string
  Plans?: Plan[]
}

/** Those of the statements that read a table that grows from one end to the other, each with the table. */
export async function scanning(
  place: Parameters<typeof openDatabase>[0],
  statements: Iterable<Sql>,
): Promise<string[]> {
  const database = await openDatabase(place)
  const found: string[] = []
  try {
    for (const statement of statements) {
      for (const table of await growingScans(database, statement)) {
        found.push(`${table}: ${statement.text('sqlite').replaceAll(/\s+/g, ' ')}`)
      }
    }
  } finally {
    await database.lifecycle.stop()
  }
  return found
}

async function growingScans(database: Database, statement: Sql): Promise<string[]> {
  const text = statement.text(database.dialect)
  // One row of a table is found at once, wherever it is.
  if (/^SELECT 1 AS \w+ FROM \w+ LIMIT 1$/.test(text)) return []
  return database.dialect === 'sqlite'
    ? scansOnSqlite(database, statement)
    : scansOnPostgres(database, statement)
}

async function scansOnSqlite(database: Database, statement: Sql): Promise<string[]> {
  const { text, values } = explained(statement, 'EXPLAIN QUERY PLAN')
  const steps = await database.query<{ detail: string }>(new Sql(text, values))
  return steps
    .map(({ detail }) => detail)
    .filter((detail) => !PARTIAL_INDICES.test(detail))
    .flatMap((detail) => /^SCAN (\S+)/.exec(detail)?.[1] ?? [])
    .map((name) => tableOf(statement.text('sqlite'), name))
    .filter((table) => table !== undefined && !SMALL.has(table)) as string[]
}

/** @returns `undefined` for what is no table but made of others, whose scans have steps of their own */
function tableOf(text: string, name: string): string | undefined {
  // `3-ROW VALUES CLAUSE`: values of the statement itself
  if (
    name === 'CONSTANT' ||
    name.startsWith('(') ||
    /^\d+-ROW$/.test(name) ||
    new RegExp(`\\) "?${name}"?(?!\\w)`).test(text)
  )
    return undefined
  const table = new RegExp(`(?:FROM|JOIN) "?([\\w-]+)"? (?:AS )?"?${name}"?(?!\\w)`).exec(text)?.[1] ?? name
  return new RegExp(`WITH RECURSIVE "?${table}"? `).test(text) ? undefined : table
}

/** Tables are small here: whether there is an index for it shows where the planner may not do without. */
async function scansOnPostgres(database: Database, statement: Sql): Promise<string[]> {
  const undone = new Error('nothing is kept')
  let plan: Plan | undefined
  const explain = async (connection: Connection) => {
    for (const kind of ['seqscan', 'hashjoin', 'mergejoin']) {
      await connection.run(new Sql([`SET LOCAL enable_${kind} = off`], []))
    }
    const { text, values } = explained(statement, 'EXPLAIN (FORMAT JSON)')
    const [row] = await connection.query<{ 'QUERY PLAN': string }>(new Sql(text, values))
    plan = (JSON.parse(row?.['QUERY PLAN'] ?? '') as [{ Plan: Plan }])[0].Plan
    throw undone
  }
  await database.write(explain).catch((error: unknown) => assert.equal(error, undone))
  return plan ? scansIn(plan) : []
}

/** @param isLimited - whether so few rows are taken of it that it does not matter how many there are */
function scansIn(node: Plan, isLimited = false): string[] {
  const table = node['Relation Name']
  const isBounded = (node['Index Cond'] ?? node['Recheck Cond']) !== undefined
  const isScan = node['Node Type'].endsWith('Scan') && table !== undefined && !SMALL.has(table)
  const passesOn = node['Node Type'] === 'Limit' || (isLimited && node['Node Type'] === 'LockRows')
  return [
    ...(isScan && !isBounded && (!isLimited || node.Filter !== undefined) ? [table] : []),
    ...(node.Plans ?? []).flatMap((child) => scansIn(child, passesOn)),
  ]
}

function explained({ fragments, values }: Sql, how: string) {
  const [first = '', ...others] = fragments
  return { text: [`${how} ${first}`, ...others], values }
}
