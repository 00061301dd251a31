import { placeText, pointInTime, readPlace, type HeldDidQuery } from '@vidimus/core-types'
import { joinSql, sql, type Listing, type Sql } from '@vidimus/database'

/** Greater than every text that begins like another one. */
const LAST_CHARACTER = '\u{10ffff}'

/** The search fields of every kind of holding. */
export type HeldQuery = Pick<HeldDidQuery, 'alias' | 'createdAfter' | 'createdBefore'>

/** A condition, and the columns that an index has it in the order of. */
export interface Search {
  condition: Sql
  order: readonly string[]
  /** further condition: where the range begins, in the first of these columns */
  from?: { value: string; isIncluded: boolean }
}

/** A table of what accounts hold, each with an index for the order of its name, alias and creation. */
export interface HeldTable {
  table: Sql
  /** the column that names a thing */
  name: string
  /** further columns, its alias and creation time */
  columns: Sql
  /** which of the rows the account holds */
  held: (account: string) => Sql
}

/** The searches that every table of them has; what finds least comes first. */
export function commonSearches(
  { alias, createdAfter, createdBefore }: HeldQuery,
  { name }: HeldTable,
): Search[] {
  const searches: Search[] = []
  if (alias !== undefined) searches.push(likeAlias(alias))
  if (createdAfter !== undefined || createdBefore !== undefined) {
    const [after, before] = [pointInTime(createdAfter), pointInTime(createdBefore)]
    const condition = sql`created_at < ${before ?? LAST_CHARACTER}`
    const from = { value: after ?? '', isIncluded: false }
    searches.push({ condition, order: ['created_at', name], from })
  }
  return searches
}

/** A listing and its count: if possible, only the index is read for the count. */
export interface HeldListing<Row, Item> extends Listing<Row, Item> {
  counted: Pick<Listing<Row, Item>, 'rows' | 'filter'>
}

/** The first search uses its index, the others filter its result. */
export function heldListing<Row extends Record<string, unknown>, Item>(
  { table, name, columns, held }: HeldTable,
  account: string,
  [first, ...others]: readonly Search[],
  toItem: (row: Row, place: string) => Item,
): HeldListing<Row, Item> {
  const order = first?.order ?? [name]
  const ordered = joinSql(order.map(searchColumn))
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
  const placeOf = (row: Row) => placeText(order.map((column) => textOf(row[column])))
  const filter = others.length === 0 ? undefined : joinSql(others.map(searchCondition), ' AND ')
  const select = (read: Sql, after?: string) => sql`SELECT ${read} FROM ${table}
    WHERE ${held(account)} ${first ? sql`AND ${first.condition}` : sql``}
    ${behind(first, ordered, after === undefined ? undefined : readPlace(after, order.length))}
    ORDER BY ${ordered}`
  return {
    rows: (after) => select(columns, after),
    counted: { rows: () => select(filter ? columns : ordered), filter },
    filter,
    placeOf,
    toItem: (row) => toItem(row, placeOf(row)),
  }
}

/** All that a search finds. */
export const searchCondition = (search: Search): Sql => sql`${search.condition} ${beginning(search)}`

/** Only one of the two lower bounds: given both, SQLite seeks to either one, and reads everything up to the other. */
function behind(search: Search | undefined, ordered: Sql, place: readonly string[] | undefined): Sql {
  if (!place || (search?.from && isBefore(place[0] ?? '', search.from))) return beginning(search)
  return sql`AND (${ordered}) > (${joinSql(place)})`
}

/** As databases compare texts. */
function isBefore(text: string, { value, isIncluded }: NonNullable<Search['from']>): boolean {
  const order = Buffer.compare(Buffer.from(text), Buffer.from(value))
  return isIncluded ? order < 0 : order <= 0
}

function beginning({ order, from }: Partial<Search> = {}): Sql {
  if (!from) return sql``
  const column = searchColumn(order?.[0] ?? '')
  return from.isIncluded ? sql`AND ${column} >= ${from.value}` : sql`AND ${column} > ${from.value}`
}

const COLUMNS: Readonly<Record<string, Sql>> & { alias: Sql } = {
  alias: sql`alias`,
  created_at: sql`created_at`,
  did: sql`did`,
  kid: sql`kid`,
}

const searchColumn = (name: string): Sql => COLUMNS[name] ?? COLUMNS.alias

function likeAlias(alias: string): Search {
  if (!alias.endsWith('*')) return { condition: sql`alias = ${alias}`, order: ['alias'] }
  return beginningWith('alias', alias.slice(0, -1))
}

/** All that begins so, in a column that an index has. */
export const beginningWith = (column: string, start: string): Search => ({
  condition: sql`${searchColumn(column)} < ${start + LAST_CHARACTER}`,
  order: [column],
  from: { value: start, isIncluded: true },
})
