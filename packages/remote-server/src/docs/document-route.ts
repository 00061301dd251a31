import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'

/** Serves the API document, which never changes while the process lives, with an ETag. */
export function documentRoute(document: object): (req: Request, res: Response) => void {
  const body = JSON.stringify(document)
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  return (req, res) => {
    res.setHeader('etag', etag).setHeader('cache-control', 'no-cache')
    // By hand, because `req.fresh` gives way to a `cache-control` in the request, which fetch adds by itself.
    if (names(req.headers['if-none-match'], etag)) res.status(304).end()
    else res.type('application/json').send(body)
  }
}

/** Whether an If-None-Match header names the tag (RFC 9110 13.1.2, weak comparison). */
const names = (header: string | undefined, etag: string) =>
  (header ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*')
