import { isDeepStrictEqual } from 'node:util'
import { AgentError, isJsonObject, problemsError } from '@vidimus/core-types'
import { asList } from './contradictions.js'
import type { Envelope } from './jwt-form.js'

/** Members that a JWT expresses as claims; any of these names may replace the member. */
const CLAIMS_OF_MEMBERS: Record<string, readonly string[]> = {
  id: ['jti'],
  issuer: ['iss'],
  holder: ['iss'],
  verifier: ['aud'],
  issuanceDate: ['nbf', 'iat'],
  expirationDate: ['exp'],
}

/** maximum number of names in one message */
const MAX_NAMES = 10
/** of one of them */
const MAX_CHARACTERS = 100

/** Some of them, for a message. */
export const firstNames = (names: readonly string[]): string => names.slice(0, MAX_NAMES).join(', ')

const DATES: readonly string[] = ['issuanceDate', 'expirationDate', 'validFrom', 'validUntil']

/** The text of a presented JWT or SD-JWT: the value itself, or its proof. */
export const shownText = (shown: unknown): string | undefined => {
  const text = isJsonObject(shown) && isJsonObject(shown.proof) ? shown.proof.jwt : shown
  return typeof text === 'string' ? text : undefined
}

/** Whether the presented value may contain a JWT that is not an SD-JWT with disclosures. */
export const mayHoldJwt = (shown: unknown): boolean => shownText(shown)?.includes('~') === false

/**
 * The JWT of a credential or presentation: the text itself, or `proof.jwt` of an object, whatever its proof type. The
 * rest of the object is ignored.
 *
 * @throws AgentError `invalid_credential`, its detail at the path `jwt`
 */
export function presentedJwt(presented: unknown): string {
  if (typeof presented === 'string') return presented
  const proof = isJsonObject(presented) ? presented.proof : undefined
  if (isJsonObject(proof) && typeof proof.jwt === 'string') return proof.jwt
  const message = isJsonObject(presented)
    ? unknownProof(proof)
    : 'it must be a JWT or a JSON object whose proof holds one'
  throw problemsError('invalid_credential', [{ path: 'jwt', message }])
}

function unknownProof(proof: unknown): string {
  const types = [proof].flat().flatMap((one) => {
    const { type, cryptosuite } = isJsonObject(one) ? one : {}
    if (typeof type !== 'string') return []
    const suite = typeof cryptosuite === 'string' ? ` (${cryptosuite})` : ''
    return [(type + suite).slice(0, MAX_CHARACTERS)]
  })
  if (types.length === 0) return 'it has no proof: neither a JWT (proof.jwt) nor one with a type'
  return `its proof is ${firstNames([...new Set(types)])}, which no configured credential format verifies`
}

/**
 * Checks that a presented object matches its JWT: nothing changed, added or omitted. The object may have the members of
 * the data model, the claims of the JWT, or both, as libraries write either.
 *
 * @param presented - an object with `proof.jwt`
 * @param document - the content of the JWT, in the shape of the data model
 * @param payload - the claims of the JWT
 * @throws AgentError `invalid_credential` naming the members that differ, its detail at the path `jwt`
 */
export function checkTrueToJwt(
  presented: Record<string, unknown>,
  document: Record<string, unknown>,
  payload: Record<string, unknown>,
  envelope: Envelope,
): void {
  demandNone(membersUntrueToJwt(presented, document, payload, envelope))
}

/**
 * Checks that a presented object has exactly the members of a document, apart from its proof.
 *
 * @throws AgentError as {@link checkTrueToJwt}
 */
export function checkSameMembers(
  presented: Record<string, unknown>,
  document: Record<string, unknown>,
): void {
  const said = asJson(presented)
  const names = [...new Set([...Object.keys(said), ...Object.keys(document)])]
  demandNone(names.filter((name) => name !== 'proof' && !isDeepStrictEqual(said[name], document[name])))
}

function demandNone(untrue: readonly string[]): void {
  if (untrue.length === 0) return
  const message = `the object does not match its JWT: ${firstNames(untrue)}`
  throw problemsError('invalid_credential', [{ path: 'jwt', message }])
}

function membersUntrueToJwt(
  presented: Record<string, unknown>,
  document: Record<string, unknown>,
  payload: Record<string, unknown>,
  envelope: Envelope,
): string[] {
  const { proof: _, [envelope]: enveloped = {}, ...beside } = asJson(presented)
  if (!isJsonObject(enveloped)) return [envelope]
  const content = isJsonObject(payload[envelope]) ? payload[envelope] : {}
  const told = new Set([...Object.keys(enveloped), ...Object.keys(beside)])
  const missing = Object.keys(document).filter((name) => {
    const names = [name, ...(CLAIMS_OF_MEMBERS[name] ?? [])]
    return name !== 'proof' && !names.some((known) => told.has(known))
  })
  // inside the envelope the subject may omit its id, which is then in sub
  const namesSubject = Object.hasOwn(beside, 'credentialSubject') || Object.hasOwn(beside, 'sub')
  if (Object.hasOwn(payload, 'sub') && !namesSubject) missing.push('sub')
  return [...untrueMembers(enveloped, [content]), ...untrueMembers(beside, [document, payload]), ...missing]
}

/** The members that no source contains. */
function untrueMembers(
  stated: Record<string, unknown>,
  sources: readonly Record<string, unknown>[],
): string[] {
  return Object.keys(stated).filter((name) => {
    const said = sources.filter((source) => Object.hasOwn(source, name)).map((source) => source[name])
    // an empty list is equivalent to an absent member
    if (said.length === 0) return asList(stated[name]).length > 0
    return !said.some((value) => isSame(name, stated[name], value))
  })
}

function isSame(name: string, stated: unknown, said: unknown): boolean {
  if (name === 'verifiableCredential') {
    return isDeepStrictEqual(asList(stated).map(jwtInside), asList(said).map(jwtInside))
  }
  if (name === 'issuer' && typeof stated === 'string' && isJsonObject(said)) return said.id === stated
  if (DATES.includes(name)) return isSameSecond(stated, said)
  return isDeepStrictEqual(asList(stated), asList(said))
}

const jwtInside = (credential: unknown): unknown => {
  const proof = isJsonObject(credential) ? credential.proof : undefined
  return isJsonObject(proof) ? proof.jwt : credential
}

/** Claims count whole seconds; members of the data model may be more precise. */
const isSameSecond = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' &&
  typeof other === 'string' &&
  Math.floor(Date.parse(one) / 1000) === Math.floor(Date.parse(other) / 1000)

/** Plain objects, however the caller created theirs; members that JSON cannot represent are dropped. */
function asJson(value: Record<string, unknown>): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(value)) as Record<string, unknown>
  } catch (cause) {
    const details = [{ path: 'jwt', message: 'the object cannot be serialised as JSON' }]
    throw new AgentError('invalid_credential', 'the object cannot be serialised as JSON', { cause, details })
  }
}
