import type { NextFunction, Request, Response } from 'express'
import type { Admission } from './admission.js'
import type { BaseHeaders } from './base-headers.js'

export type Route = (req: Request, res: Response) => unknown

/**
 * Leads requests for operations to their route by one look-up of the path. Express would try the patterns of all
 * routes in turn, which costs as much as the operation. What is not found here takes that way: paths with parameters,
 * with a slash at the end or an escape, and public ones.
 *
 * @param admit - what every operation asks first
 */
export function shortcut(
  routes: ReadonlyMap<string, Route>,
  admit: Admission,
  headers: BaseHeaders,
): (req: Request, res: Response, next: NextFunction) => unknown {
  return async (req, res, next) => {
    const route = routes.get(pathOf(req.url))
    if (!route) return next()
    try {
      admit.receive(req, res)
      await admit.identify(req, res)
      await route(req, res)
    } catch (error) {
      if (!res.headersSent) headers.set(res)
      throw error
    }
  }
}

function pathOf(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}
