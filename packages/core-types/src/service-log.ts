import { channel } from 'node:diagnostics_channel'
import { currentRequest } from './request-scope.js'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** What a line may tell beside its sentence. No secrets, nothing of what a caller sent. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

/** A line of the log, before whoever keeps the log has written it. */
export interface LogLine {
  readonly level: LogLevel
  /** one sentence, always the same for the same event */
  readonly message: string
  readonly fields: LogFields
  /** what failed; it is described without the values that it failed on */
  readonly error?: unknown
  /** of the request that this was done for */
  readonly requestId?: string
  readonly traceId?: string
}

/** Also whoever loaded this package a second time reaches the same channel by its name. */
const lines = channel('vidimus:log')

/**
 * Writes a line into the log of the service, from any room. It carries the id of the request that it was written for.
 * Where nobody reads, it costs nothing.
 *
 * @returns whether anybody keeps it
 */
export function log(level: LogLevel, message: string, fields: LogFields = {}, error?: unknown): boolean {
  if (!lines.hasSubscribers) return false
  const request = currentRequest()
  const line: LogLine = {
    level,
    message,
    fields,
    ...(error !== undefined && { error }),
    ...(request && { requestId: request.requestId }),
    ...(request?.span && { traceId: request.span.traceId }),
  }
  lines.publish(line)
  return true
}

/** Reads every line from now on. @returns how to stop */
export function readLog(reader: (line: LogLine) => void): () => void {
  const read = (line: unknown) => reader(line as LogLine)
  lines.subscribe(read)
  return () => {
    lines.unsubscribe(read)
  }
}
