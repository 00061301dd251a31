import { isAgentError, readLog, secondsSince, type LogLine } from '@vidimus/core-types'
import { pino, type DestinationStream, type Logger } from 'pino'
import { PinoPretty } from 'pino-pretty'
import type { RequestCounts } from '../metrics/request-counts.js'
import { contextOf, type RequestContext } from './request-context.js'
import { requestIdOf } from './request-id.js'
import type { ServedRequest, ServedResponse } from './served-request.js'

export type { Logger }

/** What never stands in a log, should it ever get into a logged object. */
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
  /** readable lines in place of JSON */
  pretty: boolean
  /** default: standard output, written in the background and flushed when the process ends */
  destination?: DestinationStream
}

/** A logger with the means to bring out everything that it holds. */
export interface ServiceLog {
  logger: Logger
  flush(): void
}

/** An error is described before it is logged; pino's own way would put its members and causes into it once more. */
const LOGGER = { base: null, serializers: { err: (described: unknown) => described } }

export function openLog({ level, pretty, destination }: LogOptions): ServiceLog {
  const options = { ...LOGGER, level, redact: { paths: redactedPaths(), censor: '[redacted]' } }
  if (destination) return { logger: pino(options, destination), flush: () => undefined }
  if (pretty) {
    const stream = PinoPretty({ sync: true, translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid,hostname' })
    return { logger: pino(options, stream), flush: () => undefined }
  }
  const stream = pino.destination({ dest: 1, sync: false })
  return { logger: pino(options, stream), flush: () => stream.flushSync() }
}

/** Gives the request its id and writes one line once it is over, however it ended. */
export function logRequests(
  logger: Logger,
  counts: RequestCounts,
): (req: ServedRequest, res: ServedResponse) => void {
  // These lines are put together here, member by member: looking through each for secrets again would cost much.
  const lines = logger.child({}, { redact: [] })
  return function logRequest(req, res) {
    const context = contextOf(res)
    context.requestId = requestIdOf(req.headers['x-request-id'])
    context.startedAt = performance.now()
    counts.begin(context.life)
    context.life.atEnd(() => {
      counts.seconds.observe(secondsSince(context.startedAt), ...labelsOf(res, context))
      writeLine(lines, req, res, context)
    })
  }
}

const labelsOf = (res: ServedResponse, { operation, route }: RequestContext) =>
  [
    operation?.id ?? 'none',
    route ?? 'unknown',
    // What was answered to somebody who had gone says nothing of how the request ended.
    res.writableFinished ? String(res.statusCode) : 'aborted',
  ] as const

/**
 * Writes what other rooms tell into the log, from now on.
 *
 * @returns how to stop
 */
export const keepLog = (logger: Logger, counts: RequestCounts): (() => void) =>
  readLog((line) => {
    if (line.level === 'warn' || line.level === 'error') counts.logLines.add(1, line.level)
    if (logger.isLevelEnabled(line.level)) logger[line.level](contentOf(line), line.message)
  })

function contentOf({ fields, error, requestId, traceId }: LogLine): object {
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
  // What a response would have said that never began says nothing of how the request ended.
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

/** Something was asked for which nobody here does (501), or this process does not: no failure of the service. */
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
 * What a log may hold of an error: no members beside the usual ones, as those are where libraries put the values that
 * they failed on. Of a mistake of the caller only the code, since its sentence may name what the caller sent.
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

/** Private keys, API keys and JWTs by how they look: long hex or base64url, in parts or whole. */
const withoutSecrets = (text: string): string =>
  text
    .replace(/\b(?:0x)?[0-9a-fA-F]{64,}\b/g, '[redacted]')
    .replace(/\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, '[redacted]')
    .replace(/\bvidimus_\w+/g, '[redacted]')
