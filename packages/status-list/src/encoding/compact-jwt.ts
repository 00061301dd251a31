import { parseForeignJson } from '@vidimus/core-types'
import { z } from 'zod'
import { decodeBase64Url } from './encoded-list.js'
import { malformedList, parseJsonAs } from '../types/malformed-list.js'

/**
 * Reads the claims of a JWT that is published unchanged; the engine verifies its signature.
 *
 * @param header - the expected header
 * @param claims - only checks: no defaults, no transformations
 * @throws AgentError `malformed_list`
 */
export function readCompactJwt<T>(jwt: string, header: z.ZodType, claims: z.ZodType<T>): T {
  const [first, second, signature, ...rest] = jwt.split('.')
  if (!first || !second || !signature || rest.length > 0) throw malformedList('it is neither JSON nor a JWT')
  parseJsonAs(header, decodeBase64Url(first, 'the header of its JWT'), 'the header of its JWT')
  return parseJsonAs(claims, decodeBase64Url(second, 'the payload of its JWT'), 'the payload of its JWT')
}

/**
 * The claims of a JWT, whoever signed it.
 *
 * @throws AgentError `malformed_list`
 */
export const claimsOfJwt = (jwt: string): Record<string, unknown> =>
  readCompactJwt(jwt, z.looseObject({}), z.looseObject({}))

/** The header of a JWT; empty if it cannot be read. */
export function headerOf(jwt: string): Readonly<Record<string, unknown>> {
  try {
    const [header = ''] = jwt.split('.', 1)
    const parsed: unknown = parseForeignJson(Buffer.from(header, 'base64url').toString())
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
