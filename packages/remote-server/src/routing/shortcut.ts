import type { IncomingMessage, ServerResponse } from 'node:http'
import { runInRequest } from '@vidimus/core-types'
import type { Express } from 'express'
import type { Admission } from '../admission/admission.js'
import { IDENTIFIERS_PATH, type IdentifiersRoute } from '../identifiers/identifiers-route.js'
import { contextOf } from '../request/request-context.js'
import { pathOf } from '../request/request-path.js'
import { RequestLife } from '../request/request-life.js'
import type { ServedRequest, ServedResponse } from '../request/served-request.js'

export type Route = (req: ServedRequest, res: ServedResponse) => unknown

/** What stands in front of an app; the listener of a server. */
export type Listener = (req: IncomingMessage, res: ServerResponse) => void

/** Where the short way leads. */
export interface ShortcutRoutes {
  /** by path */
  operations: ReadonlyMap<string, Route>
  /** what is open to everybody, and asked for most; left out: it is not served */
  identifiers: IdentifiersRoute | undefined
}

export interface ShortcutSteps {
  /** comes first with every request; tells whether it answered */
  begin: (req: ServedRequest, res: ServedResponse) => boolean
  /** what every operation asks first */
  admit: Admission
}

const PUBLIC_PREFIX = `${IDENTIFIERS_PATH}/`

/**
 * Leads requests for operations to their route by one look-up of the path, past Express, which costs as much as the
 * operation; those for DIDs and what they publish by the beginning of it. What is not found here takes the way through the app: paths with parameters, with a slash at the end or an
 * escape, and public ones. So does every failure: the app finds it in the context of the request and answers it.
 *
 * Routes get the request and response of Node.js, as their types say.
 */
export function shortcut(
  app: Express,
  { operations, identifiers }: ShortcutRoutes,
  { begin, admit }: ShortcutSteps,
): Listener {
  // The address of a client behind a proxy is what Express makes of the headers.
  const needsExpress = app.get('trust proxy') !== false
  const take = async (route: Route, req: ServedRequest, res: ServedResponse): Promise<void> => {
    try {
      admit.receive(req, res)
      await admit.identify(req, res)
      await route(req, res)
    } catch (error) {
      contextOf(res).failure = error
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
      contextOf(res).failure = error
      app(req, res)
    }
  }
  return function answerRequest(req, bareResponse) {
    if (needsExpress) Object.setPrototypeOf(req, app.request)
    const res = Object.assign(bareResponse, { locals: { life: new RequestLife(req, bareResponse) } })
    if (begin(req, res)) return
    const context = contextOf(res)
    runInRequest({ requestId: context.requestId, span: context.span }, () => {
      const path = pathOf(req.url ?? '')
      const route = operations.get(path)
      if (identifiers && path.startsWith(PUBLIC_PREFIX)) void takePublic(identifiers, req, res)
      else if (route) {
        // Also of who is refused before the route is taken it is worth knowing where that was.
        context.route = path
        void take(route, req, res)
      } else app(req, res)
    })
  }
}
