import type { DocumentSource } from '@vidimus/verification-methods'
import type { IAgentContext, IResolver } from '@veramo/core-types'
import { type CredentialVerifyResult, isJsonObject } from '@vidimus/core-types'
import { namesStatus, statusVerdict, type StatusVerdict } from './credential-status.js'
import { checkTrueToJwt, presentedJwt } from './presented-form.js'
import { readCredential, type ReadCredential } from './read-credential.js'
import type { StatusFees } from './status-fees.js'
import { invalidity } from './validity.js'
import { VerificationReport } from './verification-report.js'
import { verifyJwt } from './verify-jwt.js'

/** What verifying rests on, the same for everything within one call. */
export interface Verification {
  context: IAgentContext<IResolver>
  documentOf: DocumentSource
  now: Date
  /** what may be paid for encrypted status lists */
  fees: StatusFees
}

/** A verdict, with what was read; the latter only where it could be. */
export interface CredentialVerdict {
  result: CredentialVerifyResult
  read?: ReadCredential
}

/**
 * Verifies one credential: `format` (it is a VC JWT), `document` (an object says what its JWT says), `signature` of
 * the issuer's assertion method, `validity` in time, and `status` where the credential names one. The last two are
 * looked at only where the signature fits, so that a forged credential makes nobody look anything up.
 *
 * @param path - of the credential in the caller's input
 */
export async function verifyCredential(
  presented: unknown,
  path: string,
  { context, documentOf, now, fees }: Verification,
): Promise<CredentialVerdict> {
  const report = new VerificationReport(path)
  const read = await report.attempt('format', () => readCredential(presentedJwt(presented)))
  if (!read) return { result: { verified: false, checks: report.checks, ...report.problems } }
  if (isJsonObject(presented)) {
    const { credential, parsed } = read
    await report.attempt('document', () => checkTrueToJwt(presented, credential, parsed.payload, 'vc'))
  }
  const signer = await report.attempt('signature', () =>
    verifyJwt(read.parsed, read.iss, 'assertionMethod', documentOf),
  )
  let status: StatusVerdict = {}
  if (signer !== undefined) {
    report.noted('validity', invalidity(read.validity, now))
    if (namesStatus(read.credential)) {
      status = await statusVerdict(read.credential, context, fees)
      report.noted('status', status.objection)
    }
  }
  const [subject, ...others] = read.subjects
  const result: CredentialVerifyResult = {
    verified: report.verified,
    issuer: read.iss,
    ...(subject !== undefined && others.length === 0 && { subject }),
    ...(signer !== undefined && { signer }),
    credential: read.credential,
    checks: report.checks,
    ...(status.statuses && { statuses: status.statuses }),
    ...report.problems,
  }
  return { result, read }
}
