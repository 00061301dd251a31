import type { StatusListDelivery } from '@vidimus/core-types'

/** What may change with the next version: a copy is used after asking, which the entity tag makes cheap. */
export const REVALIDATE = 'public, no-cache'
/** A version that is named by its id. */
export const IMMUTABLE = 'public, max-age=31536000, immutable'

/**
 * For how long a copy of the newest version of a resource may be used without asking: as long as a status list says of
 * itself, and never beyond the end of its validity (RFC 9111 5.2.2).
 */
export function cacheControlOf({ ttlMs, validUntil }: StatusListDelivery, now: Date): string {
  if (ttlMs === undefined) return REVALIDATE
  const left = validUntil === undefined ? Infinity : Date.parse(validUntil) - now.getTime()
  const seconds = Math.floor(Math.min(ttlMs, Number.isNaN(left) ? 0 : left) / 1000)
  return seconds > 0 ? `public, max-age=${seconds}` : REVALIDATE
}

/** As much of the span of its validity as is left at least when the next version takes its place, as long as anybody renews it. */
const LEFT_AT_RENEWAL = 1 / 5

/**
 * {@link cacheControlOf} for a copy that is handed out with the same words until the next version takes its place.
 *
 * @param since - when the version was made
 */
export function cacheControlOfCopy(delivery: StatusListDelivery, since: Date): string {
  if (delivery.validUntil === undefined) return cacheControlOf(delivery, since)
  const end = Date.parse(delivery.validUntil)
  return cacheControlOf(delivery, new Date(end - (end - since.getTime()) * LEFT_AT_RENEWAL))
}
