import { AgentError, BOUNDS, isJsonObject } from '@vidimus/core-types'
import { MEDIA_TYPES } from '../input/content-type.js'
import { decodeJson } from '../input/decode-json.js'
import type { BodyReader } from '../input/read-body.js'
import type { ServedRequest, ServedResponse } from '../request/served-request.js'

/** Accepted media types of options; the body of a POST without a type is also read as JSON. */
export const OPTIONS_TYPES = [
  MEDIA_TYPES.json,
  'application/did-resolution',
  'application/did-url-dereferencing',
]

/** Options cannot be nested. */
const DEPTH = 1

/**
 * Reads the options of a POST (DID Resolution, HTTPS binding), which are the query of a GET. Without the header
 * `accept`, the option of that name is used.
 *
 * @param target - path and query as sent
 * @returns path and query of the equivalent GET
 * @throws AgentError if the body is not a JSON object of options
 */
export async function targetOfPost(
  target: string,
  req: ServedRequest,
  res: ServedResponse,
  bodies: BodyReader,
): Promise<string> {
  const type = (req.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (type !== '' && !OPTIONS_TYPES.includes(type))
    throw new AgentError('unsupported_media_type', `content-type: must be ${OPTIONS_TYPES.join(' or ')}`)
  const text = await bodies.during(req, res, undefined, (sent) => Promise.resolve(sent), BOUNDS.didUrl)
  const { accept, ...options } = text.trim() === '' ? {} : optionsIn(text)
  if (accept !== undefined) req.headers.accept ??= accept
  const query = Object.entries(options).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  if (query.length === 0) return target
  return `${target}${target.includes('?') ? '&' : '?'}${query.join('&')}`
}

function optionsIn(text: string): Record<string, string> {
  const options = decodeJson(text, { depth: DEPTH })
  if (!isJsonObject(options)) throw malformed('the body must be a JSON object of options')
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => {
      if (!/^[a-z]+$/i.test(name)) throw malformed('the name of an option consists of letters')
      const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      if (!isPlain) throw malformed(`${name}: must be a string, a number or a boolean`)
      return [name, String(value)]
    }),
  )
}

const malformed = (message: string) => new AgentError('malformed_body', message)
