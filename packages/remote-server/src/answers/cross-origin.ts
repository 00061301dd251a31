import type { BaseHeaders } from './base-headers.js'
import { addHeaders } from '../request/request-context.js'
import type { ServedRequest, ServedResponse } from '../request/served-request.js'

export interface CrossOriginOptions {
  /** of pages that may call the service, as browsers send it: `https://app.example` */
  origins: readonly string[]
  /** how long a browser may cache a preflight response */
  maxAgeSeconds: number
}

const METHODS = 'GET, HEAD, POST, DELETE'
const REQUEST_HEADERS =
  'authorization, content-type, idempotency-key, last-event-id, prefer, x-api-key, x-request-id'
const ANSWER_HEADERS =
  'idempotency-replayed, preference-applied, ratelimit, ratelimit-policy, retry-after, x-api-key-networks, x-api-key-scopes, x-request-id'

/**
 * Allows pages of the configured origins to call the service (Fetch standard, 3.3). Preflight requests have no API key
 * and are answered before authentication. Credentials mode is never allowed: API keys are headers, and cookies are not
 * used.
 *
 * @returns whether it sent a response
 */
export function crossOrigin(
  { origins, maxAgeSeconds }: CrossOriginOptions,
  headers: BaseHeaders,
): (req: ServedRequest, res: ServedResponse) => boolean {
  const allowed = new Set(origins)
  return function answerPreflight(req, res) {
    const { origin } = req.headers
    // Also for other origins: a cache must not reuse the response for one origin for another.
    addHeaders(res, 'vary', 'Origin')
    if (origin === undefined || !allowed.has(origin)) return false
    addHeaders(res, 'access-control-allow-origin', origin)
    if (!isPreflight(req)) {
      addHeaders(res, 'access-control-expose-headers', ANSWER_HEADERS)
      return false
    }
    addHeaders(res, 'access-control-allow-methods', METHODS, 'access-control-allow-headers', REQUEST_HEADERS)
    addHeaders(res, 'access-control-max-age', String(maxAgeSeconds))
    headers.set(res)
    res.writeHead(204).end()
    return true
  }
}

const isPreflight = ({ method, headers }: ServedRequest) =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
