import type { QueryRunner } from 'typeorm'

/** A foreign key. */
export interface Reference {
  columns: readonly string[]
  table: string
  to: readonly string[]
  /** default: the row that is referred to cannot be deleted */
  onDelete?: string
}

/** A table with other keys than before. */
export interface RebuiltTable {
  table: string
  /** an expression for the new column `home`; absent: the table loses it */
  home?: string
  keys: readonly (readonly string[])[]
  /** the column that numbers the rows: on SQLite, where no other can, it stays the whole primary key */
  counted?: string
  /** to tables of the same call, or new ones */
  references?: readonly Reference[]
  /** other tables that it no longer refers to */
  unreferenced?: readonly string[]
}

/**
 * Gives tables a column `home` and other keys, or takes the column away. Everything else stays as it is: other columns, their
 * defaults, indices, triggers, and references to other tables.
 *
 * @param tables - those that others refer to first
 */
export const rebuildTables = (queryRunner: QueryRunner, tables: readonly RebuiltTable[]): Promise<void> =>
  queryRunner.connection.options.type === 'postgres'
    ? alterTables(queryRunner, tables)
    : copyTables(queryRunner, tables)

/** On PostgreSQL, where long values stay where they are. */
async function alterTables(queryRunner: QueryRunner, tables: readonly RebuiltTable[]): Promise<void> {
  for (const { table, home } of tables) {
    if (home === undefined) continue
    await queryRunner.query(`ALTER TABLE "${table}" ADD COLUMN "home" INTEGER`)
    // Those that refuse changes do not mean this one.
    await queryRunner.query(`ALTER TABLE "${table}" DISABLE TRIGGER USER`)
    await queryRunner.query(`UPDATE "${table}" SET "home" = ${home}`)
    await queryRunner.query(`ALTER TABLE "${table}" ENABLE TRIGGER USER`)
  }
  const names = tables.map(({ table }) => table)
  for (const { table, home, unreferenced = [] } of tables.toReversed()) {
    const dropped = (await constraintsOf(queryRunner, table, [...names, ...unreferenced])).map(
      (name) => `DROP CONSTRAINT "${name}"`,
    )
    const column = home === undefined ? 'DROP COLUMN "home"' : 'ALTER COLUMN "home" SET NOT NULL'
    await queryRunner.query(`ALTER TABLE "${table}" ${[...dropped, column].join(', ')}`)
  }
  for (const rebuilt of tables) {
    const added = newConstraints(rebuilt, []).map((constraint) => `ADD ${constraint}`)
    await queryRunner.query(`ALTER TABLE "${rebuilt.table}" ${added.join(', ')}`)
  }
}

/** Keys, and references to tables of the same names. */
async function constraintsOf(
  queryRunner: QueryRunner,
  table: string,
  names: readonly string[],
): Promise<string[]> {
  const targets = names.map((name) => `'"${name}"'::regclass`).join(', ')
  const rows = (await queryRunner.query(
    `SELECT conname AS "name" FROM pg_constraint WHERE conrelid = '"${table}"'::regclass
      AND (contype IN ('p', 'u') OR contype = 'f' AND confrelid IN (${targets}))`,
  )) as { name: string }[]
  return rows.map(({ name }) => name)
}

/**
 * SQLite changes no keys of a table that exists. All copies are made before the first table is dropped, which would take rows
 * along that refer to it.
 */
async function copyTables(queryRunner: QueryRunner, tables: readonly RebuiltTable[]): Promise<void> {
  const besides: string[] = []
  for (const rebuilt of tables) {
    const found = (await queryRunner.query(
      `SELECT sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND tbl_name = '${rebuilt.table}'
        AND sql IS NOT NULL`,
    )) as { sql: string }[]
    besides.push(...found.map(({ sql }) => sql))
    await copyTable(queryRunner, rebuilt, tables)
  }
  for (const { table } of tables.toReversed()) await queryRunner.query(`DROP TABLE "${table}"`)
  // References follow the names.
  for (const { table } of tables) {
    await queryRunner.query(`ALTER TABLE "${copyOf(table)}" RENAME TO "${table}"`)
  }
  for (const statement of besides) await queryRunner.query(statement)
}

const copyOf = (table: string): string => `${table}_copy`

async function copyTable(
  queryRunner: QueryRunner,
  rebuilt: RebuiltTable,
  tables: readonly RebuiltTable[],
): Promise<void> {
  const { table, home, counted } = rebuilt
  const columns = (await queryRunner.query(`PRAGMA table_info("${table}")`)) as SqliteColumn[]
  const kept = columns.filter(({ name }) => name !== 'home')
  const definitions = [
    ...kept.map((column) => (column.name === counted ? `"${counted}" ${COUNTED}` : define(column))),
    ...(home === undefined ? [] : ['"home" INTEGER NOT NULL']),
    ...newConstraints(rebuilt, tables).slice(counted === undefined ? 0 : 1),
    ...(await otherReferences(queryRunner, rebuilt, tables)),
  ]
  await queryRunner.query(`CREATE TABLE "${copyOf(table)}" (${definitions.join(', ')})`)
  const names = kept.map(({ name }) => `"${name}"`)
  const [into, from] =
    home === undefined
      ? [names, names]
      : [
          [...names, '"home"'],
          [...names, home],
        ]
  await queryRunner.query(
    `INSERT INTO "${copyOf(table)}" (${into.join(', ')}) SELECT ${from.join(', ')} FROM "${table}"`,
  )
  if (counted !== undefined) await continueCount(queryRunner, table)
}

const COUNTED = 'INTEGER PRIMARY KEY AUTOINCREMENT'

/** Numbers of rows that are gone are not given again. */
async function continueCount(queryRunner: QueryRunner, table: string): Promise<void> {
  await queryRunner.query(`DELETE FROM sqlite_sequence WHERE name = '${copyOf(table)}'`)
  await queryRunner.query(
    `INSERT INTO sqlite_sequence (name, seq) SELECT '${copyOf(table)}', seq FROM sqlite_sequence WHERE name = '${table}'`,
  )
}

interface SqliteColumn {
  name: string
  type: string
  notnull: number
  dflt_value: string | null
}

const define = ({ name, type, notnull, dflt_value: initial }: SqliteColumn): string =>
  `"${name}" ${type}${notnull ? ' NOT NULL' : ''}${initial === null ? '' : ` DEFAULT ${initial}`}`

interface SqliteReference {
  id: number
  table: string
  from: string
  to: string
  on_delete: string
}

async function otherReferences(
  queryRunner: QueryRunner,
  { table, unreferenced = [] }: RebuiltTable,
  tables: readonly RebuiltTable[],
): Promise<string[]> {
  const rows = (await queryRunner.query(`PRAGMA foreign_key_list("${table}")`)) as SqliteReference[]
  const replaced = [...tables.map((one) => one.table), ...unreferenced]
  const others = rows.filter((row) => !replaced.includes(row.table))
  return [...new Set(others.map(({ id }) => id))].map((id) => {
    const columns = others.filter((row) => row.id === id)
    const [first] = columns
    return referring(
      {
        columns: columns.map(({ from }) => from),
        table: first?.table ?? '',
        to: columns.map(({ to }) => to),
        ...(first && { onDelete: first.on_delete }),
      },
      [],
    )
  })
}

/** @param copied - tables that have another name meanwhile */
const newConstraints = (
  { keys, references = [] }: RebuiltTable,
  copied: readonly RebuiltTable[],
): string[] => [
  ...keys.map((columns, n) => `${n === 0 ? 'PRIMARY KEY' : 'UNIQUE'} (${list(columns)})`),
  ...references.map((reference) => referring(reference, copied)),
]

function referring(
  { columns, table, to, onDelete }: Reference,
  copied: readonly Pick<RebuiltTable, 'table'>[],
): string {
  const target = copied.some((one) => one.table === table) ? copyOf(table) : table
  const cascade = onDelete ? ` ON DELETE ${onDelete}` : ''
  return `FOREIGN KEY (${list(columns)}) REFERENCES "${target}" (${list(to)})${cascade}`
}

const list = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ')
