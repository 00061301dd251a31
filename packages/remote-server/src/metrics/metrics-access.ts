import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const BEARER = /^bearer +(\S+) *$/i

/**
 * Controls who may read metrics.
 *
 * @param token - absent: anyone who can reach them
 */
export function metricsAccess(token: string | undefined): (headers: IncomingHttpHeaders) => boolean {
  if (token === undefined) return () => true
  const expected = digest(token)
  return ({ authorization = '' }) => {
    const given = BEARER.exec(authorization)?.[1]
    // Digests have the same length for any input, and the comparison takes constant time.
    return given !== undefined && timingSafeEqual(digest(given), expected)
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest()
