import { AgentError } from '@vidimus/core-types'
import {
  HOME_VERSION,
  SHARED_VERSION,
  sql,
  UNFINISHED_IMPORT,
  type Dialect,
  type Reader,
} from '@vidimus/database'
import type { ColumnType, TableShape } from './archive-format.js'
import { quoted } from './quoted.js'

/** A table as the database describes it. */
export interface DatabaseTable extends TableShape {
  /** names of other tables that its rows refer to */
  references: readonly string[]
  /** the column that the database numbers the rows in */
  numbered?: string
}

/** Tables of the database itself, not of its content. */
const LEFT_OUT = new Set([HOME_VERSION, SHARED_VERSION, 'migrations', UNFINISHED_IMPORT])

const TYPES: readonly { type: ColumnType; names: RegExp }[] = [
  { type: 'text', names: /^(text|varchar|character varying)/i },
  { type: 'integer', names: /^(integer|int|bigint|smallint)$/i },
  { type: 'bytes', names: /^(blob|bytea)$/i },
  { type: 'time', names: /^(datetime|timestamp without time zone)$/i },
  { type: 'boolean', names: /^boolean$/i },
]

interface ColumnRow {
  table: string
  column: string
  type: string
  /** from 1; `null` or 0: not in the primary key */
  key: number | null
  /** 1 if the database numbers the rows in it */
  numbered: number
}

/**
 * All tables, those that others refer to before them.
 *
 * @throws AgentError `invalid_input` for a table that cannot be archived
 */
export async function databaseTables(reader: Reader, dialect: Dialect): Promise<DatabaseTable[]> {
  const columns = await reader.query<ColumnRow>(dialect === 'sqlite' ? SQLITE_COLUMNS : POSTGRES_COLUMNS)
  const references = await reader.query<{ table: string; to: string }>(
    dialect === 'sqlite' ? SQLITE_REFERENCES : POSTGRES_REFERENCES,
  )
  const tables = [...new Set(columns.map(({ table }) => table))]
    .filter((name) => !LEFT_OUT.has(name))
    .map((name) =>
      toTable(
        name,
        columns.filter(({ table }) => table === name),
        references,
      ),
    )
  return inOrder(tables)
}

function toTable(
  name: string,
  rows: readonly ColumnRow[],
  references: readonly { table: string; to: string }[],
): DatabaseTable {
  const columns = rows.map(({ column, type }) => ({ name: column, type: columnType(name, column, type) }))
  const key = rows.filter(({ key }) => key).sort((one, other) => Number(one.key) - Number(other.key))
  if (key.length === 0) {
    throw new AgentError('invalid_input', `the table ${name} has no primary key, so its rows have no order`)
  }
  const numbered = rows.find((row) => row.numbered === 1)?.column
  // A number alone tells rows apart, whatever else is in the key of one dialect.
  return {
    name,
    columns: columns.sort((one, other) => (one.name < other.name ? -1 : 1)),
    key: numbered === undefined ? key.map(({ column }) => column) : [numbered],
    references: references.filter(({ table, to }) => table === name && to !== name).map(({ to }) => to),
    ...(numbered !== undefined && { numbered }),
  }
}

function columnType(table: string, column: string, name: string): ColumnType {
  const found = TYPES.find(({ names }) => names.test(name))
  if (found) return found.type
  throw new AgentError(
    'invalid_input',
    `the column ${column} of the table ${table} is of the type ${name}, which archives do not support`,
  )
}

function inOrder(tables: readonly DatabaseTable[]): DatabaseTable[] {
  const left = [...tables].sort((one, other) => (one.name < other.name ? -1 : 1))
  const ordered: DatabaseTable[] = []
  while (left.length > 0) {
    const next = left.findIndex(({ references }) => !left.some(({ name }) => references.includes(name)))
    const [table] = left.splice(Math.max(next, 0), 1)
    if (next < 0 || !table) {
      throw new AgentError(
        'invalid_input',
        `the tables ${left.map(({ name }) => name).join(', ')} refer to each other`,
      )
    }
    ordered.push(table)
  }
  return ordered
}

const SQLITE_COLUMNS = sql`SELECT m.name AS "table", c.name AS "column", c.type AS "type", c.pk AS "key",
    c.pk = 1 AND m.sql LIKE '%AUTOINCREMENT%' AS "numbered"
  FROM sqlite_master m JOIN pragma_table_info(m.name) c
  WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY m.name, c.cid`

const SQLITE_REFERENCES = sql`SELECT DISTINCT m.name AS "table", f."table" AS "to"
  FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'`

const POSTGRES_COLUMNS = sql`SELECT c.table_name::text AS "table", c.column_name::text AS "column",
    c.data_type::text AS "type", k.position::integer AS "key",
    CASE WHEN c.is_identity = 'YES' OR c.column_default LIKE 'nextval(%' THEN 1 ELSE 0 END AS "numbered"
  FROM information_schema.tables t
    JOIN information_schema.columns c ON c.table_schema = t.table_schema AND c.table_name = t.table_name
    LEFT JOIN (
      SELECT i.indrelid, a.attname, array_position(i.indkey::int2[], a.attnum) + 1 AS position
      FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey::int2[])
      WHERE i.indisprimary
    ) k ON k.indrelid = (quote_ident(t.table_schema) || '.' || quote_ident(t.table_name))::regclass
      AND k.attname = c.column_name
  WHERE t.table_schema = current_schema() AND t.table_type = 'BASE TABLE' ORDER BY 1, c.ordinal_position`

const POSTGRES_REFERENCES = sql`SELECT DISTINCT r.relname::text AS "table", o.relname::text AS "to"
  FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid JOIN pg_class o ON o.oid = c.confrelid
    JOIN pg_namespace n ON n.oid = r.relnamespace
  WHERE c.contype = 'f' AND n.nspname = current_schema()`

/** The last number that the database has given in the column. */
export async function lastNumber(
  reader: Reader,
  dialect: Dialect,
  { name, numbered }: DatabaseTable & { numbered: string },
): Promise<number> {
  const [row] = await reader.query<{ last: number | null }>(
    dialect === 'sqlite'
      ? sql`SELECT seq AS "last" FROM sqlite_sequence WHERE name = ${name}`
      : sql`SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence(${quoted(name).text('postgres')}, ${numbered})
          AS REGCLASS)) AS "last"`,
  )
  return row?.last ?? 0
}
