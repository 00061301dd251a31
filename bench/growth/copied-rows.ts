import { homeOf, joinSql, Sql, sql, type Connection, type Database, type Dialect } from '@vidimus/database'
import { columnsOf, quoted, tablesOf } from './dialects.js'

/** What makes a copy of the rows that name something. */
export interface Copying {
  /**
   * Texts of at least eight characters; rows that hold one of them, in whichever table and column, are copied. The
   * first is the unique id whose home the rows have.
   */
  names: readonly string[]
  /** further columns that get another text, as `table.column` */
  columns?: readonly string[]
  /** when the copies were made, in terms of the number `n` in the table `s` */
  time: Sql
  /** tables whose rows only every n-th copy has */
  seldom?: { tables: readonly string[]; every: number }
}

/** A text for each of the names, and then for each of the columns. */
export type Copy = readonly string[]

/** A row that the service has written. */
interface Original {
  table: string
  values: Record<string, string | number | null>
  /** columns that hold a name */
  naming: readonly string[]
}

/** Values bound to one statement; SQLite takes 32,766. */
const MOST_VALUES = 30_000
const STAGE = 'bench_copies'
/** Of the stage, before the texts. */
const NUMBERS = 2
/** Rows of one transaction: on PostgreSQL a serialisable one remembers what its foreign keys have read, and there is room for so much. */
const AT_ONCE = 10_000
/** The database itself gives these. */
const GIVEN = 'sequence'
/** Each copy has the next one, from these on. */
const COUNTED: Record<string, Sql> = {
  position: sql`SELECT MAX(last) AS last FROM account_event_head`,
}
const TIMES = ['created_at', 'created', 'time']

/**
 * Copies rows in bulk, as nobody waits for so many requests.
 *
 * @param copies - read once
 * @returns how many rows were written, by table
 */
export async function copyRows(
  database: Database,
  copying: Copying,
  copies: Iterable<Copy>,
): Promise<Record<string, number>> {
  const { dialect } = database
  const originals = await database.write((connection) => findOriginals(connection, dialect, copying))
  const amount = await stage(database, copying, copies)
  const written: Record<string, number> = {}
  for (const original of originals) {
    const counted = await database.write((connection) => countedFrom(connection, original))
    for (let first = 1; first <= amount; first += AT_ONCE) {
      const statement = insertion(original, copying, { counted, first })
      const rows = await database.write((connection) => connection.run(statement))
      written[original.table] = (written[original.table] ?? 0) + rows
    }
  }
  await database.write((connection) => connection.run(new Sql([`DROP TABLE ${STAGE}`], [])))
  return written
}

/** Written before anything refers to it: in the order in which the tables were made. */
async function findOriginals(
  connection: Connection,
  dialect: Dialect,
  { names }: Copying,
): Promise<Original[]> {
  const found: Original[] = []
  for (const table of await tablesOf(connection, dialect)) {
    const columns = await columnsOf(connection, dialect, table)
    const tests = columns.flatMap((column) =>
      names.map((name) => sql`CAST(${quoted(column)} AS TEXT) LIKE ${`%${name}%`}`),
    )
    const rows = await connection.query<Original['values']>(
      sql`SELECT * FROM ${quoted(table)} WHERE ${joinSql(tests, ' OR ')}`,
    )
    for (const values of rows) {
      const naming = columns.filter((column) => names.some((name) => String(values[column]).includes(name)))
      found.push({ table, values, naming })
    }
  }
  return found
}

/** Sequential, and out of the way of what is measured: SQLite keeps it in another file. */
async function stage(
  database: Database,
  { names, columns = [] }: Copying,
  copies: Iterable<Copy>,
): Promise<number> {
  const width = names.length + columns.length
  const kind = database.dialect === 'sqlite' ? 'TEMP' : 'UNLOGGED'
  const texts = Array.from({ length: width }, (_, n) => `c${n} TEXT NOT NULL`).join(', ')
  await database.write((connection) =>
    connection.run(
      new Sql([`CREATE ${kind} TABLE ${STAGE} (n INTEGER PRIMARY KEY, home INTEGER NOT NULL, ${texts})`], []),
    ),
  )
  const most = Math.floor(MOST_VALUES / (width + NUMBERS))
  let values: (string | number)[] = []
  let n = 0
  const flush = () => database.write((connection) => connection.run(rowsOf(values, width + NUMBERS)))
  for (const copy of copies) {
    values.push((n += 1), homeOf(copy[0] ?? ''), ...copy)
    if (n % most > 0) continue
    await flush()
    values = []
  }
  if (values.length > 0) await flush()
  return n
}

/** Put together at once: there are thousands of them. */
function rowsOf(values: (string | number)[], width: number): Sql {
  const between = values.slice(1).map((_, n) => ((n + 1) % width === 0 ? '), (' : ', '))
  return new Sql([`INSERT INTO ${STAGE} VALUES (`, ...between, ')'], values)
}

function insertion(
  { table, values, naming }: Original,
  copying: Copying,
  { counted, first }: { counted: Map<string, number>; first: number },
): Sql {
  const columns = Object.keys(values).filter((column) => column !== GIVEN)
  const { names, columns: further = [], seldom, time } = copying
  const selected = columns.map((column) => {
    const replaced = further.indexOf(`${table}.${column}`)
    if (replaced >= 0) return staged(names.length + replaced)
    if (naming.includes(column)) return withOtherNames(String(values[column]), names)
    // Keys have the home of the account.
    if (column === 'home' && values.home === homeOf(names[0] ?? '')) return sql`s.home`
    const highest = counted.get(column)
    if (highest !== undefined) return new Sql([`${highest} + s.n`], [])
    return TIMES.includes(column) ? time : quoted(column, 't')
  })
  const same = naming.map((column) => sql`t.${quoted(column)} = ${values[column] ?? null}`)
  const some = seldom?.tables.includes(table) ? sql`AND s.n % ${new Sql([`${seldom.every}`], [])} = 0` : sql``
  return sql`INSERT INTO ${quoted(table)} (${joinSql(columns.map((name) => quoted(name)))})
    SELECT ${joinSql(selected)} FROM ${new Sql([STAGE], [])} s, ${quoted(table)} t
    WHERE ${joinSql([...same, given(values)], ' AND ')} ${some}
      AND s.n BETWEEN ${new Sql([`${first} AND ${first + AT_ONCE - 1}`], [])}`
}

/** Rows may name the same and be two. */
const given = (values: Original['values']): Sql =>
  GIVEN in values ? sql`t.${quoted(GIVEN)} = ${values[GIVEN] ?? null}` : sql`1 = 1`

const staged = (n: number): Sql => new Sql([`s.c${n}`], [])

/** The text as an expression, with columns of the stage where it has a name. */
function withOtherNames(text: string, names: readonly string[]): Sql {
  const parts = text.split(new RegExp(`(${names.join('|')})`)).filter((part) => part !== '')
  const pieces = parts.map((part) => {
    const n = names.indexOf(part)
    return n >= 0 ? staged(n) : sql`CAST(${part} AS TEXT)`
  })
  return joinSql(pieces, ' || ')
}

/** By column: the last that is taken. */
async function countedFrom(connection: Connection, { values }: Original): Promise<Map<string, number>> {
  const last = new Map<string, number>()
  for (const [column, statement] of Object.entries(COUNTED)) {
    if (!(column in values)) continue
    const [row] = await connection.query<{ last: number | string | null }>(statement)
    last.set(column, Number(row?.last ?? 0))
  }
  return last
}
