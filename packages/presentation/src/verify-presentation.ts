import type { IAgentContext, IDIDManager, IResolver } from '@veramo/core-types'
import {
  type CredentialVerifyResult,
  findDidRow,
  isDid,
  isJsonObject,
  type PresentationFormat,
  type PresentationVerifyResult,
  type ReadPresentation,
} from '@vidimus/core-types'
import {
  formatOf,
  invalidity,
  presentationFormats,
  VerificationReport,
  verifyCredential,
  type CredentialVerdict,
  type Verification,
} from '@vidimus/credentials'

export interface PresentationExpectation {
  /** the required `aud`, each with the argument that names it */
  audiences: readonly (readonly [path: string, audience: string])[]
  nonce: string | undefined
  /** a credential about another subject than the holder makes the presentation fail */
  requireHolderIsSubject: boolean
  /** more credentials than these are refused unread */
  maxCredentials: number
}

const PATH = 'presentation'

/** More are not looked up among the DIDs of the account. */
const MOST_AUDIENCES = 10

/**
 * Verifies a presentation and every credential in it: `format`, `document` and `signature` (of the holder's authentication
 * method) and `validity` as for a credential; `audience` and `nonce` if they are given, or the presentation names an
 * audience; `credentials`, of which there must be at least one, and all must verify; `holder` if requested: every
 * credential about a subject is about the holder. A credential without a subject id belongs to its bearer.
 */
export async function verifyPresentation(
  presented: unknown,
  expectation: PresentationExpectation,
  verification: Verification,
): Promise<PresentationVerifyResult> {
  const report = new VerificationReport(PATH)
  const format = formatOf(presentationFormats(verification.formats), presented)
  const read = await report.attempt('format', () => format.read(presented))
  if (!read) return { verified: false, checks: report.checks, credentials: [], ...report.problems }
  const shown = isJsonObject(presented) ? await shownCredentials(presented, read, format, report) : undefined
  const signer = await report.attempt('signature', () => format.verify(read, verification))
  const results =
    signer === undefined ? [] : await verifyContent(read, shown, expectation, verification, report)
  return {
    verified: report.verified,
    holder: read.holder,
    ...(signer !== undefined && { signer }),
    presentation: read.presentation,
    checks: report.checks,
    credentials: results,
    ...report.problems,
  }
}

/** The credentials as the object shows them, if it says what was signed. */
async function shownCredentials(
  presented: Record<string, unknown>,
  read: ReadPresentation,
  format: PresentationFormat,
  report: VerificationReport,
): Promise<readonly unknown[] | undefined> {
  if (!format.checkShown) return undefined
  return report.attempt('document', () => format.checkShown?.(presented, read))
}

/** Only checked if the holder did sign: a forged presentation must not cause look-ups. */
async function verifyContent(
  read: ReadPresentation,
  shown: readonly unknown[] | undefined,
  expectation: PresentationExpectation,
  verification: Verification,
  report: VerificationReport,
): Promise<CredentialVerifyResult[]> {
  report.noted('validity', invalidity(read.validity, verification.now))
  await noteAudience(read, expectation, verification, report)
  const { nonce, maxCredentials, requireHolderIsSubject } = expectation
  if (nonce !== undefined) {
    const fits = read.nonce === nonce
    report.noted('nonce', fits ? undefined : 'its nonce is not the expected one', 'nonce')
  }
  const count = read.credentials.length
  if (count === 0 || count > maxCredentials) {
    report.failed('credentials', [`it holds ${count} credentials, but must hold 1 to ${maxCredentials}`])
    return []
  }
  const credentials = shown ?? read.credentials
  const verdicts = await Promise.all(
    credentials.map((one, index) =>
      verifyCredential(one, `${PATH}.verifiableCredential[${index}]`, verification),
    ),
  )
  noteCredentials(verdicts, report)
  if (requireHolderIsSubject) report.noted('holder', foreignSubject(verdicts, read.holder))
  return verdicts.map(({ result, read: credential }) => ({
    ...result,
    ...(credential &&
      credential.subjects.length > 0 && { holderIsSubject: credential.subjects.includes(read.holder) }),
  }))
}

/**
 * A presentation made for another verifier must not be accepted: an audience that was not asked for must be the
 * account itself.
 */
async function noteAudience(
  { audience }: ReadPresentation,
  { audiences }: PresentationExpectation,
  { context }: Verification,
  report: VerificationReport,
): Promise<void> {
  for (const [path, asked] of audiences) {
    const addressed = audience.includes(asked)
    report.noted('audience', addressed ? undefined : `it is not for "${asked}"`, path)
  }
  if (audiences.length > 0 || audience.length === 0) return
  const held = await holdsAny(audience, context)
  const named = audience.slice(0, MOST_AUDIENCES).map((one) => `"${one}"`)
  const reason = `it is for ${named.join(', ')}, which is not the expected audience; if that is you, send it as audience`
  report.noted('audience', held ? undefined : reason)
}

async function holdsAny(dids: readonly string[], context: Verification['context']): Promise<boolean> {
  // An agent without a DID manager holds none.
  if (!context.agent.availableMethods().includes('didManagerGet')) return false
  for (const did of dids.slice(0, MOST_AUDIENCES)) {
    if (isDid(did) && (await findDidRow(context as IAgentContext<IResolver & IDIDManager>, did))) return true
  }
  return false
}

function noteCredentials(verdicts: readonly CredentialVerdict[], report: VerificationReport): void {
  const failing = verdicts.filter(({ result }) => !result.verified)
  const reason = `${failing.length} of its ${verdicts.length} credentials do not verify`
  report.noted('credentials', failing.length > 0 ? reason : undefined)
  report.includes(failing.flatMap(({ result: { problems = [] } }) => problems))
}

function foreignSubject(verdicts: readonly CredentialVerdict[], holder: string): string | undefined {
  const index = verdicts.findIndex(
    ({ read }) => read && read.subjects.length > 0 && !read.subjects.includes(holder),
  )
  return index < 0 ? undefined : `verifiableCredential[${index}] is about someone other than the holder`
}
