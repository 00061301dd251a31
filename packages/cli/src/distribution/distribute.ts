import { AgentError, queueName } from '@vidimus/core-types'
import { joinSql, Sql, sql, type Database, type Reader } from '@vidimus/database'
import { demandCoordinator, readCitus, type CitusServer, type CitusTable, type Kept } from './citus-tables.js'

/** A table that is kept in another way from now on. */
export interface Moved {
  table: string
  from: Kept
  to: Exclude<Kept, 'plain'>
}

export interface Distribution {
  database: string
  version: string
  workers: number
  /** whether {@link moved} was done, and not only planned */
  done: boolean
  moved: readonly Moved[]
  /** names of the tables by how they are kept, after it is done */
  kept: Record<Exclude<Kept, 'plain'>, string[]>
  /** names of the tables that cannot be distributed yet, as `home` is not in their keys */
  notYet: readonly string[]
}

export interface DistributeOptions {
  /** otherwise nothing is changed */
  yes: boolean
  /** called before each table */
  onTable?: (table: string, done: number, total: number) => void
}

/**
 * Distributes the tables of the service in a Citus database, each in a transaction of its own, and those that refer to each other
 * in one: those with `home` in their keys by that, all in the same way, so that the rows of a home are on one server. It continues
 * where it was interrupted.
 *
 * @param database - started
 * @throws AgentError `invalid_configuration` if it is not a Citus coordinator; `unavailable` if another process is on it
 */
export async function distribute(
  database: Database,
  { yes, onTable }: DistributeOptions,
): Promise<Distribution> {
  const citus = demandCoordinator(await readCitus(database), database)
  const moved = planned(citus.tables)
  if (yes) await move(database, citus.tables, moved, onTable)
  return report(database, citus, { done: yes, moved })
}

/** Tables that others refer to come before those, as Citus demands it. */
const ORDER: readonly Moved['to'][] = ['reference', 'distributed', 'coordinator']

/** What is kept in another way than it should be. */
export function planned(tables: readonly CitusTable[]): Moved[] {
  const left = tables.filter(({ kept, wanted }) => kept !== wanted)
  return ORDER.flatMap((to) => inOrder(left.filter(({ wanted }) => wanted === to))).map(
    ({ table, kept, wanted }) => ({ table, from: kept, to: wanted }),
  )
}

function inOrder(tables: readonly CitusTable[]): CitusTable[] {
  const left = [...tables]
  const ordered: CitusTable[] = []
  while (left.length > 0) {
    const next = left.findIndex(({ references }) => !left.some(({ table }) => references.includes(table)))
    ordered.push(...left.splice(Math.max(next, 0), 1))
  }
  return ordered
}

const LOCK = queueName('distribution')

async function move(
  database: Database,
  tables: readonly CitusTable[],
  moved: readonly Moved[],
  onTable: DistributeOptions['onTable'],
): Promise<void> {
  const release = await database.lock(LOCK)
  if (!release) throw new AgentError('unavailable', 'another process is already distributing this database')
  try {
    if ((await database.othersPresent()) > 0)
      throw new AgentError('unavailable', 'the service is running on this database: stop every process first')
    let beside = tables.find(({ kept }) => kept === 'distributed')?.table
    let done = 0
    await database.alterTables(async (connection) => {
      // Otherwise the audit trail, whose triggers keep its rows, is refused. They only read tables that are on every server.
      await connection.query(sql`SET citus.enable_unsafe_triggers = on`)
      for (const group of together(moved, tables)) {
        // A failure ends the connection, and so the transaction.
        await connection.query(sql`BEGIN`)
        const add = group.length > 1 ? await withoutReferences(connection, group) : []
        for (const { table, to } of group) {
          onTable?.(table, done++, moved.length)
          await connection.query(statement(table, to, beside))
          if (to === 'distributed') beside ??= table
        }
        for (const reference of add) await connection.query(reference)
        await connection.query(sql`COMMIT`)
      }
    })
  } finally {
    await release()
  }
}

/** Those to be distributed that refer to each other are moved together: neither can refer to the other while only one is. */
export function together(moved: readonly Moved[], tables: readonly CitusTable[]): Moved[][] {
  const references = new Map(tables.map(({ table, references: to }) => [table, to]))
  const refers = (one: Moved, other: Moved) => references.get(one.table)?.includes(other.table) === true
  const isLinked = (one: Moved, other: Moved) =>
    one.to === 'distributed' && other.to === 'distributed' && (refers(one, other) || refers(other, one))
  const groups: Moved[][] = []
  for (const next of moved) {
    const linked = groups.filter((group) => group.some((one) => isLinked(one, next)))
    const [first = []] = linked
    if (linked.length === 0) groups.push(first)
    for (const other of linked.slice(1)) first.push(...groups.splice(groups.indexOf(other), 1).flat())
    first.push(next)
  }
  return groups
}

/**
 * Removes the references of tables among each other: Citus moves one table after the other.
 *
 * @returns statements that add them again
 */
async function withoutReferences(connection: Reader, group: readonly Moved[]): Promise<Sql[]> {
  await connection.query(sql`SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`)
  const names = joinSql(group.map(({ table }) => tableName(table)))
  const rows = await connection.query<{ drop: string; add: string }>(
    sql`SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
        format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS add
      FROM pg_constraint WHERE contype = 'f' AND conrelid IN (${names}) AND confrelid IN (${names})`,
  )
  for (const { drop } of rows) await connection.query(new Sql([drop], []))
  return rows.map(({ add }) => new Sql([add], []))
}

/** @param beside - a table whose rows of a home the rows of this one must be with */
function statement(table: string, to: Moved['to'], beside: string | undefined): Sql {
  const name = tableName(table)
  if (to === 'reference') return sql`SELECT create_reference_table(${name})`
  // With it come the tables that it is connected with by foreign keys.
  if (to === 'coordinator')
    return sql`SELECT citus_add_local_table_to_metadata(${name}, cascade_via_foreign_keys => true)`
  const colocated = beside === undefined ? sql`'none'` : sql`CAST(${tableName(beside)} AS TEXT)`
  return sql`SELECT create_distributed_table(${name}, 'home', colocate_with => ${colocated})`
}

const tableName = (table: string): Sql =>
  sql`CAST(format('%I.%I', current_schema(), CAST(${table} AS TEXT)) AS REGCLASS)`

function report(
  { location }: Database,
  { version, workers, tables }: CitusServer,
  { done, moved }: Pick<Distribution, 'done' | 'moved'>,
): Distribution {
  const kept: Distribution['kept'] = { distributed: [], reference: [], coordinator: [] }
  for (const { table, wanted } of tables) kept[wanted].push(table)
  const notYet = tables.filter(({ place, wanted }) => place === 'home' && wanted !== 'distributed')
  return { database: location, version, workers, done, moved, kept, notYet: notYet.map(({ table }) => table) }
}
