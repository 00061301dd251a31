import { AgentError } from '@vidimus/core-types'
import { sql, type Database } from '@vidimus/database'
import { findPlace, type TablePlace } from './table-places.js'

/** How a table is kept in a Citus database; `plain`: Citus does not know it. */
export type Kept = 'distributed' | 'reference' | 'coordinator' | 'plain'

/** A table of the service in a Citus database. */
export interface CitusTable {
  table: string
  kept: Kept
  wanted: Exclude<Kept, 'plain'>
  /** where its rows belong, once its keys begin with `home` */
  place: TablePlace
  /** tables that its rows refer to */
  references: readonly string[]
}

/** What Citus says about itself. */
export interface CitusServer {
  version: string
  /** the server distributes, and is not one of those that have the rows */
  isCoordinator: boolean
  /** the others know where it is */
  isKnown: boolean
  /** servers that may have rows */
  workers: number
  tables: readonly CitusTable[]
}

/** The state of a database that has the extension; `undefined`: it has not. */
export async function readCitus(
  reader: Pick<Database, 'dialect' | 'query'>,
): Promise<CitusServer | undefined> {
  if (reader.dialect !== 'postgres') return undefined
  const [extension] = await reader.query<{ version: string }>(
    sql`SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'`,
  )
  if (!extension) return undefined
  const [node] = await reader.query<{ group: number; known: number; workers: number }>(
    sql`SELECT (SELECT groupid FROM pg_dist_local_group) AS group,
      (SELECT COUNT(*) FROM pg_dist_node WHERE groupid = 0) AS known,
      (SELECT COUNT(*) FROM pg_dist_node WHERE noderole = 'primary' AND shouldhaveshards AND isactive) AS workers`,
  )
  const references = await reader.query<ForeignKey>(REFERENCES)
  const tables = await reader.query<TableRow>(TABLES)
  const distributed = distributable(tables, references)
  return {
    version: extension.version,
    isCoordinator: node?.group === 0,
    isKnown: node !== undefined && node.known > 0,
    workers: node?.workers ?? 0,
    tables: tables.map((row) => toTable(row, references, distributed)),
  }
}

interface TableRow {
  table: string
  kept: Kept
  /** 1: it has the column `home`, in every unique key */
  homed: number
}

interface ForeignKey {
  table: string
  to: string
}

/** Citus has no foreign keys between distributed tables and those on the coordinator, in either direction. */
export function distributable(
  tables: readonly Pick<TableRow, 'table' | 'homed'>[],
  references: readonly ForeignKey[],
): ReadonlySet<string> {
  const distributed = new Set(tables.flatMap(({ table, homed }) => (homed === 1 ? [table] : [])))
  const everywhere = ({ to }: ForeignKey) => findPlace(to).place === 'reference'
  for (let before = -1; before !== distributed.size;) {
    before = distributed.size
    for (const key of references.filter((one) => !everywhere(one)))
      if (!distributed.has(key.table) || !distributed.has(key.to))
        for (const table of [key.table, key.to]) distributed.delete(table)
  }
  return distributed
}

function toTable(
  { table, kept }: TableRow,
  references: readonly ForeignKey[],
  distributed: ReadonlySet<string>,
): CitusTable {
  const { place } = findPlace(table)
  return {
    table,
    kept,
    wanted: distributed.has(table) ? 'distributed' : place === 'reference' ? 'reference' : 'coordinator',
    place,
    references: references.filter((one) => one.table === table && one.to !== table).map(({ to }) => to),
  }
}

/** Parts of tables, which Citus keeps beside them on the servers that have rows, are left out. */
const TABLES = sql`SELECT CAST(c.relname AS TEXT) AS "table",
    CASE WHEN p.partmethod = 'h' THEN 'distributed' WHEN p.repmodel = 't' THEN 'reference'
      WHEN p.partmethod = 'n' THEN 'coordinator' ELSE 'plain' END AS kept,
    CASE WHEN home.attnum IS NOT NULL AND NOT EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid
      AND i.indisunique AND home.attnum <> ALL (i.indkey::int2[])) THEN 1 ELSE 0 END AS homed
  FROM pg_class c
    LEFT JOIN pg_dist_partition p ON p.logicalrelid = c.oid
    LEFT JOIN pg_attribute home ON home.attrelid = c.oid AND home.attname = 'home' AND NOT home.attisdropped
  WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
    AND NOT relation_is_a_known_shard(c.oid) ORDER BY 1`

const REFERENCES = sql`SELECT DISTINCT CAST(r.relname AS TEXT) AS "table", CAST(o.relname AS TEXT) AS "to"
  FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid JOIN pg_class o ON o.oid = c.confrelid
  WHERE c.contype = 'f' AND r.relnamespace = current_schema()::regnamespace`

/** @throws AgentError `invalid_configuration` if tables cannot be distributed from here */
export function demandCoordinator(
  citus: CitusServer | undefined,
  { dialect, location }: Pick<Database, 'dialect' | 'location'>,
): CitusServer {
  const refuse = (problem: string) =>
    new AgentError(
      'invalid_configuration',
      `the database ${location} ${problem}; see docs/past-one-machine.md`,
    )
  if (dialect !== 'postgres')
    throw refuse('is a SQLite file: PostgreSQL distributes tables, with the extension Citus')
  if (!citus)
    throw refuse(
      'does not have the extension Citus: CREATE EXTENSION citus on this server and on each worker',
    )
  if (!citus.isCoordinator) throw refuse('is a worker of Citus: give the address of the coordinator')
  if (!citus.isKnown)
    throw refuse(`is a coordinator without an address: SELECT citus_set_coordinator_host('HOST', PORT)`)
  if (citus.workers === 0) throw refuse(`has no worker: SELECT citus_add_node('HOST', PORT) for each`)
  return citus
}
