import { isDeepStrictEqual } from 'node:util'
import type { Envelope } from './jwt-form.js'
import { isNumericDate } from '../validity.js'

/** Claims that correspond to a member with another name. */
const CLAIM_OF_MEMBER = { id: 'jti', issuanceDate: 'nbf', expirationDate: 'exp' } as const

/** Names with different meanings in claims and members. */
const NOT_COMPARED: readonly string[] = ['vc', 'vp', 'proof']

/**
 * Contradictions between the claims of a JWT and the document in its envelope: values present in both places must
 * match, or two verifiers could read two documents. `iss` and `sub` are compared where issuer, holder and subject are
 * read.
 *
 * @param members - those of the envelope, and those beside it
 * @returns a sentence for each
 */
export function contradictions(
  payload: Record<string, unknown>,
  content: Record<string, unknown>,
  members: Record<string, unknown>,
  envelope: Envelope,
): string[] {
  const twice = Object.keys(content)
    .filter((name) => !NOT_COMPARED.includes(name) && Object.hasOwn(payload, name))
    .filter((name) => !isDeepStrictEqual(asList(content[name]), asList(payload[name])))
    .map((name) => `the ${name} of the JWT does not match the ${name} in its "${envelope}" claim`)
  const renamed = Object.entries(CLAIM_OF_MEMBER)
    .filter(([member, claim]) => members[member] !== undefined && payload[claim] !== undefined)
    .filter(([member, claim]) => !isSame(payload[claim], members[member]))
    .map(([member, claim]) => `the ${claim} of the JWT does not match the ${member} of the document`)
  return [...twice, ...renamed]
}

/** Time claims count seconds, which issuers round differently. */
function isSame(claim: unknown, member: unknown): boolean {
  if (!isNumericDate(claim) || typeof member !== 'string') return claim === member
  const ms = Date.parse(member)
  // a member that is not a time is reported as such
  return Number.isNaN(ms) || Math.abs(ms - claim * 1000) < 1000
}

/** A member with one value or a list of values. */
export const asList = (value: unknown): unknown[] => {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}
