import {
  type CredentialFormat,
  type CredentialVerifyResult,
  isJsonObject,
  type ReadCredential,
  type StatusPolicy,
  type VerifyingContext,
} from '@vidimus/core-types'
import { canonicalIssuer } from '@vidimus/verification-methods'
import { statusUnder, type StatusVerdict } from './status/credential-status.js'
import { formatOf } from './format-of.js'
import type { StatusFees } from './status/status-fees.js'
import { invalidity } from './validity.js'
import { VerificationReport } from './verification-report.js'

/** Verification settings shared by everything within one call. */
export interface Verification extends VerifyingContext {
  formats: readonly CredentialFormat[]
  statusPolicy: StatusPolicy
  /** fee limit for encrypted status lists */
  fees: StatusFees
}

/** A verdict with the content read, if it could be read. */
export interface CredentialVerdict {
  result: CredentialVerifyResult
  read?: ReadCredential
}

/**
 * Verifies one credential: `format` (it is a credential), `document` (an object matches what was signed), `signature`
 * of the issuer's assertion method, `validity` in time, and `status` according to the policy. The last two are checked
 * only if the signature is valid, so that a forged credential triggers no look-ups.
 *
 * @param path - of the credential in the caller's input
 */
export async function verifyCredential(
  presented: unknown,
  path: string,
  verification: Verification,
): Promise<CredentialVerdict> {
  const report = new VerificationReport(path)
  const format = formatOf(verification.formats, presented)
  const read = await report.attempt('format', () => format.read(presented))
  if (!read) return { result: { verified: false, checks: report.checks, ...report.problems } }
  if (isJsonObject(presented) && format.checkShown) {
    await report.attempt('document', () => format.checkShown?.(presented, read))
  }
  const issuer = canonicalIssuer(read.issuer) ?? read.issuer
  const signer = await report.attempt('signature', () => format.verify(read, verification))
  let status: StatusVerdict | undefined
  if (signer !== undefined) {
    report.noted('validity', invalidity(read.validity, verification.now))
    const { statusPolicy, context, fees } = verification
    // Not every form has a member for its issuer, who vouches for lists that name none.
    const credential = { ...read.credential, issuer }
    status = await statusUnder(statusPolicy, credential, context, fees)
    if (status) report.noted('status', status.objection)
  }
  const [subject, ...others] = read.subjects
  const result: CredentialVerifyResult = {
    verified: report.verified,
    issuer,
    ...(subject !== undefined && others.length === 0 && { subject }),
    ...(signer !== undefined && { signer }),
    credential: read.credential,
    ...validUntilMember(read),
    checks: report.checks,
    ...(status?.statuses && { statuses: status.statuses }),
    ...report.problems,
  }
  return { result, read }
}

function validUntilMember({
  validity: { notAfter },
}: ReadCredential): Pick<CredentialVerifyResult, 'validUntil'> {
  return notAfter.length > 0 ? { validUntil: new Date(Math.min(...notAfter)).toISOString() } : {}
}
