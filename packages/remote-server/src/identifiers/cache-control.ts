import type { StatusListDelivery } from '@vidimus/core-types'

/** May change with the next version: caches must revalidate, which the entity tag makes cheap. */
export const REVALIDATE = 'public, no-cache'
/** A version identified by its id. */
export const IMMUTABLE = 'public, max-age=31536000, immutable'

/**
 * How long the newest version of a resource may be cached without revalidation: as long as a status list allows, and
 * never beyond the end of its validity (RFC 9111 5.2.2).
 */
export function cacheControlOf({ ttlMs, validUntil }: StatusListDelivery, now: Date): string {
  if (ttlMs === undefined) return REVALIDATE
  const left = validUntil === undefined ? Infinity : Date.parse(validUntil) - now.getTime()
  const seconds = Math.floor(Math.min(ttlMs, Number.isNaN(left) ? 0 : left) / 1000)
  return seconds > 0 ? `public, max-age=${seconds}` : REVALIDATE
}

/** Minimum fraction of the validity period that remains when the next version replaces it, as long as it is renewed. */
const LEFT_AT_RENEWAL = 1 / 5

/**
 * {@link cacheControlOf} for a copy that is served with the same headers until the next version replaces it.
 *
 * @param since - creation time of the version
 */
export function cacheControlOfCopy(delivery: StatusListDelivery, since: Date): string {
  if (delivery.validUntil === undefined) return cacheControlOf(delivery, since)
  const end = Date.parse(delivery.validUntil)
  return cacheControlOf(delivery, new Date(end - (end - since.getTime()) * LEFT_AT_RENEWAL))
}
