import { placeText, readPlace } from '@vidimus/core-types'
import { joinSql, sql, type Listing, type Sql } from '@vidimus/database'
import { checkedText, invalidInput, isoTime } from './checked-text.js'

/** Greater than every text that begins like another one. */
export const LAST_CHARACTER = '\u{10ffff}'

/** What every kind of thing that accounts hold is searched by. */
export interface HeldQuery {
  alias?: string | undefined
  createdAfter?: string | undefined
  createdBefore?: string | undefined
}

/** A condition, and the columns that an index has it in the order of. */
export interface Search {
  condition: Sql
  order: readonly string[]
}

/** A table of what accounts hold, each with an index for the order of its name, alias and creation. */
export interface HeldTable {
  table: Sql
  /** the column that names a thing */
  name: string
  /** what is read of it beside that, its alias and when it was created */
  columns: Sql
  /** which of the rows are held */
  held: Sql
}

/** The searches that every table of them has; what finds least comes first. @throws AgentError `invalid_input` */
export function commonSearches(
  { alias, createdAfter, createdBefore }: HeldQuery,
  { name }: HeldTable,
): Search[] {
  const searches: Search[] = []
  if (alias !== undefined)
    searches.push({ condition: likeAlias(checkedText(alias, 'alias')), order: ['alias'] })
  if (createdAfter !== undefined || createdBefore !== undefined) {
    const [after, before] = [timeOf(createdAfter, 'createdAfter'), timeOf(createdBefore, 'createdBefore')]
    const condition = sql`created_at > ${after ?? ''} AND created_at < ${before ?? LAST_CHARACTER}`
    searches.push({ condition, order: ['created_at', name] })
  }
  return searches
}

/** The first search is done over its index, the others are looked for in what it finds. */
export function heldListing<Row extends Record<string, unknown>, Item>(
  { table, name, columns, held }: HeldTable,
  account: string,
  [first, ...others]: readonly Search[],
  toItem: (row: Row, place: string) => Item,
): Listing<Row, Item> {
  const order = first?.order ?? [name]
  const ordered = joinSql(order.map((column) => COLUMNS[column] ?? COLUMNS.alias))
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
  const placeOf = (row: Row) => placeText(order.map((column) => textOf(row[column])))
  const conditions = others.map(({ condition }) => condition)
  return {
    rows: (after) => sql`SELECT ${columns} FROM ${table}
      WHERE account_id = ${account} ${held} ${first ? sql`AND ${first.condition}` : sql``}
      ${after === undefined ? sql`` : sql`AND (${ordered}) > (${joinSql(readPlace(after, order.length))})`}
      ORDER BY ${ordered}`,
    filter: conditions.length === 0 ? undefined : joinSql(conditions, ' AND '),
    placeOf,
    toItem: (row) => toItem(row, placeOf(row)),
  }
}

const COLUMNS: Readonly<Record<string, Sql>> & { alias: Sql } = {
  alias: sql`alias`,
  created_at: sql`created_at`,
  did: sql`did`,
  kid: sql`kid`,
}

function likeAlias(alias: string): Sql {
  if (!alias.endsWith('*')) return sql`alias = ${alias}`
  const beginning = alias.slice(0, -1)
  if (beginning === '') throw invalidInput('alias', 'must have something before the *')
  return sql`alias >= ${beginning} AND alias < ${beginning + LAST_CHARACTER}`
}

const timeOf = (value: string | undefined, path: string) =>
  value === undefined ? undefined : isoTime(value, path)
