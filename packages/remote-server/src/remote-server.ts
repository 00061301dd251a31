import { createServer, type Server, type ServerOptions } from 'node:http'
import {
  AgentError,
  CACHES,
  defaultCacheBytes,
  waitsForNetworks,
  type CheckResult,
  type HasLifecycle,
  type HasMeasurements,
  type Lifecycle,
  type Measurement,
} from '@vidimus/core-types'
import { buildApp } from './app.js'
import { CONSOLE_PATH, servedConsole, type ConsoleRoutes } from './console/console-page.js'
import { answerConnectionErrors } from './errors/connection-errors.js'
import { REQUESTS } from './admission/concurrent-requests.js'
import { closed, listening, listeningUrl } from './connection/listening.js'
import { Metrics } from './metrics/metrics.js'
import { publishedDocuments } from './publication/published-documents.js'
import { serverSettings, type RemoteServerOptions, type ServerSettings } from './options.js'
import { allWork, Readiness } from './health/readiness.js'
import { keepLog, openLog, type Logger, type ServiceLog } from './request/request-log.js'
import { findRunningService } from './connection/running-service.js'

/** Node.js drops additional ones; clients never send that many. */
const MOST_HEADERS = 200

const LOOK_EVERY_MS = 5000

/**
 * The HTTP server in front of an agent.
 *
 * It listens as soon as it is started, so that a port conflict shows early, but responds to operations with 503
 * `unavailable` until {@link useChecks} or {@link listen} was called.
 */
export class RemoteServer implements HasLifecycle, HasMeasurements {
  readonly lifecycle: Lifecycle = {
    start: async () => {
      await this.open()
    },
    stop: () => this.close(),
    diagnose: () => findRunningService(this.#settings),
  }

  readonly #settings: ServerSettings
  readonly #readiness = new Readiness()
  readonly #metrics: Metrics
  #log: (ServiceLog & { end(): void }) | undefined
  #server: Promise<Server> | undefined
  #closing: Promise<void> | undefined
  #console: ConsoleRoutes | undefined
  #readsOnly = false

  /** @throws AgentError `invalid_configuration` with every problem of the options */
  constructor(options: RemoteServerOptions) {
    this.#settings = serverSettings(options)
    this.#settings.publication?.useSource(publishedDocuments(this.#settings))
    if (this.#settings.checks) this.#readiness.useChecks(this.#settings.checks)
    this.#metrics = new Metrics(this.#settings, this.#readiness)
    this.#readiness.add(() => this.#metrics.counts.concurrent.check())
  }

  /** Whether the maximum of concurrent operations is reached, and how many have completed since startup. */
  get requests(): { isFull: boolean; ended: number } {
    const { isFull, ended } = this.#metrics.counts.concurrent
    return { isFull, ended }
  }

  /**
   * Whether hanging operations can only be waiting for this process: all other checks pass or only warn, so their
   * dependencies work, and none of them is waiting for a network with its own timing.
   */
  async hangsByItself(): Promise<boolean> {
    const { state, checks } = await this.#readiness.report()
    const others = checks.filter(({ name }) => name !== REQUESTS)
    return state === 'running' && allWork(others) && waitsForNetworks.count === 0
  }

  /**
   * How long the event loop may be unresponsive, or full of hanging operations, before the process is terminated; 0: no
   * limit.
   */
  get watchdogMs(): number {
    return this.#settings.watchdogMs
  }

  /** Measurements of the server itself. */
  get measurements(): readonly Measurement[] {
    return this.#metrics.own
  }

  /** The measurements of `/metrics`, besides those of the process; requested on each scrape. */
  useMeasurements(measurements: () => readonly Measurement[]): void {
    this.#metrics.use(measurements)
  }

  /** Starts writing the log before the server listens; otherwise it starts when the server listens. */
  openLog(): void {
    if (this.#log) return
    const { level, pretty } = this.#settings.log
    const log = openLog({ level, pretty: pretty ?? process.stdout.isTTY })
    this.#log = { ...log, end: keepLog(log.logger, this.#metrics.counts) }
  }

  /** Call it before it listens: for a process whose database does the same, which then refuses other requests at once. */
  serveReadsOnly(): void {
    this.#readsOnly = true
  }

  /** The checks of `/health/ready`; from now on operations are served. */
  useChecks(checks: () => Promise<CheckResult[]>): void {
    this.#readiness.useChecks(checks)
  }

  /**
   * Listens, if it does not yet, and serves operations.
   *
   * @returns the address that it listens on, that of the console if it is served, and that of the metrics if it differs
   * @throws AgentError `unavailable` if the port is in use, `invalid_configuration` if it cannot be used at all
   */
  async listen(): Promise<{ url: string; consoleUrl?: string; metricsUrl?: string }> {
    const server = await this.open()
    if (this.#readiness.isStarting) this.#readiness.useChecks(undefined)
    this.#settings.publication?.begin()
    const url = listeningUrl(server)
    const { url: metricsUrl } = this.#metrics
    return {
      url,
      ...(this.#console && { consoleUrl: `${url}${CONSOLE_PATH}` }),
      ...(metricsUrl !== undefined && { metricsUrl }),
    }
  }

  /**
   * Stops accepting connections, lets running requests finish within the grace period, then closes the remaining
   * connections. Readiness fails immediately.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  private open(): Promise<Server> {
    if (this.#readiness.isStopping) throw new AgentError('unavailable', 'the server was already stopped')
    this.#server ??= this.#open().catch(async (error: unknown) => {
      await this.#release()
      throw error
    })
    return this.#server
  }

  async #open(): Promise<Server> {
    const logger = this.#openedLog()
    const readiness = this.#readiness
    CACHES.bytes = this.#settings.cacheBytes ?? defaultCacheBytes()
    await this.#metrics.open()
    const { counts, publicText: metrics } = this.#metrics
    this.#console = servedConsole(this.#settings, logger)
    const app = buildApp({
      settings: this.#settings,
      readiness,
      logger,
      counts,
      metrics,
      console: this.#console,
      readsOnly: this.#readsOnly,
    })
    const server = createServer(serverOptions(this.#settings), (req, res) => {
      // An idle connection would delay the end.
      if (readiness.isStopping) res.shouldKeepAlive = false
      app(req, res)
    })
    // Whether to accept a body is decided after authentication, not before (RFC 9110 10.1.1).
    server.on('checkContinue', (req, res) => server.emit('request', req, res))
    server.on('checkExpectation', (req, res) => server.emit('request', req, res))
    answerConnectionErrors(server)
    server.maxConnections = this.#settings.limits.connections
    server.maxHeadersCount = MOST_HEADERS
    server.timeout = this.#settings.timeouts.idleMs
    const { host, port } = this.#settings
    await listening(server, { host, port, options: { host: 'host', port: 'port', variable: 'PORT' } })
    return server
  }

  #openedLog(): Logger {
    this.openLog()
    if (!this.#log) throw new Error('the log was opened but does not exist')
    return this.#log.logger
  }

  async #close(): Promise<void> {
    this.#readiness.stop()
    const server = await this.#server?.catch(() => undefined)
    if (server) await closed(server, this.#settings.shutdownGraceMs)
    await this.#release()
  }

  /** What is there before it listens. The log comes last, so that the end is logged as well. */
  async #release(): Promise<void> {
    await this.#metrics.close()
    this.#log?.end()
    this.#log?.flush()
  }
}

const serverOptions = ({ limits, timeouts }: ServerSettings): ServerOptions => ({
  maxHeaderSize: limits.headerBytes,
  headersTimeout: timeouts.headersMs,
  requestTimeout: timeouts.requestMs,
  keepAliveTimeout: timeouts.keepAliveMs,
  // Node.js checks timeouts only at intervals.
  connectionsCheckingInterval: Math.min(LOOK_EVERY_MS, timeouts.headersMs),
})
