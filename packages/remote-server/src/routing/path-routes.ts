import { AgentError } from '@vidimus/core-types'
import type { Request, Response } from 'express'
import { routePattern, type HttpMethod, type Operation } from '../operation.js'
import { requestContext } from '../request/request-context.js'
import { requestPath } from '../request/request-path.js'
import type { Route } from './shortcut.js'
import type { ServedRequest, ServedResponse } from '../request/served-request.js'

/** Of a path reached only through Express. */
export type ExpressRoute = (req: Request, res: Response) => unknown

/** The handlers of each path; several operations may share one, each with its method. */
export function pathRoutes(
  operations: readonly Operation[],
  routeOf: (operation: Operation) => Route,
): Map<string, Route> {
  const byPath = new Map<string, Map<HttpMethod, Route>>()
  for (const operation of operations) {
    const path = routePattern(operation)
    const methods = byPath.get(path) ?? new Map<HttpMethod, Route>()
    byPath.set(path, methods.set(operation.method, routeOf(operation)))
  }
  return new Map([...byPath].map(([path, methods]) => [path, byMethod(path, methods)]))
}

/** A path with its methods; for any other method the response lists them. */
export function byMethod<Req extends ServedRequest, Res extends ServedResponse>(
  path: string,
  methods: ReadonlyMap<HttpMethod, (req: Req, res: Res) => unknown>,
): (req: Req, res: Res) => unknown {
  const byName = new Map([...methods].map(([method, route]) => [method.toUpperCase(), route]))
  const get = methods.get('get')
  if (get) byName.set('HEAD', get)
  const allowed = ['GET', 'HEAD', 'POST', 'DELETE'].filter((name) => byName.has(name)).join(', ')
  return function answerByMethod(req, res) {
    requestContext(res).route = path
    const route = byName.get(req.method ?? '')
    if (route) return route(req, res)
    res.setHeader('allow', allowed)
    throw new AgentError('method_not_allowed', `${shownPath(req)} takes ${allowed}, not ${req.method}`)
  }
}

const LONGEST_SHOWN_PATH = 100

/** The path in the form for errors. */
export function shownPath({ originalUrl, url = '' }: ServedRequest): string {
  const path = requestPath(originalUrl ?? url)
  return path.length > LONGEST_SHOWN_PATH ? `${path.slice(0, LONGEST_SHOWN_PATH)}...` : path
}
