import { isJsonObject, problemsError, type AgentError, type StatusListEntry } from '@vidimus/core-types'
import { claimsOfJwt, headerOf } from '../encoding/compact-jwt.js'
import { decodeCbor, decodeSign1 } from '../encoding/cose-sign1.js'
import type { StatusListType } from '@vidimus/core-types'
import { certificatesIn, isCertifiedIssuer } from '@vidimus/verification-methods'
import type { Voucher } from '../strangers/verify-foreign.js'

/** The status reference of a token, whoever signed it. */
export interface ReferencedToken extends StatusListEntry {
  /** the issuer that it names, and its certificates where it has some; nothing of it is verified */
  voucher: Voucher
}

/** Numbers of the claims (RFC 8392 3.1; draft-ietf-oauth-status-list, section 14.3). */
const CLAIM = { iss: 1, status: 65_535 } as const

/**
 * Reads list and index of a token: a JWT, an SD-JWT with or without its disclosures, or a CWT in base64url. Its
 * signature is not checked: a status is that of a list.
 *
 * @throws AgentError `invalid_input`, its detail at the path `token`
 * @see draft-ietf-oauth-status-list, section 6
 */
export function referencedToken(token: string, type: StatusListType): ReferencedToken {
  if (type.entryMember !== 'status') throw refused(`names a token status list, which a ${type.type} is not`)
  const { iss, status, certificates } = claimsIn(token)
  if (!isJsonObject(status) || !Object.hasOwn(status, type.entryType)) {
    throw refused(`has no status claim with a ${type.entryType}`)
  }
  const entry = type.readEntry(status)
  if (typeof iss !== 'string') return { ...entry, voucher: {} }
  return {
    ...entry,
    voucher: { issuer: iss, ...(isCertifiedIssuer(iss) && certificates && { certificates }) },
  }
}

interface TokenClaims {
  iss?: unknown
  status?: unknown
  certificates?: readonly string[] | undefined
}

function claimsIn(token: string): TokenClaims {
  try {
    // A status is never disclosed apart from the token (SD-JWT VC, section 3.2.2.2).
    const [jwt = ''] = token.split('~', 1)
    if (jwt.includes('.')) return { ...claimsOfJwt(jwt), certificates: certificatesIn(headerOf(jwt)) }
    return claimsOfCwt(token)
  } catch (cause) {
    throw refused('must be a JWT, an SD-JWT, or a CWT in base64url', cause)
  }
}

function claimsOfCwt(token: string): TokenClaims {
  const { payload, certificates } = decodeSign1(decodeBase64url(token))
  const claims = decodeCbor(payload, 'its payload')
  if (!(claims instanceof Map)) throw new Error('its payload is not a map')
  return { iss: claims.get(CLAIM.iss), status: asClaims(claims.get(CLAIM.status)), certificates }
}

/** Maps whose keys are texts, as JSON has them. */
function asClaims(value: unknown): unknown {
  if (!(value instanceof Map)) return value
  return Object.fromEntries([...value].map(([name, member]) => [String(name), asClaims(member)]))
}

const decodeBase64url = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64url'))

const refused = (message: string, cause?: unknown): AgentError => {
  const error = problemsError('invalid_input', [{ path: 'token', message }])
  if (cause !== undefined) error.cause = cause
  return error
}
