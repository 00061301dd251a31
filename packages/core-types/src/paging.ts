import type { z } from 'zod'
import { PAGES } from './bounds.js'
import { problemsError, type Problem } from './errors.js'
import type * as schemas from './schemas/index.js'

/** Which part of a listing is asked for; `page` and `after` are mutually exclusive. */
export type PageRequest = z.output<typeof schemas.PageRequest>

/** The same, checked. */
export interface PageRange {
  limit: number
  /** entries to leave out */
  offset: number
  after?: string
}

type PageEnd = z.output<z.ZodObject<typeof schemas.pageEnd>>

/** How many there are in all: exact, or as many as were counted. */
export type Total = Pick<PageEnd, 'total' | 'totalIsExact'>

/**
 * Where the next page begins; absent on the last one. A page may be shorter than requested without being the last.
 */
export type NextPage = Pick<PageEnd, 'next'>

/** @throws AgentError `invalid_input` with every problem */
export function readPage({ limit = PAGES.usual, page, after }: PageRequest): PageRange {
  const problems: Problem[] = []
  if (!isWhole(limit) || limit > PAGES.most) {
    problems.push({ path: 'limit', message: `must be a whole number from 1 to ${PAGES.most}` })
  } else if (page !== undefined && (!isWhole(page) || page * limit > PAGES.deepestRow)) {
    const last = Math.floor(PAGES.deepestRow / limit)
    const message = `must be a whole number from 1 to ${last} with this limit; to continue, send "after" with the "next" of the previous page`
    problems.push({ path: 'page', message })
  }
  if (after !== undefined && (typeof after !== 'string' || after === '')) {
    problems.push({ path: 'after', message: 'must be the "next" of the previous page' })
  }
  if (page !== undefined && page !== 1 && after !== undefined) {
    problems.push({ path: 'page', message: 'and "after" are mutually exclusive' })
  }
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  const offset = after === undefined ? ((page ?? 1) - 1) * limit : 0
  return { limit, offset, ...(after !== undefined && { after }) }
}

/** The start and the length of a page read by Veramo's methods; without either, everything. */
export interface WholeOrPage {
  limit?: number | undefined
  after?: string | undefined
}

/**
 * For lists without a place for `next`: never a part that looks complete.
 *
 * @param request - of the caller
 * @returns `limit`: how many to read at most, one more than may be returned if all are requested
 * @throws AgentError `invalid_input`
 */
export function readWholeOrPage({ limit, after }: WholeOrPage): {
  limit: number
  isWhole: boolean
  after?: string
} {
  const isWhole = limit === undefined && after === undefined
  if (isWhole) return { limit: PAGES.most + 1, isWhole }
  return { ...readPage({ limit, after }), isWhole }
}

/**
 * Refuses what is too long for one response.
 *
 * @param kind - its plural name for people
 * @throws AgentError `invalid_input`
 */
export function mustFitAnswer<Item>(items: readonly Item[], kind: string): void {
  if (items.length > PAGES.most) {
    const message = `is required, as there are more than ${PAGES.most} ${kind}: send "limit", and the last one of each page as "after"`
    throw problemsError('invalid_input', [{ path: 'limit', message }])
  }
  if (countWithin(items, PAGES.bytes) === items.length) return
  const message = `must be smaller, as these ${kind} exceed ${PAGES.bytes} bytes in total`
  throw problemsError('invalid_input', [{ path: 'limit', message }])
}

/** How many of the first items are so long together, as JSON; at least one. */
export function countWithin(items: readonly unknown[], bytes: number): number {
  let length = 0
  const end = items.findIndex((item) => {
    length += Buffer.byteLength(JSON.stringify(item) ?? '') + 1
    return length > bytes
  })
  return end === -1 ? items.length : Math.max(end, 1)
}

/** A position in an order: the sort key of its entry, as an opaque text. */
export const placeText = (place: readonly string[]): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url')

/**
 * @param length - how many members a place of this order has
 * @throws AgentError `invalid_input` for what {@link placeText} has not made
 */
export function readPlace(text: string, length: number): string[] {
  try {
    const place: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (Array.isArray(place) && place.length === length && place.every((one) => typeof one === 'string')) {
      return place
    }
  } catch {
    // It is not JSON.
  }
  throw problemsError('invalid_input', [
    { path: 'after', message: 'must be the "next" of the previous page' },
  ])
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 1
