import { isDid, isJsonObject, type Problem, type Validity } from '@vidimus/core-types'
import { contradictions, asList } from './contradictions.js'
import type { Envelope, ParsedJwt } from './jwt-form.js'
import { isNumericDate, isoTimeOfSeconds } from '../validity.js'

/** The contexts of data models 1.1 and 2.0; every document must include one of them. */
export const VC_CONTEXT = 'https://www.w3.org/2018/credentials/v1'
export const VC_CONTEXT_2 = 'https://www.w3.org/ns/credentials/v2'
export const CONTEXTS: readonly unknown[] = [VC_CONTEXT, VC_CONTEXT_2]

/** Registered JWT claims, which are therefore not members of the document. */
const REGISTERED = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'nonce', 'vc', 'vp', 'proof']

/** Common parts of credentials and presentations, read from a JWT and not yet verified. */
export interface SignedDocument {
  parsed: ParsedJwt
  /** a DID: the issuer, or the holder */
  iss: string
  /** the content of `vc` or `vp`, and members that issuers put beside it, which take precedence */
  members: Record<string, unknown>
  validity: Validity
}

/**
 * Reads the claims that credentials and presentations share.
 *
 * @param problems - receives the problems found, with empty paths
 * @returns `undefined` if there is no document to read
 * @see Verifiable Credentials Data Model 1.1 section 6.3.1.2, "JWT Decoding"
 */
export function readSignedDocument(
  parsed: ParsedJwt,
  envelope: Envelope,
  type: string,
  problems: Problem[],
): SignedDocument | undefined {
  const refuse = (message: string): unknown => problems.push({ path: '', message })
  const { payload } = parsed
  const content = payload[envelope]
  if (!isJsonObject(content)) {
    refuse(`the JWT has no "${envelope}" claim that is an object`)
    return undefined
  }
  const beside = Object.entries(payload).filter(([name]) => !REGISTERED.includes(name))
  const members = { ...content, ...Object.fromEntries(beside) }
  const { iss } = payload
  if (!isDid(iss)) refuse('the iss of the JWT must be a DID')
  if (!asList(members['@context']).some((context) => CONTEXTS.includes(context))) {
    refuse(`the @context of the "${envelope}" claim must hold "${VC_CONTEXT}"`)
  }
  if (!asList(members.type).includes(type)) {
    refuse(`the type of the "${envelope}" claim must hold "${type}"`)
  }
  contradictions(payload, content, members, envelope).forEach(refuse)
  return { parsed, iss: String(iss), members, validity: readValidity(payload, members, problems) }
}

/** The document members that JWT claims represent, under their data model names. */
export function membersOfClaims({ parsed: { payload }, members }: SignedDocument): Record<string, unknown> {
  const { nbf, iat, exp, jti } = payload
  const issued = nbf ?? (members.issuanceDate === undefined ? iat : undefined)
  return {
    ...members,
    ...(jti !== undefined && { id: jti }),
    ...(isNumericDate(issued) && { issuanceDate: isoTimeOfSeconds(issued) }),
    ...(isNumericDate(exp) && { expirationDate: isoTimeOfSeconds(exp) }),
  }
}

export function readValidity(
  payload: Record<string, unknown>,
  members: Record<string, unknown>,
  problems: Problem[],
): Validity {
  const seconds = (name: string): number[] => {
    const value = payload[name]
    if (value === undefined) return []
    if (isNumericDate(value)) return [value * 1000]
    problems.push({ path: '', message: `the ${name} of the JWT must be a time in seconds since 1970` })
    return []
  }
  const dates = (name: string): number[] => {
    const value = members[name]
    if (value === undefined) return []
    const ms = typeof value === 'string' ? Date.parse(value) : NaN
    if (isNumericDate(ms / 1000)) return [ms]
    problems.push({ path: '', message: `the ${name} must be a date and time` })
    return []
  }
  const issued = seconds('iat')
  const starts = seconds('nbf')
  return {
    // iat counts only without an nbf, which states when validity begins
    notBefore: [...(starts.length > 0 ? starts : issued), ...dates('issuanceDate'), ...dates('validFrom')],
    notAfter: [...seconds('exp'), ...dates('expirationDate'), ...dates('validUntil')],
  }
}
