import type { BaseHeaders } from '../answers/base-headers.js'
import { contextOf } from '../request/request-context.js'
import type { ServedResponse } from '../request/served-request.js'
import type { AnswerHeaders } from './public-answer.js'

/**
 * What is published is open to everybody, also to pages of other origins, and never runs in the name of this one: a
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

/** Asked by browsers before a request with `if-none-match` or an `accept` of their own. */
export const PREFLIGHT: AnswerHeaders = {
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
}

/** The headers of every public answer, worked out once. */
export class PublicHeaders {
  private readonly flat: readonly string[]

  constructor(private readonly base: BaseHeaders) {
    this.flat = [...new Map([...base.protective, ...Object.entries(PUBLIC)])].flat()
  }

  /** For answers that are set header by header, such as those of errors. */
  set(res: ServedResponse): void {
    this.base.set(res)
    for (const [name, value] of Object.entries(PUBLIC)) res.setHeader(name, value)
  }

  /** Writes all headers at once: one by one they cost more than the rest of the answer. */
  write(res: ServedResponse, status: number, headers: readonly string[]): void {
    const { requestId } = contextOf(res)
    res.writeHead(status, [...this.flat, ...addedTo(res), 'x-request-id', requestId, ...headers])
  }
}

/** What was added to the answer on the way, except what is otherwise here. */
function addedTo(res: ServedResponse): readonly string[] {
  const { headers = [] } = contextOf(res)
  return headers.filter((_text, n) => !((headers[n - (n % 2)] ?? '') in PUBLIC))
}
