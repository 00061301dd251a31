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
 * @throws AgentError `unsupported_media_type`, also for character sets other than UTF-8 and for compressed bodies
 */
export function bodyFormat(headers: IncomingHttpHeaders, jsonOnly = false): BodyFormat {
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase())
  const accepted: BodyFormat[] = jsonOnly ? ['json'] : ['json', 'form']
  const format = accepted.find((name) => MEDIA_TYPES[name] === type)
  if (!format) {
    throw unsupported(`content-type: must be ${accepted.map((name) => MEDIA_TYPES[name]).join(' or ')}`)
  }
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length)
  if (charset !== undefined && !/^"?utf-?8"?$/.test(charset)) throw unsupported('content-type: must be UTF-8')
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding !== 'identity') throw unsupported('content-encoding: compressed bodies are not supported')
  return format
}

const unsupported = (sentence: string) => new AgentError('unsupported_media_type', sentence)

/** Whether a request has a body at all (RFC 9112 6.3). */
export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
