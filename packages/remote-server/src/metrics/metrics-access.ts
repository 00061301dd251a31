import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const BEARER = /^bearer +(\S+) *$/i

/**
 * Who may read metrics.
 *
 * @param token - left out: everybody who reaches them
 */
export function metricsAccess(token: string | undefined): (headers: IncomingHttpHeaders) => boolean {
  if (token === undefined) return () => true
  const expected = digest(token)
  return ({ authorization = '' }) => {
    const given = BEARER.exec(authorization)?.[1]
    // Digests have the same length whatever was given, and how much of it is right takes no time.
    return given !== undefined && timingSafeEqual(digest(given), expected)
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest()
