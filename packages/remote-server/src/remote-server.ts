import { createServer, type Server, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  AgentError,
  type CheckResult,
  type ErrorCode,
  type HasLifecycle,
  type Lifecycle,
} from '@vidimus/core-types'
import { buildApp } from './app.js'
import { CONSOLE_PATH, servedConsole, type ConsoleRoutes } from './console/console-page.js'
import { answerConnectionErrors } from './errors/connection-errors.js'
import { serverSettings, type RemoteServerOptions, type ServerSettings } from './options.js'
import { Readiness } from './readiness.js'
import { openLog, type ServiceLog } from './request-log.js'

/** Further ones are dropped by Node.js; nobody sends as many. */
const MOST_HEADERS = 200

const LOOK_EVERY_MS = 5000

const SWEEP_MS = 20

/**
 * The HTTP server in front of an agent.
 *
 * It listens when it is started, so that a port in use shows early, but answers operations with 503 `unavailable` until
 * {@link useChecks} or {@link listen} was called.
 */
export class RemoteServer implements HasLifecycle {
  readonly lifecycle: Lifecycle = {
    start: async () => {
      await this.open()
    },
    stop: () => this.close(),
  }

  readonly #settings: ServerSettings
  readonly #readiness = new Readiness()
  #log: ServiceLog | undefined
  #server: Promise<Server> | undefined
  #closing: Promise<void> | undefined
  #console: ConsoleRoutes | undefined

  /** @throws AgentError `invalid_configuration` with every problem of the options */
  constructor(options: RemoteServerOptions) {
    this.#settings = serverSettings(options)
    if (this.#settings.checks) this.#readiness.useChecks(this.#settings.checks)
  }

  /** What `/health/ready` looks at; from now on operations are served. */
  useChecks(checks: () => Promise<CheckResult[]>): void {
    this.#readiness.useChecks(checks)
  }

  /**
   * Listens, where it does not do so yet, and serves operations.
   *
   * @returns the address that it listens on, and that of the console where it is served
   * @throws AgentError `unavailable` where the port is in use, `invalid_configuration` where it cannot be used at all
   */
  async listen(): Promise<{ url: string; consoleUrl?: string }> {
    const server = await this.open()
    if (this.#readiness.isStarting) this.#readiness.useChecks(undefined)
    const url = urlOf(server)
    return { url, ...(this.#console && { consoleUrl: `${url}${CONSOLE_PATH}` }) }
  }

  /**
   * Takes no more connections, lets requests in flight finish within the grace, then cuts what is left. Readiness
   * fails from the first moment on.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  private open(): Promise<Server> {
    if (this.#readiness.isStopping) throw new AgentError('unavailable', 'the server was stopped already')
    this.#server ??= this.#open()
    return this.#server
  }

  async #open(): Promise<Server> {
    const { level, pretty } = this.#settings.log
    this.#log = openLog({ level, pretty: pretty ?? process.stdout.isTTY })
    const readiness = this.#readiness
    const { logger } = this.#log
    this.#console = servedConsole(this.#settings, logger)
    const app = buildApp({ settings: this.#settings, readiness, logger, console: this.#console })
    const server = createServer(serverOptions(this.#settings), (req, res) => {
      // An idle connection would hold up the end.
      if (readiness.isStopping) res.shouldKeepAlive = false
      app(req, res)
    })
    // Whether a body is wanted is decided after authentication, not before (RFC 9110 10.1.1).
    server.on('checkContinue', (req, res) => server.emit('request', req, res))
    server.on('checkExpectation', (req, res) => server.emit('request', req, res))
    answerConnectionErrors(server)
    server.maxConnections = this.#settings.limits.connections
    server.maxHeadersCount = MOST_HEADERS
    server.timeout = this.#settings.timeouts.idleMs
    await listening(server, this.#settings)
    return server
  }

  async #close(): Promise<void> {
    this.#readiness.stop()
    const server = await this.#server?.catch(() => undefined)
    if (server) await closed(server, this.#settings.shutdownGraceMs)
    this.#log?.flush()
  }
}

const serverOptions = ({ limits, timeouts }: ServerSettings): ServerOptions => ({
  maxHeaderSize: limits.headerBytes,
  headersTimeout: timeouts.headersMs,
  requestTimeout: timeouts.requestMs,
  keepAliveTimeout: timeouts.keepAliveMs,
  // Node.js looks only so often who is late.
  connectionsCheckingInterval: Math.min(LOOK_EVERY_MS, timeouts.headersMs),
})

async function listening(server: Server, { host, port }: ServerSettings): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host, port }, () => {
        server.off('error', reject)
        resolve()
      })
    })
  } catch (error) {
    throw cannotListen(error, host, port)
  }
}

function cannotListen(cause: unknown, host: string, port: number): AgentError {
  const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
  const at = `port ${port} of ${host}`
  const failed = (code: ErrorCode, path: string, message: string) =>
    new AgentError(code, message, { cause, ...(path !== '' && { details: [{ path, message }] }) })
  if (reason === 'EADDRINUSE') {
    return failed(
      'unavailable',
      '',
      `${at} is in use by another process: stop that one, or choose another port (PORT)`,
    )
  }
  if (reason === 'EACCES') {
    return failed(
      'invalid_configuration',
      'port',
      `${at} may not be used by this user: choose one from 1024 on`,
    )
  }
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(reason)) {
    return failed('invalid_configuration', 'host', `${host} is not an address of this machine (${reason})`)
  }
  return failed('unavailable', '', `cannot listen on ${at} (${reason})`)
}

function closed(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    // A connection that was busy when the server closed is kept alive after its answer, for nothing.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
    server.close(() => {
      clearTimeout(cut)
      clearInterval(sweep)
      resolve()
    })
    server.closeIdleConnections()
  })
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo
  const host = family === 'IPv6' ? `[${address}]` : address
  return `http://${host}:${port}`
}
