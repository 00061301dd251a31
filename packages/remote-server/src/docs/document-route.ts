import type { Request, Response } from 'express'
import { entityTagOf, namesEntityTag } from '../answers/entity-tag.js'

/**
 * Serves the API document, which never changes during the life of the process, with an ETag.
 *
 * @param document - called by the first request: most processes never need it, and making it is a tenth of a start
 */
export function documentRoute(document: () => object): (req: Request, res: Response) => void {
  let made: { body: string; etag: string } | undefined
  const make = () => {
    const body = JSON.stringify(document())
    return { body, etag: entityTagOf(body) }
  }
  return (req, res) => {
    const { body, etag } = (made ??= make())
    res.setHeader('etag', etag).setHeader('cache-control', 'no-cache')
    // Not with `req.fresh`, which gives precedence to the request's `cache-control`, which fetch adds by itself.
    if (namesEntityTag(req.headers['if-none-match'], etag)) res.status(304).end()
    else res.type('application/json').send(body)
  }
}
