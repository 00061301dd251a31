import type { Response } from 'express'

/**
 * What is published is open to everybody, also to pages of other origins, and never runs in the name of this one: a
 * resource may be a page or a picture with scripts.
 *
 * @see Fetch Standard, section 3.3 (CORS) and 3.7 (Cross-Origin-Resource-Policy)
 */
export function setPublicHeaders(res: Response): void {
  res
    .setHeader('access-control-allow-origin', '*')
    .setHeader('access-control-expose-headers', 'etag, last-modified, location, retry-after, x-request-id')
    .setHeader('cross-origin-resource-policy', 'cross-origin')
    .setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
    .setHeader('vary', 'accept')
}

/** Asked by browsers before a request with `if-none-match` or an `accept` of their own. */
export function answerPreflight(res: Response): void {
  res
    .status(204)
    .setHeader('access-control-allow-methods', 'GET, HEAD')
    .setHeader('access-control-allow-headers', '*')
    .setHeader('access-control-max-age', '86400')
    .end()
}
