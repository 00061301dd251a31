import { createHash } from 'node:crypto'

/** A strong entity tag of a body (RFC 9110 8.8.3). */
export const entityTagOf = (body: string | Uint8Array): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`

/** Whether an If-None-Match header names the tag (RFC 9110 13.1.2, weak comparison). */
export const namesEntityTag = (header: string | undefined, etag: string): boolean =>
  (header ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*')
