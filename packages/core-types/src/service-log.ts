import { channel } from 'node:diagnostics_channel'
import { currentRequest } from './request-scope.js'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** The fields of a line beside its sentence. No secrets, nothing that a caller sent. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

/** A line of the log, before it is written. */
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

/** Code that loaded this package a second time reaches the same channel by its name. */
const lines = channel('vidimus:log')

/**
 * Writes a line into the log of the service, from any package. It carries the id of its request. Without a reader it
 * costs nothing.
 *
 * @returns whether there is a reader
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
