import type { CredentialVerifyResult, PresentationVerifyResult } from '@vidimus/core-types'
import { listOf } from './contradictions.js'
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
  const shown = isJsonObject(presented) ? await trueObject(presented, read, report) : undefined
  const signer = await report.attempt('signature', () =>
    verifyJwt(read.parsed, read.iss, 'authentication', verification.documentOf),
  )
  const results =
    signer === undefined ? [] : await verifyContent(read, shown, expectation, verification, report)
  return {
    verified: report.verified,
    holder: read.iss,
    ...(signer !== undefined && { signer }),
    presentation: read.presentation,
    checks: report.checks,
    credentials: results,
    ...report.problems,
  }
}

/** The object that was presented, where it says what its JWT says. */
async function trueObject(
  presented: Record<string, unknown>,
  { presentation, parsed }: ReadPresentation,
  report: VerificationReport,
): Promise<Record<string, unknown> | undefined> {
  return report.attempt('document', () => {
    checkTrueToJwt(presented, presentation, parsed.payload, 'vp')
    return presented
  })
}

/** What is looked at only where the holder did sign: a forged presentation makes nobody look anything up. */
async function verifyContent(
  read: ReadPresentation,
  shown: Record<string, unknown> | undefined,
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
  const credentials = shown ? shownCredentials(shown) : read.credentials
  const verdicts = await Promise.all(
    credentials.map((one, index) =>
      verifyCredential(one, `${PATH}.verifiableCredential[${index}]`, verification),
    ),
  )
  noteCredentials(verdicts, read.iss, report)
  return verdicts.map(({ result }) => result)
}

function noteCredentials(
  verdicts: readonly CredentialVerdict[],
  holder: string,
  report: VerificationReport,
): void {
  const failing = verdicts.filter(({ result }) => !result.verified)
  const reason = `${failing.length} of its ${verdicts.length} credentials do not verify`
  report.noted('credentials', failing.length > 0 ? reason : undefined)
  report.includes(failing.flatMap(({ result: { problems = [] } }) => problems))
  report.noted('holder', foreignSubject(verdicts, holder))
}

/**
 * The credentials as the object shows them, so that their members are compared with their JWTs too; which are those
 * of the presentation's JWT, as the object is true to it.
 */
const shownCredentials = ({ vp, verifiableCredential }: Record<string, unknown>): unknown[] =>
  listOf(verifiableCredential ?? (isJsonObject(vp) ? vp.verifiableCredential : undefined))

function foreignSubject(verdicts: readonly CredentialVerdict[], holder: string): string | undefined {
  const index = verdicts.findIndex(
    ({ read }) => read && read.subjects.length > 0 && !read.subjects.includes(holder),
  )
  return index < 0 ? undefined : `verifiableCredential[${index}] is about somebody else than the holder`
}
