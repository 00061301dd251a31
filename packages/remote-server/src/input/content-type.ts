import type { IncomingHttpHeaders } from 'node:http'
import { AgentError } from '@vidimus/core-types'

export type BodyFormat = 'json' | 'form'

export const MEDIA_TYPES: Record<BodyFormat, string> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
}

/**
 * The format of the body.
 *
 * @param jsonOnly - refuses forms
 * @param streams - named in the refusal
 * @throws AgentError `unsupported_media_type`, also for character sets other than UTF-8 and for compressed bodies
 */
export function bodyFormat(
  headers: IncomingHttpHeaders,
  jsonOnly = false,
  streams: readonly string[] = [],
): BodyFormat {
  const { type, parameters } = contentType(headers)
  const accepted: BodyFormat[] = jsonOnly ? ['json'] : ['json', 'form']
  const format = accepted.find((name) => MEDIA_TYPES[name] === type)
  if (!format) {
    const names = [...accepted.map((name) => MEDIA_TYPES[name]), ...streams]
    throw unsupported(`content-type: must be ${names.join(' or ')}`)
  }
  demandPlain(headers, parameters)
  return format
}

/**
 * The media type of a body that is read as it arrives.
 *
 * @param streams - those that the operation reads so
 * @returns `undefined` for any other
 * @throws AgentError `unsupported_media_type`
 */
export function streamedType(headers: IncomingHttpHeaders, streams: readonly string[]): string | undefined {
  const { type, parameters } = contentType(headers)
  if (!streams.includes(type)) return undefined
  demandPlain(headers, parameters)
  return type
}

function contentType(headers: IncomingHttpHeaders): { type: string; parameters: string[] } {
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase())
  return { type, parameters }
}

function demandPlain(headers: IncomingHttpHeaders, parameters: readonly string[]): void {
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length)
  if (charset !== undefined && !/^"?utf-?8"?$/.test(charset)) throw unsupported('content-type: must be UTF-8')
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding !== 'identity') throw unsupported('content-encoding: compressed bodies are not supported')
}

const unsupported = (sentence: string) => new AgentError('unsupported_media_type', sentence)

/** Whether a request has a body at all (RFC 9112 6.3). */
export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** The part of a request that says which response it asks for. */
export interface Asking {
  readonly method?: string | undefined
  readonly headers: IncomingHttpHeaders
}

/** Whether a GET names a media type in `accept`, instead of the usual JSON. */
export const asksFor = ({ method, headers }: Asking, mediaType: string): boolean =>
  method === 'GET' && new RegExp(`(^|[\\s,])${mediaType}(?=$|[\\s,;])`, 'i').test(headers.accept ?? '')
