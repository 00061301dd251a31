import type { Place } from '../routes.js'
import { counted } from './pieces.js'

/** A response's data about the whole of which it is a page. */
export interface PageFacts {
  total: number
  totalIsExact?: false | undefined
  /** on this page; it may be shorter than was asked for, and yet not the last */
  rows: number
  /** where the next page begins; absent on the last one */
  next?: string | undefined
}

/** The last numbered page; the API continues after it by `after`. */
const NUMBERED_ROWS = 10_000

interface PagingProps {
  place: Place
  /** rows of a page */
  size: number
  facts: PageFacts
  /** the address of another page of the same */
  hrefOf: (place: Place) => string
}

/** Ways to the other pages of a table. They are links, so that the browser goes back and comes again to the same one. */
export function Paging({ place, size, facts, hrefOf }: PagingProps) {
  const back = backOf(place)
  const next = nextOf(place, size, facts)
  if (!back && !next) return null
  const pages = Math.max(1, Math.ceil(facts.total / size))
  return (
    <nav class="row" aria-label="Pages of the table">
      {back && (
        <a class="button" href={hrefOf(back)}>
          {place.after === undefined ? 'Back' : 'First page'}
        </a>
      )}
      {place.after === undefined && (
        <span>
          Page {place.number ?? 1} of {pages}
          {facts.totalIsExact === false && ' or more'}
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
export function nextOf({ number = 1, after }: Place, size: number, facts: PageFacts): Place | undefined {
  const { total, next, rows } = facts
  const numbered = after === undefined && rows === size && (number + 1) * size <= NUMBERED_ROWS
  if (numbered && number * size < total) return { number: number + 1 }
  return next === undefined ? undefined : { after: next }
}

/** The parameters for a page. */
export const asked = ({ number, after }: Place, limit: number) => ({
  limit,
  ...(number !== undefined && { page: number }),
  ...(after !== undefined && { after }),
})

/** The total, even if not all were counted. */
export const totalOf = (
  { total, totalIsExact }: Omit<PageFacts, 'rows'>,
  one: string,
  many = `${one}s`,
): string => {
  return `${counted(total, one, many)}${totalIsExact === false ? ' or more' : ''}`
}
