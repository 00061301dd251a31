import { joseType } from '@vidimus/verification-methods'
import { encode } from 'cborg'
import { z } from 'zod'
import { headerOf } from '../encoding/compact-jwt.js'
import { decodeCbor, decodeSign1, encodeSign1, type CoseSign1 } from '../encoding/cose-sign1.js'
import { decodeBase64Url, encodeBase64Url } from '../encoding/encoded-list.js'
import { malformedList } from './malformed-list.js'

/**
 * Writes Token Status Lists of draft-ietf-oauth-status-list-21. Reading also supports draft-14, which profiles pin
 * (HAIP): there a CWT is not tagged. JWTs are the same in both.
 */
export const CWT_MEDIA_TYPE = 'application/statuslist+cwt'
/** The member of a published JWT's protected header from which its CWT is made. */
export const CWT_HEADER = 'cwt'

/** Numbers of the claims (RFC 8392 3.1; draft-ietf-oauth-status-list, section 14.3). */
const CLAIM = { iss: 1, sub: 2, exp: 4, nbf: 5, iat: 6, statusList: 65_533, ttl: 65_534 } as const

/** The claims of a Status List Token, as its JWT has them. */
export interface TokenStatusClaims extends Record<string, unknown> {
  iss?: string | undefined
  sub: string
  iat: number
  nbf?: number | undefined
  exp?: number | undefined
  ttl?: number | undefined
  status_list: { bits: number; lst: string; aggregation_uri?: string | undefined }
}

/** The parts of a CWT beside its claims: both in base64url. */
const Signed = z.object({ protected: z.string(), signature: z.string() })

/** The claims as a CWT has them; equal claims have equal bytes, so that a signature fits them at any time. */
export function cwtPayload({ iss, sub, iat, nbf, exp, ttl, status_list }: TokenStatusClaims): Uint8Array {
  const { bits, lst, aggregation_uri } = status_list
  const list = new Map<string, unknown>([
    ['bits', bits],
    ['lst', new Uint8Array(decodeBase64Url(lst, 'the lst'))],
  ])
  if (aggregation_uri !== undefined) list.set('aggregation_uri', aggregation_uri)
  const claims = [
    [CLAIM.iss, iss],
    [CLAIM.sub, sub],
    [CLAIM.exp, exp],
    [CLAIM.nbf, nbf],
    [CLAIM.iat, iat],
    [CLAIM.ttl, ttl],
    [CLAIM.statusList, list],
  ] as const
  return encode(new Map<number, unknown>(claims.filter(([, value]) => value !== undefined)))
}

/** The CWT of a published token; `undefined` if its JWT was signed without one. */
export function toCwt(jwt: string, claims: TokenStatusClaims): Uint8Array | undefined {
  const { data } = Signed.safeParse(headerOf(jwt)[CWT_HEADER])
  if (!data) return undefined
  const [header, signature] = [data.protected, data.signature].map((text) => decodeBase64Url(text, 'the CWT'))
  return (
    header && signature && encodeSign1(new Uint8Array(header), cwtPayload(claims), new Uint8Array(signature))
  )
}

/**
 * Reads a Status List Token in CWT form. The claims are those of a JWT, and must still be checked as such.
 *
 * @throws AgentError `malformed_list`
 */
export function readStatusListCwt(bytes: Uint8Array): { claims: Record<string, unknown>; signed: CoseSign1 } {
  const signed = decodeSign1(bytes)
  if (joseType(signed.type) !== joseType(CWT_MEDIA_TYPE))
    throw malformedList(`its typ is not ${CWT_MEDIA_TYPE}`)
  const claims = asMap(decodeCbor(signed.payload, 'its payload'), 'its payload')
  const list = asMap(claims.get(CLAIM.statusList), 'its status_list')
  const lst: unknown = list.get('lst')
  if (!(lst instanceof Uint8Array)) throw malformedList('its lst is not a byte string')
  const named = Object.entries(CLAIM).flatMap(([name, number]) =>
    name !== 'statusList' && claims.has(number) ? [[name, claims.get(number)] as const] : [],
  )
  const entries = [...list].map(([name, value]) => [String(name), value] as const)
  const status_list = { ...Object.fromEntries(entries), lst: encodeBase64Url(lst) }
  return { claims: { ...Object.fromEntries(named), status_list }, signed }
}

function asMap(value: unknown, what: string): Map<unknown, unknown> {
  if (value instanceof Map) return value
  throw malformedList(`${what} is not a map`)
}
