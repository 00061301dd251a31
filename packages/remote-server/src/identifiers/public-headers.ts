import type { BaseHeaders } from '../answers/base-headers.js'
import { requestContext } from '../request/request-context.js'
import type { ServedResponse } from '../request/served-request.js'
import type { AnswerHeaders } from './public-answer.js'

/**
 * Published content is open to everyone, including pages of other origins, and never runs in the name of this origin: a
 * resource may be a page or a picture with scripts.
 *
 * @see Fetch Standard, section 3.3 (CORS) and 3.7 (Cross-Origin-Resource-Policy)
 */
export const PUBLIC: AnswerHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, last-modified, location, retry-after, x-request-id',
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  vary: 'accept, accept-encoding',
}

/** Browsers ask before a request with `if-none-match` or a custom `accept`. */
export const PREFLIGHT: AnswerHeaders = {
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
}

/** The headers of every public response, precomputed. */
export class PublicHeaders {
  private readonly flat: readonly string[]

  constructor(private readonly base: BaseHeaders) {
    this.flat = [...new Map([...base.protective, ...Object.entries(PUBLIC)])].flat()
  }

  /** For responses whose headers are set individually, such as errors. */
  set(res: ServedResponse): void {
    this.base.set(res)
    for (const [name, value] of Object.entries(PUBLIC)) res.setHeader(name, value)
  }

  /** Writes all headers at once: setting them individually costs more than the rest of the response. */
  write(res: ServedResponse, status: number, headers: readonly string[]): void {
    const { requestId } = requestContext(res)
    res.writeHead(status, [...this.flat, ...addedTo(res), 'x-request-id', requestId, ...headers])
  }
}

/** Headers added earlier, except those set here. */
function addedTo(res: ServedResponse): readonly string[] {
  const { headers = [] } = requestContext(res)
  return headers.filter((_text, n) => !((headers[n - (n % 2)] ?? '') in PUBLIC))
}
