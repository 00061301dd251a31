import { countWithin, PAGES, type NextPage, type PageRange, type Total } from '@vidimus/core-types'
import type { Connection } from './connection.js'
import { limitRows } from './limit-rows.js'
import { sql, type Sql } from './sql.js'

/** Rows read at once if a filter skips some of them. */
const CHUNK = 1000

/** A listing whose order an index has. */
export interface Listing<Row, Item> {
  /** a SELECT of all its rows, in order; with a position, which callers send as `after`, of those after it */
  rows(after: string | undefined): Sql
  /** on the columns of {@link rows}: the filter; default: all */
  filter?: Sql | undefined
  placeOf: (row: Row) => string
  toItem: (row: Row) => Item
}

type Marked<Row> = Row & { page_fits: number | string }

/**
 * Reads a page. If a filter skips rows, a limited number of them is read: the page may then be short, or empty, and
 * state in `next` where to continue.
 */
export async function readRows<Row, Item>(
  reader: Pick<Connection, 'query'>,
  listing: Listing<Row, Item>,
  { limit, offset, after }: PageRange,
): Promise<{ items: Item[] } & NextPage> {
  const { filter } = listing
  if (filter)
    return search(reader, { ...listing, filter }, { limit, offset, ...(after !== undefined && { after }) })
  const rows = await reader.query<Row>(sql`${listing.rows(after)} ${limitRows({ limit: limit + 1, offset })}`)
  return toPage(listing, rows.slice(0, limit), rows.length > limit ? rows[limit - 1] : undefined)
}

async function search<Row, Item>(
  reader: Pick<Connection, 'query'>,
  listing: Listing<Row, Item> & { filter: Sql },
  { limit, offset, after }: PageRange,
): Promise<{ items: Item[] } & NextPage> {
  const found: Row[] = []
  let place = after
  let last: Row | undefined
  let left = offset
  for (let seen = 0; seen < PAGES.counted; seen += CHUNK) {
    const rows = await reader.query<Marked<Row>>(
      sql`SELECT w.*, CASE WHEN ${listing.filter} THEN 1 ELSE 0 END AS page_fits
        FROM (${listing.rows(place)} LIMIT ${CHUNK + 1}) w`,
    )
    for (const { page_fits: fits, ...row } of rows.slice(0, CHUNK)) {
      if (found.length === limit) return toPage(listing, found, last)
      last = row as Row
      if (Number(fits) !== 1) continue
      if (left > 0) left -= 1
      else found.push(last)
    }
    if (!last || rows.length <= CHUNK) return toPage(listing, found, undefined)
    place = listing.placeOf(last)
  }
  return toPage(listing, found, last)
}

/** @param end - the last row that was read, if there are further ones */
function toPage<Row, Item>(
  { placeOf, toItem }: Listing<Row, Item>,
  rows: readonly Row[],
  end: Row | undefined,
): { items: Item[] } & NextPage {
  const items = rows.map(toItem)
  const fitting = countWithin(items, PAGES.bytes)
  const last = fitting < items.length ? rows[fitting - 1] : end
  return { items: items.slice(0, fitting), ...(last !== undefined && { next: placeOf(last) }) }
}

/** Counts a listing, up to the end of the reachable pages. */
export async function countRows<Row, Item>(
  reader: Pick<Connection, 'query'>,
  { rows, filter }: Pick<Listing<Row, Item>, 'rows' | 'filter'>,
): Promise<Total> {
  const fits = filter ? sql`CASE WHEN ${filter} THEN 1 END` : sql`1`
  const [row] = await reader.query<{ seen: number | string; total: number | string }>(
    sql`SELECT COUNT(*) AS seen, COUNT(${fits}) AS total FROM (${rows(undefined)} LIMIT ${PAGES.counted + 1}) w`,
  )
  const total = Math.min(Number(row?.total), PAGES.counted)
  return Number(row?.seen) > PAGES.counted ? { total, totalIsExact: false } : { total }
}
