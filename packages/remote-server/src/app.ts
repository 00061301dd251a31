import { AgentError, type CheckResult } from '@vidimus/core-types'
import express, { type Express, type Request, type Response } from 'express'
import { admission, receiving } from './admission.js'
import { BaseHeaders } from './base-headers.js'
import { ConcurrentRequests } from './concurrent-requests.js'
import { crossOrigin } from './cross-origin.js'
import { apiDocument } from './docs/api-document.js'
import { documentRoute } from './docs/document-route.js'
import { docsPage } from './docs/docs-page.js'
import { answerErrors } from './errors/answer-error.js'
import { EventStreams } from './event-streams.js'
import { IDENTIFIERS_PATH, identifiersRoute, missingForIdentifiers } from './identifiers/identifiers-route.js'
import { METHODS_PATH, methodsRoute } from './identifiers/methods-route.js'
import type { Operation } from './operation.js'
import { operationRoute } from './operation-route.js'
import { operations } from './operations/index.js'
import { serverSettings, type RemoteServerOptions, type ServerSettings } from './options.js'
import { byMethod, pathRoutes, shownPath } from './path-routes.js'
import { Readiness } from './readiness.js'
import { agentDocument } from './rpc/agent-document.js'
import { AGENT_PATH, methodOperations } from './rpc/method-operations.js'
import { contextOf } from './request-context.js'
import { logRequests, openLog, type Logger } from './request-log.js'
import { scopeNames } from './scopes.js'
import { servedOperations } from './served-operations.js'
import { shortcut, type Listener, type Route } from './shortcut.js'

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
): Listener {
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
export function buildApp({ settings, readiness, logger }: AppParts): Listener {
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
  app.set('trust proxy', settings.trustProxy)
  const headers = new BaseHeaders()
  const admit = admission(settings, readiness)
  const operationRoutes = routesOf([...served, ...remote.served], settings, headers, readiness)
  app.use((_req, res, next) => {
    // a failure can follow the beginning of an answer
    if (!res.headersSent) headers.set(res)
    next(contextOf(res).failure)
  })
  app.use(receiving(admit))
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
  if (servesIdentifiers) {
    app.use(IDENTIFIERS_PATH, identifiersRoute({ settings, readiness }))
    addRoute(app, METHODS_PATH, methodsRoute(settings.publicDidMethods))
  }
  app.use((req, res, next) => admit.identify(req, res).then(next))
  for (const [path, route] of operationRoutes) app.all(path, route)
  app.use((req: Request) => {
    const directory = req.path.startsWith(`${AGENT_PATH}/`) ? '/open-api.json' : '/docs'
    throw new AgentError('unknown_path', `there is no operation at ${shownPath(req)}; see ${directory}`)
  })
  app.use(answerErrors(settings.audit))
  return shortcut(app, operationRoutes, beginning(settings, logger, headers), admit)
}

function addPublicRoutes(
  app: Express,
  { settings, readiness }: Omit<AppParts, 'logger'>,
  documents: Record<string, object>,
): void {
  addRoute(app, '/', (_req, res) => res.redirect(302, 'docs/'))
  addRoute(app, '/health/live', (_req, res) => answerFresh(res, 200, { alive: true }))
  addRoute(app, '/health/ready', async (_req, res) => {
    const report = await readiness.report()
    answerFresh(res, report.ready ? 200 : 503, report)
  })
  for (const [path, document] of Object.entries(documents)) addRoute(app, path, documentRoute(document))
  for (const [path, route] of docsPage(settings.publicUrl)) addRoute(app, path, route)
}

function routesOf(
  served: readonly Operation[],
  settings: ServerSettings,
  headers: BaseHeaders,
  readiness: Readiness,
): Map<string, Route> {
  const parts = {
    settings: { ...settings, scopes: scopeNames(served) },
    headers,
    concurrent: new ConcurrentRequests(settings.limits.concurrentRequests),
    streams: new EventStreams(settings.authenticator, headers, () => readiness.isStopping),
  }
  return pathRoutes(served, (operation) => operationRoute(operation, parts))
}

const addRoute = (app: Express, path: string, route: Route) =>
  app.all(path, byMethod(path, new Map([['get', route]])))

const answerFresh = (res: Response, status: number, body: object) =>
  res.status(status).setHeader('cache-control', 'no-store').json(body)

/** What comes first with every request: its line in the log, and what pages of other origins may do. */
function beginning({ cors }: ServerSettings, logger: Logger, headers: BaseHeaders) {
  const log = logRequests(logger)
  const answersPreflight = cors && crossOrigin(cors, headers)
  return (req: Request, res: Response): boolean => {
    log(req, res)
    return answersPreflight?.(req, res) ?? false
  }
}
