import type { Request, Response } from 'express'
import { entityTagOf, namesEntityTag } from '../answers/entity-tag.js'

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Serves something that never changes during the life of the process, with an ETag.
 *
 * @param make - called by the first request: most processes never need it, and the API document is a tenth of a start
 */
export function documentRoute(
  make: () => string | Buffer,
  { type = JSON_TYPE, cacheControl = 'no-cache' }: { type?: string; cacheControl?: string } = {},
): (req: Request, res: Response) => void {
  let made: { body: Buffer; etag: string } | undefined
  const document = () => {
    const content = make()
    // One for all answers that wait for their readers: a text would be encoded for each of them.
    return { body: Buffer.from(content), etag: entityTagOf(content) }
  }
  return (req, res) => {
    const { body, etag } = (made ??= document())
    res.setHeader('etag', etag).setHeader('cache-control', cacheControl)
    // Not with `req.fresh`, which gives precedence to the request's `cache-control`, which fetch adds by itself.
    if (namesEntityTag(req.headers['if-none-match'], etag)) res.status(304).end()
    else res.setHeader('content-type', type).send(body)
  }
}
