import {
  isJsonObject,
  type CredentialVerifyResult,
  type PresentationVerifyResult,
  type VerificationCheck,
} from '@vidimus/core-types'
import { asArray } from '../input/as-array.js'
import type { ProblemDetails, VcApiCredentialResult, VcApiPresentationResult } from '../schemas/vc-api.js'
import { isOfKind, kindOfCheck, problemDetails } from './problem-kinds.js'

/** Options of a request to verify a credential. */
export interface CredentialOptions {
  returnResults?: boolean | undefined
  returnProblemDetails?: boolean | undefined
  returnCredential?: boolean | undefined
}

/**
 * A verdict in the format of VCALM.
 *
 * @param sent - the credential of the request
 * @see VCALM v1.0 section 3.4.1
 */
export function credentialResult(
  verdict: CredentialVerifyResult,
  sent: Record<string, unknown>,
  { returnResults = false, returnProblemDetails = true, returnCredential = false }: CredentialOptions,
): VcApiCredentialResult {
  const problems = toProblemDetails(verdict.checks, isOver(verdict.validUntil))
  const result: VcApiCredentialResult = {
    verified: verdict.verified,
    ...(returnCredential && { credential: sent }),
    ...(problems.length > 0 && { problemDetails: problems }),
    ...(returnResults && { results: credentialResults(verdict) }),
  }
  // Refusals always say why.
  if (returnProblemDetails || isMalformedCredential(result)) return result
  const { problemDetails: _, ...others } = result
  return others
}

/**
 * @param sent - the presentation of the request
 * @see VCALM v1.0 section 3.4.2
 */
export function presentationResult(
  verdict: PresentationVerifyResult,
  sent: Record<string, unknown>,
  options: {
    challenge?: string | undefined
    domain?: string | undefined
    returnPresentation?: boolean | undefined
  },
): VcApiPresentationResult {
  const { challenge, domain, returnPresentation = false } = options
  const { verified, checks, credentials, holder } = verdict
  const passed = (name: string) => checks.some(({ check, ok }) => check === name && ok)
  const problems = toProblemDetails(checks, false)
  const outcome = (check: string, input: unknown) => ({ verified: passed(check), input })
  const inside = asArray(verdict.presentation?.verifiableCredential)
  return {
    verified,
    ...(returnPresentation && { verifiablePresentation: sent }),
    ...(problems.length > 0 && { problemDetails: problems }),
    results: {
      presentation: {
        ...(challenge !== undefined && { challenge: outcome('nonce', challenge) }),
        ...(domain !== undefined && { domain: outcome('audience', domain) }),
        // The proof is verified with the keys of the holder only.
        ...(holder !== undefined && { holder: outcome('signature', holder) }),
        ...proofResults(sent.proof, passed('signature')),
      },
      credentials: credentials.map((one, n) => {
        const shown = inside[n]
        return credentialResult(one, isJsonObject(shown) ? shown : {}, { returnResults: true })
      }),
    },
  }
}

/** The input is not a credential, or differs from what its issuer signed. */
export const isMalformedCredential = ({ problemDetails: problems = [] }: VcApiCredentialResult): boolean =>
  problems.some((problem) => isOfKind(problem, 'MALFORMED_VALUE_ERROR', 'CRYPTOGRAPHIC_SECURITY_ERROR'))

/** The input is not a presentation, or something in it is not a credential; an invalid proof is a result. */
export const isMalformedPresentation = ({
  problemDetails: problems = [],
  results,
}: VcApiPresentationResult) =>
  [problems, ...results.credentials.map((one) => one.problemDetails ?? [])]
    .flat()
    .some((problem) => isOfKind(problem, 'MALFORMED_VALUE_ERROR'))

const toProblemDetails = (checks: readonly VerificationCheck[], over: boolean): ProblemDetails[] =>
  checks
    .filter(({ ok }) => !ok)
    .map(({ check, message = check }) => problemDetails(kindOfCheck(check, over), message))

function credentialResults({ checks, credential, statuses = [] }: CredentialVerifyResult) {
  const passed = (name: string) => checks.some(({ check, ok }) => check === name && ok)
  const { validFrom, validUntil, credentialStatus, proof } = (credential ?? {}) as Record<string, unknown>
  const entries = asArray(credentialStatus)
  const valid = passed('validity')
  const ended = isOver(validUntil)
  return {
    ...(validFrom !== undefined && { validFrom: { verified: valid || ended, input: validFrom } }),
    ...(validUntil !== undefined && { validUntil: { verified: valid || !ended, input: validUntil } }),
    ...(statuses.length > 0 && {
      credentialStatus: statuses.map(({ status, valid: isGood = false }, n) => ({
        verified: isGood,
        // Token status lists have their entry elsewhere.
        input: statuses.length === entries.length ? entries[n] : null,
        ...(status !== undefined && { value: status }),
      })),
    }),
    ...proofResults(proof, passed('signature')),
  }
}

const proofResults = (proof: unknown, verified: boolean) =>
  isJsonObject(proof) || Array.isArray(proof)
    ? { proof: asArray(proof).map((input) => ({ verified, input })) }
    : {}

const isOver = (end: unknown): boolean => typeof end === 'string' && Date.parse(end) <= Date.now()
