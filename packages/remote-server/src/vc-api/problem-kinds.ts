import type { ProblemDetails } from '../schemas/vc-api.js'

const DATA_MODEL = 'https://www.w3.org/TR/vc-data-model-2.0'
const SECURITY = 'https://w3id.org/security'

/**
 * The types of problems.
 *
 * @see Verifiable Credentials Data Model v2.0 section 7.2; Verifiable Credential Data Integrity 1.0 section 4.7;
 * Bitstring Status List v1.0 section 3.5; VCALM v1.0 section 3.9
 */
const KINDS = {
  MALFORMED_VALUE_ERROR: [`${DATA_MODEL}#MALFORMED_VALUE_ERROR`, 'Malformed value'],
  CRYPTOGRAPHIC_SECURITY_ERROR: [`${DATA_MODEL}#CRYPTOGRAPHIC_SECURITY_ERROR`, 'Signature does not verify'],
  CREDENTIAL_EXPIRED: [`${DATA_MODEL}#CREDENTIAL_EXPIRED`, 'Expired'],
  STATUS_VERIFICATION_ERROR: [
    'https://www.w3.org/ns/credentials/status-list#STATUS_VERIFICATION_ERROR',
    'Status is not good',
  ],
  INVALID_CHALLENGE_ERROR: [`${SECURITY}#INVALID_CHALLENGE_ERROR`, 'Other challenge'],
  INVALID_DOMAIN_ERROR: [`${SECURITY}#INVALID_DOMAIN_ERROR`, 'Other domain'],
  UNKNOWN_OPTION_PROVIDED: ['https://www.w3.org/TR/vcalm#UNKNOWN_OPTION_PROVIDED', 'Unknown option'],
  // RFC 9457 section 4.2.1: the type adds nothing to the meaning of the status.
  REFUSED: ['about:blank', 'Refused'],
} as const satisfies Record<string, readonly [type: string, title: string]>

export type ProblemKind = keyof typeof KINDS

export function problemDetails(kind: ProblemKind, detail: string): ProblemDetails {
  const [type, title] = KINDS[kind]
  return { type, title, detail }
}

export const isOfKind = ({ type }: Pick<ProblemDetails, 'type'>, ...kinds: readonly ProblemKind[]): boolean =>
  kinds.some((kind) => KINDS[kind][0] === type)

/** The problem type for an objection to a credential or presentation, by the check that found it. */
const KIND_OF_CHECK: Readonly<Record<string, ProblemKind>> = {
  format: 'MALFORMED_VALUE_ERROR',
  document: 'MALFORMED_VALUE_ERROR',
  signature: 'CRYPTOGRAPHIC_SECURITY_ERROR',
  status: 'STATUS_VERIFICATION_ERROR',
  nonce: 'INVALID_CHALLENGE_ERROR',
  audience: 'INVALID_DOMAIN_ERROR',
}

/** @param isOver - the checked item has expired */
export function kindOfCheck(check: string, isOver: boolean): ProblemKind {
  if (check === 'validity') return isOver ? 'CREDENTIAL_EXPIRED' : 'REFUSED'
  return KIND_OF_CHECK[check] ?? 'REFUSED'
}
