import type { CredentialVerifyResult, PresentationVerifyResult } from '@vidimus/core-types'
import { listOf } from './jwt-claims.js'
import { isJsonObject } from './jwt-form.js'
import { checkTrueToJwt, presentedJwt } from './presented-form.js'
import { readPresentation, type ReadPresentation } from './read-presentation.js'
import { invalidity } from './validity.js'
import { VerificationReport } from './verification-report.js'
import { verifyCredential, type CredentialVerdict, type Verification } from './verify-credential.js'
import { verifyJwt } from './verify-jwt.js'

export interface PresentationExpectation {
  /** has to be in `aud` */
  verifierDid?: string
  /** more credentials than these are refused unread */
  maxCredentials: number
}

const PATH = 'presentation'

/**
 * Verifies a presentation with everything in it: `format`, `document` and `signature` (of the holder's
 * authentication method) and `validity` as for a credential; `audience` where a verifier is given; `credentials`,
 * which all have to verify, and of which there has to be one; `holder`: every credential about somebody is about the
 * holder. A credential without a subject's id belongs to its bearer.
 */
export async function verifyPresentation(
  presented: unknown,
  expectation: PresentationExpectation,
  verification: Verification,
): Promise<PresentationVerifyResult> {
  const report = new VerificationReport(PATH)
  const read = await report.attempt('format', () => readPresentation(presentedJwt(presented)))
  if (!read) return { verified: false, checks: report.checks, credentials: [], ...report.problems }
  if (isJsonObject(presented)) {
    const { presentation, parsed } = read
    await report.attempt('document', () => checkTrueToJwt(presented, presentation, parsed.payload, 'vp'))
  }
  const signer = await report.attempt('signature', () =>
    verifyJwt(read.parsed, read.iss, 'authentication', verification.documentOf),
  )
  const verdicts = signer === undefined ? [] : await look(presented, read, expectation, verification, report)
  return {
    verified: report.verified,
    holder: read.iss,
    ...(signer !== undefined && { signer }),
    presentation: read.presentation,
    checks: report.checks,
    credentials: verdicts,
    ...report.problems,
  }
}

/** What is looked at only where the holder did sign: a forged presentation makes nobody look anything up. */
async function look(
  presented: unknown,
  read: ReadPresentation,
  { verifierDid, maxCredentials }: PresentationExpectation,
  verification: Verification,
  report: VerificationReport,
): Promise<CredentialVerifyResult[]> {
  report.noted('validity', invalidity(read.validity, verification.now))
  if (verifierDid !== undefined) {
    const addressed = read.audience.includes(verifierDid)
    report.noted('audience', addressed ? undefined : `its aud does not name "${verifierDid}"`, 'verifierDid')
  }
  const count = read.credentials.length
  if (count === 0 || count > maxCredentials) {
    report.failed('credentials', [`it holds ${count} credentials, but has to hold 1 to ${maxCredentials}`])
    return []
  }
  const forms = presentedCredentials(presented, read)
  const verdicts = await Promise.all(
    forms.map((form, index) =>
      verifyCredential(form, `${PATH}.verifiableCredential[${index}]`, verification),
    ),
  )
  const results = verdicts.map(({ result }) => result)
  const failing = results.filter(({ verified }) => !verified).length
  report.noted(
    'credentials',
    failing > 0 ? `${failing} of its ${count} credentials do not verify` : undefined,
  )
  report.includes(results.flatMap(({ problems = [] }) => problems))
  report.noted('holder', foreignSubject(verdicts, read.iss))
  return results
}

/**
 * The credentials as the caller showed them, where an object shows them in the same number, so that their members are
 * compared with their JWTs too; what is compared is already known to carry the same JWTs.
 */
function presentedCredentials(presented: unknown, { credentials }: ReadPresentation): unknown[] {
  if (!isJsonObject(presented)) return credentials
  const { vp, verifiableCredential } = presented
  const shown = listOf(verifiableCredential ?? (isJsonObject(vp) ? vp.verifiableCredential : undefined))
  return shown.length === credentials.length ? shown : credentials
}

function foreignSubject(verdicts: readonly CredentialVerdict[], holder: string): string | undefined {
  const index = verdicts.findIndex(
    ({ read }) => read && read.subjects.length > 0 && !read.subjects.includes(holder),
  )
  return index < 0 ? undefined : `verifiableCredential[${index}] is about somebody else than the holder`
}
