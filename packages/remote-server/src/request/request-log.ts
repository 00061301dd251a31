import { createRequire } from 'node:module'
import { randomUUID } from 'node:crypto'
import { isAgentError, readLog, secondsSince, type LogLine } from '@vidimus/core-types'
import { pino, type DestinationStream, type Logger } from 'pino'
import type Pretty from 'pino-pretty'
import { LimitReached } from '../admission/places.js'
import type { RequestCounts } from '../metrics/request-counts.js'
import { requestContext, type RequestContext } from './request-context.js'
import type { ServedRequest, ServedResponse } from './served-request.js'

export type { Logger }

/** For what only a terminal needs. */
const load = createRequire(import.meta.url)

/** Removed from logged objects in case they ever occur in one. */
const SECRET_FIELDS = [
  'x-api-key',
  'authorization',
  'apiKey',
  'privateKeyHex',
  'privateKey',
  'secret',
  'credential',
  'credentials',
  'presentation',
  'jwt',
]

const redactedPaths = () =>
  SECRET_FIELDS.flatMap((name) => {
    const step = name.includes('-') ? `["${name}"]` : name
    const member = name.includes('-') ? step : `.${step}`
    return [step, `*${member}`, `*.*${member}`]
  })

export interface LogOptions {
  level: string
  /** readable lines instead of JSON */
  pretty: boolean
  /** default: standard output, written in the background and flushed when the process ends */
  destination?: DestinationStream
}

/** A logger that can flush its buffered lines. */
export interface ServiceLog {
  logger: Logger
  flush(): void
}

/** Errors are described before they are logged; pino's serializer would add their members and causes again. */
const LOGGER = { base: null, serializers: { err: (described: unknown) => described } }

export function openLog({ level, pretty, destination }: LogOptions): ServiceLog {
  const options = { ...LOGGER, level, redact: { paths: redactedPaths(), censor: '[redacted]' } }
  if (destination) return { logger: pino(options, destination), flush: () => undefined }
  if (pretty) {
    const { PinoPretty } = load('pino-pretty') as typeof Pretty
    const stream = PinoPretty({ sync: true, translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid,hostname' })
    return { logger: pino(options, stream), flush: () => undefined }
  }
  const stream = pino.destination({ dest: 1, sync: false })
  return { logger: pino(options, stream), flush: () => stream.flushSync() }
}

/** Assigns the request id and writes one line when the request ends, in whatever way. */
export function logRequests(
  logger: Logger,
  counts: RequestCounts,
): (req: ServedRequest, res: ServedResponse) => void {
  // These lines are built member by member: scanning each for secrets again would be expensive.
  const lines = logger.child({}, { redact: [] })
  return function logRequest(req, res) {
    const context = requestContext(res)
    context.requestId = chooseRequestId(req.headers['x-request-id'])
    context.startedAt = performance.now()
    counts.begin(context.life)
    context.life.atEnd(() => {
      if (context.failure instanceof LimitReached) counts.refused.add(1, context.failure.limit)
      counts.seconds.observe(secondsSince(context.startedAt), ...requestLabels(res, context))
      writeLine(lines, req, res, context)
    })
  }
}

const requestLabels = (res: ServedResponse, { operation, route }: RequestContext) =>
  [
    operation?.id ?? 'none',
    route ?? 'unknown',
    // A response to a disconnected client does not show how the request ended.
    res.writableFinished ? String(res.statusCode) : 'aborted',
  ] as const

/**
 * Writes log lines from other packages from now on.
 *
 * @returns a function that stops this
 */
export const keepLog = (logger: Logger, counts: RequestCounts): (() => void) =>
  readLog((line) => {
    if (line.level === 'warn' || line.level === 'error') counts.logLines.add(1, line.level)
    if (logger.isLevelEnabled(line.level)) logger[line.level](logContent(line), line.message)
  })

function logContent({ fields, error, requestId, traceId }: LogLine): object {
  const safe = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? withoutSecrets(value) : value,
  ])
  return {
    ...(requestId !== undefined && { requestId }),
    ...(traceId !== undefined && { traceId }),
    ...(Object.fromEntries(safe) as object),
    ...(error !== undefined && { err: describeFailure(error, 500) }),
  }
}

function writeLine(logger: Logger, req: ServedRequest, res: ServedResponse, context: RequestContext): void {
  const { route, operation, account, requestId, span, startedAt, failure, replayed } = context
  // The status of a response that never started does not show how the request ended.
  const status = res.headersSent ? res.statusCode : undefined
  const isFailure = (status ?? 0) >= 500 && !isNoFailure(status, failure)
  const line = {
    requestId,
    ...(span && { traceId: span.traceId }),
    method: req.method,
    route: route ?? 'unknown',
    ...(status !== undefined && { status }),
    durationMs: Math.round((performance.now() - startedAt) * 100) / 100,
    ...(operation && { operation: operation.id }),
    ...(account && { account: account.id }),
    ...(replayed && { replayed }),
    ...(failure !== undefined && { [isFailure ? 'err' : 'refused']: describeFailure(failure, status ?? 0) }),
    ...(!res.writableFinished && { aborted: true }),
  }
  if (isFailure) logger.error(line, 'request failed')
  else logger.info(line, 'request')
}

/** Not a failure of the service: a function that is not available here (501) or in this process. */
const isNoFailure = (status: number | undefined, failure: unknown): boolean =>
  status === 501 || (isAgentError(failure) && failure.code === 'read_only')

interface LoggedFailure {
  name?: string
  code?: string
  message?: string
  stack?: string
  cause?: LoggedFailure
}

const DEEPEST_CAUSE = 5

/**
 * The part of an error that may be logged: only the usual members, as libraries put rejected values into others. For a
 * caller's mistake only the code, since the message may contain input.
 */
export function describeFailure(
  error: unknown,
  status: number,
  depth = 0,
): LoggedFailure | string | undefined {
  if (!(error instanceof Error)) return typeof error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  if (status < 500) return code ?? error.name
  const described: LoggedFailure = {
    name: error.name,
    ...(code !== undefined && { code }),
    message: withoutSecrets(error.message),
    ...(error.stack !== undefined && { stack: withoutSecrets(error.stack) }),
  }
  if (error.cause === undefined || depth >= DEEPEST_CAUSE) return described
  const cause = describeFailure(error.cause, status, depth + 1)
  return {
    ...described,
    ...(cause !== undefined && { cause: typeof cause === 'string' ? { name: cause } : cause }),
  }
}

/** Redacts private keys, API keys and JWTs by pattern: long hex or base64url, in parts or whole. */
const withoutSecrets = (text: string): string =>
  text
    .replace(/\b(?:0x)?[0-9a-fA-F]{64,}\b/g, '[redacted]')
    .replace(/\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, '[redacted]')
    .replace(/\bvidimus_\w+/g, '[redacted]')

/** Safe in log lines, headers and pages. */
const SAFE = /^[A-Za-z0-9._:+/=-]{1,128}$/

/** The request id from a client or proxy, if it is short and safe; otherwise a new one. */
const chooseRequestId = (header: string | string[] | undefined): string =>
  typeof header === 'string' && SAFE.test(header) ? header : randomUUID()
