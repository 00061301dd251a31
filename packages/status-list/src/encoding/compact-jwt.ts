import { parseForeignJson, type DetachedSignature } from '@vidimus/core-types'
import { certificatesIn } from '@vidimus/verification-methods'
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

/**
 * The signature of a JWT, apart from what it says.
 *
 * @throws AgentError `malformed_list`
 */
export function signatureOfJwt(jwt: string): DetachedSignature {
  const [header = '', payload = '', signature = ''] = jwt.split('.')
  const { alg, crit, ...members } = headerOf(jwt)
  if (typeof alg !== 'string') throw malformedList('the header of its JWT has no alg')
  if (crit !== undefined) throw malformedList('its JWT demands extensions (crit) that are not supported')
  const certificates = certificatesIn(members)
  return {
    algorithm: alg,
    ...(certificates && { certificates }),
    signed: Buffer.from(`${header}.${payload}`),
    signature: decodeBase64Url(signature, 'the signature of its JWT'),
  }
}
