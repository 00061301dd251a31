import { joinSql, Sql, sql, type Connection, type Database, type Dialect } from '@vidimus/database'

/** A DID that the service has created, with all that its creation has written. */
export interface TemplateDid {
  did: string
  kid: string
}

const IN_ONE_TRANSACTION = 20_000

/** Tables that a creation writes, with columns that hold the DID or its key; each row is copied with others in it. */
const TABLES: Record<string, string[]> = {
  identifier: ['did', 'controllerKeyId'],
  key: ['kid', 'publicKeyHex'],
  'private-key': ['alias'],
  account_key: ['kid', 'stored_kid'],
  account_private_key: ['alias', 'stored_alias'],
  account_did: ['did', 'stored_did'],
  account_did_key: ['did', 'kid'],
  ledger_did: ['did'],
  ledger_did_version: ['did', 'doc'],
}

/** A row of a table that is copied. */
interface TemplateRow {
  table: string
  columns: readonly string[]
  /** those that get another DID or key */
  changed: readonly string[]
  /** what the first of them holds */
  key: string
}

/**
 * Copies a DID so often, each copy with a DID and a key of its own, as nobody waits for so many creations. The copies
 * look like DIDs to every query; their private keys do not open.
 */
export async function fillWithDids(
  database: Database,
  dialect: Dialect,
  template: TemplateDid,
  amount: number,
): Promise<void> {
  const rows = await database.write((connection) => findRows(connection, dialect, template))
  for (let done = 0; done < amount; done += IN_ONE_TRANSACTION) {
    const numbers = { first: done + 1, last: Math.min(done + IN_ONE_TRANSACTION, amount) }
    await database.write(async (connection) => {
      for (const row of rows) await connection.run(copies(dialect, template, row, numbers))
    })
  }
}

async function findRows(
  connection: Connection,
  dialect: Dialect,
  { did, kid }: TemplateDid,
): Promise<TemplateRow[]> {
  const rows: TemplateRow[] = []
  for (const [table, changed] of Object.entries(TABLES)) {
    const [first = ''] = changed
    const end = first.endsWith('did') ? did : kid
    const [found] = await connection.query<{ key: string }>(
      sql`SELECT ${quoted(first)} AS key FROM ${quoted(table)} WHERE ${quoted(first)} LIKE ${`%${end}`}`,
    )
    if (!found) throw new Error(`nothing in "${table}" belongs to ${did}`)
    rows.push({ table, changed, key: found.key, columns: await columnsOf(connection, dialect, table) })
  }
  return rows
}

function copies(
  dialect: Dialect,
  { did, kid }: TemplateDid,
  { table, columns, changed, key }: TemplateRow,
  { first, last }: { first: number; last: number },
): Sql {
  const uuid = did.split(':').at(-1) ?? ''
  const hex = dialect === 'sqlite' ? sql`printf('%08x', s.n)` : sql`lpad(to_hex(s.n), 8, '0')`
  // Eight digits of the identifier and of the key become the number of the copy.
  const other = (column: Sql) =>
    sql`replace(replace(${column}, CAST(${uuid} AS TEXT), ${hex} || CAST(${uuid.slice(8)} AS TEXT)),
      CAST(${kid} AS TEXT), ${hex} || CAST(${kid.slice(8)} AS TEXT))`
  const values = columns.map((name) =>
    changed.includes(name) ? other(quoted(name, 't')) : quoted(name, 't'),
  )
  return sql`WITH RECURSIVE s(n) AS
      (SELECT CAST(${first} AS INTEGER) UNION ALL SELECT n + 1 FROM s WHERE n < CAST(${last} AS INTEGER))
    INSERT INTO ${quoted(table)} (${joinSql(columns.map((name) => quoted(name)))})
    SELECT ${joinSql(values)} FROM s JOIN ${quoted(table)} t ON t.${quoted(changed[0] ?? '')} = ${key}`
}

async function columnsOf(connection: Connection, dialect: Dialect, table: string): Promise<string[]> {
  const rows = await connection.query<{ name: string }>(
    dialect === 'sqlite'
      ? sql`SELECT name FROM pragma_table_info(${table})`
      : sql`SELECT column_name AS name FROM information_schema.columns
          WHERE table_schema = current_schema() AND table_name = ${table}`,
  )
  return rows.map(({ name }) => name)
}

const quoted = (name: string, table?: string): Sql =>
  new Sql([`${table === undefined ? '' : `${table}.`}"${name}"`], [])
