import { AgentError, type CheckResult } from '@vidimus/core-types'
import express, { type Express, type Request, type Response } from 'express'
import { authenticate } from './authentication.js'
import { BaseHeaders } from './base-headers.js'
import { apiDocument } from './docs/api-document.js'
import { documentRoute } from './docs/document-route.js'
import { docsPage } from './docs/docs-page.js'
import { answerError } from './errors/answer-error.js'
import { IDENTIFIERS_PATH, identifiersRoute, missingForIdentifiers } from './identifiers/identifiers-route.js'
import { routePattern, type Operation } from './operation.js'
import { operationRoute } from './operation-route.js'
import { operations } from './operations/index.js'
import { serverSettings, type RemoteServerOptions, type ServerSettings } from './options.js'
import { Readiness } from './readiness.js'
import { agentDocument } from './rpc/agent-document.js'
import { AGENT_PATH, methodOperations } from './rpc/method-operations.js'
import { contextOf } from './request-context.js'
import { logRequests, openLog, type Logger } from './request-log.js'
import { servedOperations } from './served-operations.js'
import { shortcut, type Route } from './shortcut.js'

/** What an app is put together from. */
export interface AppParts {
  settings: ServerSettings
  readiness: Readiness
  logger: Logger
}

/**
 * The app without a port, for tests and for servers of one's own: it serves at once.
 *
 * @throws AgentError `invalid_configuration`
 */
export function createApp(
  options: Omit<RemoteServerOptions, 'host' | 'port'> & {
    logger?: Logger
    checks?: () => Promise<CheckResult[]>
  },
): Express {
  const { logger, ...others } = options
  const settings = serverSettings({ ...others, host: '127.0.0.1', port: 0 })
  const readiness = new Readiness()
  readiness.useChecks(settings.checks)
  return buildApp({
    settings,
    readiness,
    logger: logger ?? openLog({ level: 'silent', pretty: false }).logger,
  })
}

/** Puts the app together; everything that can be worked out beforehand is. */
export function buildApp({ settings, readiness, logger }: AppParts): Express {
  const { served, missing } = servedOperations(operations, settings.agent)
  for (const { operation, methods } of missing) {
    logger.warn({ operation: operation.id, methods }, 'not served: the agent lacks methods that it needs')
  }
  const remote = methodOperations(settings.agent, settings.agentMethods)
  for (const { method } of remote.unreadable) {
    logger.warn({ method }, 'not served: the arguments of the method cannot be checked by its schema')
  }
  const missingMethods = missingForIdentifiers(settings.agent)
  const servesIdentifiers = missingMethods.length === 0
  if (!servesIdentifiers) {
    const line = { path: IDENTIFIERS_PATH, methods: missingMethods }
    logger.warn(line, 'not served: the agent lacks methods that it needs')
  }
  const app = express()
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').set('query parser', false)
  app.use(logRequests(logger))
  const headers = new BaseHeaders()
  const admit = admission(settings, readiness)
  const operationRoutes = routesOf([...served, ...remote.served], settings, headers)
  app.use(shortcut(operationRoutes, admit, headers))
  app.use((_req, res, next) => {
    headers.set(res)
    next()
  })
  addPublicRoutes(
    app,
    { settings, readiness },
    {
      '/openapi.json': apiDocument(served, { ...settings, servesIdentifiers }),
      '/open-api.json': agentDocument(
        settings.agent.getSchema(),
        remote.served.map(({ id }) => id),
        settings,
      ),
    },
  )
  if (servesIdentifiers) app.use(IDENTIFIERS_PATH, identifiersRoute({ settings, readiness }))
  app.use((req, res, next) => admit(req, res).then(next))
  for (const [path, route] of operationRoutes) app.all(path, route)
  app.use((req: Request) => {
    const directory = req.path.startsWith(`${AGENT_PATH}/`) ? '/open-api.json' : '/docs'
    throw new AgentError('unknown_path', `there is no operation at ${shownPath(req)}; see ${directory}`)
  })
  app.use(answerError)
  return app
}

function addPublicRoutes(
  app: Express,
  { settings, readiness }: Omit<AppParts, 'logger'>,
  documents: Record<string, object>,
): void {
  addRoute(app, '/', 'get', (_req, res) => res.redirect(302, 'docs/'))
  addRoute(app, '/health/live', 'get', (_req, res) => answerFresh(res, 200, { alive: true }))
  addRoute(app, '/health/ready', 'get', async (_req, res) => {
    const report = await readiness.report()
    answerFresh(res, report.ready ? 200 : 503, report)
  })
  for (const [path, document] of Object.entries(documents))
    addRoute(app, path, 'get', documentRoute(document))
  for (const [path, route] of docsPage(settings.publicUrl)) addRoute(app, path, 'get', route)
}

const routesOf = (
  served: readonly Operation[],
  settings: ServerSettings,
  headers: BaseHeaders,
): Map<string, Route> =>
  new Map(
    served.map((operation) => {
      const path = routePattern(operation)
      return [path, onlyMethod(path, operation.method, operationRoute(operation, settings, headers))]
    }),
  )

const addRoute = (app: Express, path: string, method: Operation['method'], route: Route) =>
  app.all(path, onlyMethod(path, method, route))

/** A path with its one method; with any other method it says so. */
function onlyMethod(path: string, method: Operation['method'], route: Route): Route {
  const allowed = method === 'get' ? 'GET, HEAD' : 'POST'
  return (req, res) => {
    contextOf(res).route = path
    const fits = req.method === method.toUpperCase() || (method === 'get' && req.method === 'HEAD')
    if (fits) return route(req, res)
    res.setHeader('allow', allowed)
    throw new AgentError('method_not_allowed', `${shownPath(req)} takes ${allowed}, not ${req.method}`)
  }
}

const answerFresh = (res: Response, status: number, body: object) =>
  res.status(status).setHeader('cache-control', 'no-store').json(body)

/** What stands before every operation. */
function admission({ authenticator }: ServerSettings, readiness: Readiness) {
  const identify = authenticate(authenticator)
  return async (req: Request, res: Response): Promise<void> => {
    await identify(req, res)
    // What an earlier run left half-done is completed first; operations that came in between would meet it.
    if (readiness.isStarting)
      throw new AgentError('unavailable', 'the service is starting; try again in a moment')
  }
}

const LONGEST_SHOWN_PATH = 100

const shownPath = ({ path }: Request) =>
  path.length > LONGEST_SHOWN_PATH ? `${path.slice(0, LONGEST_SHOWN_PATH)}...` : path
