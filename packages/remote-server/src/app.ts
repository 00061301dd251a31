import { AgentError, LISTS_PATH, type CheckResult } from '@vidimus/core-types'
import express, { type Express, type Request, type Response } from 'express'
import { admission, receiving } from './admission/admission.js'
import { BaseHeaders } from './answers/base-headers.js'
import { ConsoleCookies } from './console/cookies.js'
import { signInRoutes } from './console/sign-in-routes.js'
import { servedConsole, type ConsoleRoutes } from './console/console-page.js'
import { crossOrigin } from './answers/cross-origin.js'
import { apiDocument } from './docs/api-document.js'
import { documentRoute } from './docs/document-route.js'
import { docsPage } from './docs/docs-page.js'
import { rootPage } from './docs/root-page.js'
import { answerErrors } from './errors/answer-error.js'
import { EventStreams } from './answers/event-streams.js'
import { PublicHeaders } from './identifiers/public-headers.js'
import { IDENTIFIERS_PATH, identifiersRoute, missingForIdentifiers } from './identifiers/identifiers-route.js'
import { METHODS_PATH, methodsRoute } from './identifiers/methods-route.js'
import { limitUnreadBody, LONGEST_REST_MS } from './input/unread-body.js'
import { METRICS_PATH } from './metrics/metrics-server.js'
import { metricsRoute } from './metrics/metrics-route.js'
import { RequestCounts } from './metrics/request-counts.js'
import type { Operation } from './operation.js'
import { operationRoute } from './routing/operation-route.js'
import { operations } from './operations/index.js'
import { serverSettings, type RemoteServerOptions, type ServerSettings } from './options.js'
import { byMethod, pathRoutes, shownPath, type ExpressRoute } from './routing/path-routes.js'
import { isWebDidPath, webDidRoute } from './web-dids/web-did-route.js'
import { missingForLists, publishedListsRoute } from './published-lists/published-lists-route.js'
import { Readiness } from './health/readiness.js'
import { agentDocument } from './rpc/agent-document.js'
import { AGENT_PATH, methodOperations } from './rpc/method-operations.js'
import { satisfiable } from './rpc/method-schemas.js'
import { requestContext } from './request/request-context.js'
import { logRequests, openLog, type Logger } from './request/request-log.js'
import { traceRequests } from './request/request-trace.js'
import { servedOperations } from './routing/served-operations.js'
import { shortcut, type Listener, type Route } from './routing/shortcut.js'
import type { ServedRequest, ServedResponse } from './request/served-request.js'

/** The parts of an app. */
export interface AppParts {
  settings: ServerSettings
  readiness: Readiness
  logger: Logger
  counts: RequestCounts
  /** metrics in the text format, if they are served at the same port */
  metrics?: (() => Promise<string>) | undefined
  /** absent: it is not served */
  console?: ConsoleRoutes | undefined
  /** see {@link RemoteServer.serveReadsOnly}; default false */
  readsOnly?: boolean
}

/**
 * The app without a port, for tests and custom servers: it serves immediately.
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
  const log = logger ?? openLog({ level: 'silent', pretty: false }).logger
  return buildApp({
    settings,
    readiness,
    logger: log,
    counts: new RequestCounts(settings),
    console: servedConsole(settings, log),
  })
}

/** Where clients look for the issuers of tokens (RFC 9728 3). */
const RESOURCE_PATH = '/.well-known/oauth-protected-resource'

/** Those of the operations that have one, by path. */
const REFUSAL_FORMS = new Map(operations.flatMap(({ path, refusal }) => (refusal ? [[path, refusal]] : [])))

/** Assembles the app and precomputes as much as possible. */
export function buildApp({
  settings,
  readiness,
  logger,
  counts,
  metrics,
  console,
  readsOnly = false,
}: AppParts): Listener {
  const { served, missing } = servedOperations(operations, settings)
  for (const { operation, methods } of missing) {
    logger.warn({ operation: operation.id, methods }, 'not served: the agent lacks methods that it needs')
  }
  const remote = methodOperations(settings.agent, settings.agentMethods)
  for (const { method } of remote.unreadable) {
    logger.warn({ method }, 'not served: the arguments of the method cannot be checked by its schema')
  }
  const lacks = (path: string, methods: readonly string[]): boolean => {
    if (methods.length > 0)
      logger.warn({ path, methods }, 'not served: the agent lacks methods that it needs')
    return methods.length > 0
  }
  const servesIdentifiers = !lacks(IDENTIFIERS_PATH, missingForIdentifiers(settings.agent))
  const servesLists = !lacks(LISTS_PATH, missingForLists(settings.agent))
  const { publicUrl, authenticator } = settings
  const { protectedResource } = authenticator
  const servesWebDids = settings.agent.availableMethods().includes('webDidDocument')
  const app = express()
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').set('query parser', false)
  app.set('trust proxy', settings.trustProxy)
  const headers = new BaseHeaders()
  const publicHeaders = new PublicHeaders(headers)
  const admit = admission(settings, readiness)
  const operationRoutes = routeOperations(
    [...served, ...remote.served],
    { settings, readiness, counts, readsOnly },
    headers,
  )
  app.use((_req, res, next) => {
    // a failure can follow the start of a response
    if (!res.headersSent) (requestContext(res).isPublic ? publicHeaders : headers).set(res)
    next(requestContext(res).failure)
  })
  app.use(receiving(admit))
  for (const [path, route] of signInRoutes(settings, admit.limits)) app.all(path, route)
  addPublicRoutes(
    app,
    { settings, readiness, metrics, console },
    {
      '/openapi.json': () =>
        apiDocument(served, {
          ...settings,
          servesIdentifiers,
          servesLists,
          schema: settings.agent.getSchema(),
        }),
      '/open-api.json': () =>
        agentDocument(
          satisfiable(settings.agent.getSchema()),
          remote.served.map(({ id }) => id),
          settings,
        ),
      // Without its address the service cannot say which tokens are for it.
      ...(protectedResource &&
        publicUrl !== undefined && {
          [RESOURCE_PATH]: () => ({ resource: publicUrl, ...protectedResource }),
        }),
    },
  )
  const parts = { readiness, headers: publicHeaders, strangers: counts.strangers }
  const identifiers = servesIdentifiers
    ? identifiersRoute({ settings, ...parts, bodies: counts.bodies })
    : undefined
  if (identifiers) {
    app.use(IDENTIFIERS_PATH, (req: Request, res: Response) =>
      identifiers(req, res, req.url.replace(/^\//, '')),
    )
    addRoute(app, METHODS_PATH, methodsRoute(settings.publicDidMethods, publicHeaders))
  }
  if (servesLists) app.use(LISTS_PATH, publishedListsRoute(settings, parts))
  if (servesWebDids) {
    const route = webDidRoute(settings, parts)
    app.use((req, res, next) => (isWebDidPath(req) ? route(req, res) : next()))
  }
  app.use((req, res, next) => admit.identify(req, res).then(next))
  for (const [path, route] of operationRoutes) app.all(path, route)
  app.use((req: Request) => {
    const directory = req.path.startsWith(`${AGENT_PATH}/`) ? '/open-api.json' : '/docs'
    throw new AgentError('unknown_path', `there is no operation at ${shownPath(req)}; see ${directory}`)
  })
  app.use(answerErrors(settings.audit, REFUSAL_FORMS))
  const begin = beginning(settings, { logger, counts }, headers)
  return shortcut(app, { operations: operationRoutes, identifiers }, { begin, admit })
}

function addPublicRoutes(
  app: Express,
  { settings, readiness, metrics, console }: Pick<AppParts, 'settings' | 'readiness' | 'metrics' | 'console'>,
  documents: Record<string, () => object>,
): void {
  addRoute(app, '/', rootPage(console ? [['console/', 'Console']] : []))
  addRoute(app, '/health/live', (_req, res) => answerFresh(res, 200, { alive: true }))
  // Generic probes often use `/health` itself.
  for (const path of ['/health/ready', '/health']) {
    addRoute(app, path, async (_req, res) => {
      const report = await readiness.report()
      answerFresh(res, report.ready ? 200 : 503, report)
    })
  }
  for (const [path, document] of Object.entries(documents)) {
    const route = documentRoute(() => JSON.stringify(document()))
    addRoute(app, path, route)
  }
  for (const [path, route] of docsPage(settings)) addRoute(app, path, route)
  const { token } = settings.metrics
  if (metrics && token) addRoute(app, METRICS_PATH, metricsRoute(metrics, token))
  for (const [path, route] of console ?? []) addRoute(app, path, route)
}

function routeOperations(
  served: readonly Operation[],
  {
    settings,
    readiness,
    counts,
    readsOnly,
  }: Required<Pick<AppParts, 'settings' | 'readiness' | 'counts' | 'readsOnly'>>,
  headers: BaseHeaders,
): Map<string, Route> {
  const streams = new EventStreams(
    counts.streams,
    settings.authenticator,
    new ConsoleCookies(settings.publicUrl),
    headers,
    () => readiness.isStopping,
  )
  const parts = { settings, headers, counts, streams, readsOnly }
  return pathRoutes(served, (operation) => operationRoute(operation, parts))
}

const addRoute = (app: Express, path: string, route: ExpressRoute) =>
  app.all(path, byMethod(path, new Map([['get', route]])))

const answerFresh = (res: Response, status: number, body: object) =>
  res.status(status).setHeader('cache-control', 'no-store').json(body)

/** First steps of every request: its log line, its trace, and the cross-origin rules. */
function beginning(
  { cors, timeouts, tracer }: ServerSettings,
  { logger, counts }: Pick<AppParts, 'logger' | 'counts'>,
  headers: BaseHeaders,
) {
  const log = logRequests(logger, counts)
  const trace = tracer ? traceRequests(tracer) : undefined
  const answersPreflight = cors && crossOrigin(cors, headers)
  // The rest of a request may not take longer than its headers.
  const restMs = Math.min(timeouts.headersMs, LONGEST_REST_MS)
  return function begin(req: ServedRequest, res: ServedResponse): boolean {
    counts.unread.watch(res)
    limitUnreadBody(req, res, restMs)
    log(req, res)
    trace?.(req, res)
    return answersPreflight?.(req, res) ?? false
  }
}
