import type { Request, Response } from 'express'
import { entityTagOf, namesEntityTag } from '../answers/entity-tag.js'

/** Serves the API document, which never changes during the life of the process, with an ETag. */
export function documentRoute(document: object): (req: Request, res: Response) => void {
  const body = JSON.stringify(document)
  const etag = entityTagOf(body)
  return (req, res) => {
    res.setHeader('etag', etag).setHeader('cache-control', 'no-cache')
    // Not with `req.fresh`, which gives precedence to the request's `cache-control`, which fetch adds by itself.
    if (namesEntityTag(req.headers['if-none-match'], etag)) res.status(304).end()
    else res.type('application/json').send(body)
  }
}
