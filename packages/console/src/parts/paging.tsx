import type { Place } from '../routes.js'
import { counted } from './pieces.js'

/** Rows as the API returns them, and where they are in the whole. */
export interface PageOf<Item> {
  items: readonly Item[]
  /** absent where the API does not count */
  total?: number
  totalIsExact?: false | undefined
  /** where the next page begins; absent on the last one */
  next?: string | undefined
}

/** The parameters for a page. */
export interface PageQuery {
  limit: number
  page?: number
  after?: string
}

/** The last numbered page; the API continues after it by `after`. */
const NUMBERED_ROWS = 10_000
/** Of one page; a filter that fits nothing could otherwise read a whole table. */
const MOST_REQUESTS = 20

/**
 * A page with as many rows as fit. The API returns fewer, or even none, where rows are large or a filter leaves most of them
 * out.
 */
export async function fullPage<Item>(
  read: (query: PageQuery) => Promise<PageOf<Item>>,
  { number, after }: Place,
  limit: number,
): Promise<PageOf<Item>> {
  const first = await read({
    limit,
    ...(number !== undefined && { page: number }),
    ...(after !== undefined && { after }),
  })
  const items = [...first.items]
  let { next } = first
  for (let n = 1; n < MOST_REQUESTS && items.length < limit && next !== undefined; n++) {
    const more = await read({ limit: limit - items.length, after: next })
    items.push(...more.items)
    next = more.next
  }
  return { ...first, items, next }
}

interface PagingProps {
  place: Place
  /** rows of a page */
  size: number
  page: PageOf<unknown>
  /** the address of another page of the same */
  hrefOf: (place: Place) => string
}

/** Links to the other pages of a table, so that the browser's Back button returns to them. */
export function Paging({ place, size, page, hrefOf }: PagingProps) {
  const back = backOf(place)
  const next = nextOf(place, size, page)
  if (!back && !next) return null
  const { total, totalIsExact } = page
  return (
    <nav class="row" aria-label="Pages of the table">
      {back && (
        <a class="button" href={hrefOf(back)}>
          {place.after === undefined ? 'Back' : 'First page'}
        </a>
      )}
      {place.after === undefined && total !== undefined && (
        <span>
          Page {place.number ?? 1}
          {totalIsExact !== false && ` of ${Math.max(1, Math.ceil(total / size))}`}
        </span>
      )}
      {next && (
        <a class="button" href={hrefOf(next)}>
          Next
        </a>
      )}
    </nav>
  )
}

function backOf({ number = 1, after }: Place): Place | undefined {
  if (after !== undefined) return {}
  return number > 1 ? { number: number - 1 } : undefined
}

/** The next page: by its number, or after this one if numbers end or this one is shorter than it could be. */
export function nextOf({ number = 1, after }: Place, size: number, page: PageOf<unknown>): Place | undefined {
  const { total = 0, next, items } = page
  const numbered = after === undefined && items.length === size && (number + 1) * size <= NUMBERED_ROWS
  if (numbered && number * size < total) return { number: number + 1 }
  return next === undefined ? undefined : { after: next }
}

/** The total, even if not all were counted. */
export const totalOf = (
  { total, totalIsExact }: { total: number; totalIsExact?: false | undefined },
  one: string,
): string => `${counted(total, one)}${totalIsExact === false ? ' or more' : ''}`
