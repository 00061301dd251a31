import type { IncomingMessage, ServerResponse } from 'node:http'
import { runInRequest } from '@vidimus/core-types'
import type { Express } from 'express'
import type { Admission } from '../admission/admission.js'
import { IDENTIFIERS_PATH, type IdentifiersRoute } from '../identifiers/identifiers-route.js'
import { requestContext } from '../request/request-context.js'
import { requestPath } from '../request/request-path.js'
import { RequestLife } from '../request/request-life.js'
import type { ServedRequest, ServedResponse } from '../request/served-request.js'

export type Route = (req: ServedRequest, res: ServedResponse) => unknown

/** The listener of a server, in front of an app. */
export type Listener = (req: IncomingMessage, res: ServerResponse) => void

/** The targets of the shortcut. */
export interface ShortcutRoutes {
  /** by path */
  operations: ReadonlyMap<string, Route>
  /** public paths, which are requested most; absent: they are not served */
  identifiers: IdentifiersRoute | undefined
}

export interface ShortcutSteps {
  /** runs first for every request; returns whether it sent a response */
  begin: (req: ServedRequest, res: ServedResponse) => boolean
  /** checks before every operation */
  admit: Admission
}

const PUBLIC_PREFIX = `${IDENTIFIERS_PATH}/`

/**
 * Routes requests for operations by a single look-up of the path, bypassing Express, which costs as much as the
 * operation; requests for DIDs and their resources by path prefix. The app handles everything else: paths with
 * parameters, a trailing slash or an escape, and public ones. It also handles failures, which it finds in the context
 * of the request.
 *
 * Routes get the request and response of Node.js, as their types say.
 */
export function shortcut(
  app: Express,
  { operations, identifiers }: ShortcutRoutes,
  { begin, admit }: ShortcutSteps,
): Listener {
  // Behind a proxy, Express derives the client address from the headers.
  const needsExpress = app.get('trust proxy') !== false
  const take = async (route: Route, req: ServedRequest, res: ServedResponse): Promise<void> => {
    try {
      admit.receive(req, res)
      await admit.identify(req, res)
      await route(req, res)
    } catch (error) {
      requestContext(res).failure = error
      app(req, res)
    }
  }
  const takePublic = async (
    route: IdentifiersRoute,
    req: ServedRequest,
    res: ServedResponse,
  ): Promise<void> => {
    try {
      admit.receive(req, res)
      await route(req, res, (req.url ?? '').slice(PUBLIC_PREFIX.length))
    } catch (error) {
      requestContext(res).failure = error
      app(req, res)
    }
  }
  return function answerRequest(req, bareResponse) {
    if (needsExpress) Object.setPrototypeOf(req, app.request)
    const res = Object.assign(bareResponse, { locals: { life: new RequestLife(req, bareResponse) } })
    if (begin(req, res)) return
    const context = requestContext(res)
    // It was sent ahead of so many others that its connection was closed.
    if (req.socket.destroyed) return
    runInRequest({ requestId: context.requestId, span: context.span }, () => {
      const path = requestPath(req.url ?? '')
      const route = operations.get(path)
      if (identifiers && path.startsWith(PUBLIC_PREFIX)) void takePublic(identifiers, req, res)
      else if (route) {
        // Set early, so that requests refused before the route have it as well.
        context.route = path
        void take(route, req, res)
      } else app(req, res)
    })
  }
}
