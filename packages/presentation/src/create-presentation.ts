import {
  type AgentError,
  type ErrorCode,
  findDidRow,
  isAgentError,
  isDid,
  isJsonObject,
  parseUsual,
  type PresentationCreateArgs,
  type PresentationCreateResult,
  type PresentationFormat,
  type PresentationRequest,
  type Problem,
  problemsError,
  type ReadCredential,
  schemaProblems,
  schemaSentence,
  type SigningContext,
  timeAfter,
} from '@vidimus/core-types'
import type { presentationMethods } from '@vidimus/core-types/schemas'
import {
  atPath,
  foreignArguments,
  formatOf,
  refusalReasons,
  wholeSeconds,
  type Verification,
} from '@vidimus/credentials'

interface CodedProblem extends Problem {
  code: ErrorCode
}

interface Creation {
  context: SigningContext
  /** one of which it is made in */
  formats: readonly [PresentationFormat, ...PresentationFormat[]]
  verification: Verification
  schema: ReturnType<typeof presentationMethods>['presentationCreate']['arguments']
  maxCredentials: number
}

/** The fields in the order in which their problems are reported. */
const FIELDS = [
  'credentials',
  'format',
  'holderDid',
  'verifierDid',
  'audience',
  'nonce',
  'presentationFrame',
  'expiresIn',
]

const DEFAULT_EXPIRY = 'PT1H'

/**
 * Creates a presentation of credentials, signed by the holder's authentication key. Invalid credentials (the
 * signature does not match, the issuer does not resolve) are refused; the verifier decides about expired and revoked
 * ones.
 *
 * @throws AgentError with every problem, its code that of the first: `invalid_input`, `invalid_credential` (at
 *   `credentials[n]`), `did_not_found`, `key_not_found`, `did_not_resolvable` and `did_deactivated` (at `holderDid`)
 */
export async function createPresentation(
  given: PresentationCreateArgs,
  creation: Creation,
): Promise<PresentationCreateResult> {
  const { args, problems } = checkedArguments(given, creation)
  const credentials = await readAll(args, creation, problems)
  if (problems.length > 0) {
    await checkHeld(args, creation.context, problems)
    throw codedError(problems)
  }
  const { now } = creation.verification
  const named = [args.verifierDid, args.audience].filter((one) => one !== undefined)
  const request = {
    holderDid: args.holderDid ?? commonSubject(credentials),
    credentials,
    audience: [...new Set(named)],
    nonce: args.nonce,
    presentationFrame: args.presentationFrame,
    now,
    ends: presentationExpiry(args, now) ?? now,
  }
  return presentAsHolder(request, args, creation)
}

const presentationExpiry = (
  { expiresIn = DEFAULT_EXPIRY }: PresentationCreateArgs,
  now: Date,
): Date | undefined => timeAfter(now, expiresIn)

/** Checks that the schema cannot express. */
function expectationProblems(args: PresentationCreateArgs, now: Date): Problem[] {
  const problems: Problem[] = []
  const { verifierDid, audience } = args
  if (verifierDid !== undefined && audience !== undefined && verifierDid !== audience) {
    problems.push({ path: 'audience', message: 'must equal verifierDid if both are given' })
  }
  const end = presentationExpiry(args, now)
  if (!end) problems.push({ path: 'expiresIn', message: 'ends after the year 9999' })
  else if (wholeSeconds(end) <= wholeSeconds(now)) {
    problems.push({ path: 'expiresIn', message: 'must be longer than PT0S' })
  }
  return problems
}

async function presentAsHolder(
  request: PresentationRequest,
  { holderDid, format: id }: PresentationCreateArgs,
  { context, formats }: Creation,
): Promise<PresentationCreateResult> {
  const format = formats.find((one) => one.id === id) ?? formats[0]
  const lost = foreignArguments(request, ['presentationFrame'], format)
  if (lost.length > 0) throw problemsError('invalid_input', lost)
  try {
    return await atPath('holderDid', () => format.present(request, context))
  } catch (error) {
    if (holderDid !== undefined || !isAgentError(error) || error.code !== 'did_not_found') throw error
    throw holderNeeded(
      `the account does not hold "${request.holderDid}", which is the subject of the credentials`,
    )
  }
}

function checkedArguments(
  given: PresentationCreateArgs,
  creation: Creation,
): { args: PresentationCreateArgs; problems: CodedProblem[] } {
  const result = parseUsual(creation.schema, given, schemaSentence)
  const args = result.success ? result.data : given
  const problems = result.success
    ? expectationProblems(args, creation.verification.now)
    : schemaProblems(result.error.issues)
  // a text in place of the list fails twice, once for its length
  const firsts = problems.filter(
    ({ path }, index) => problems.findIndex((one) => one.path === path) === index,
  )
  return { args, problems: firsts.map((problem) => ({ ...problem, code: 'invalid_input' })) }
}

/** Reads and verifies every credential that has the form of one; `problems` already lists the others. */
async function readAll(
  args: PresentationCreateArgs,
  { verification, maxCredentials }: Creation,
  problems: CodedProblem[],
): Promise<ReadCredential[]> {
  const credentials: unknown = isJsonObject(args) ? args.credentials : undefined
  if (!Array.isArray(credentials) || credentials.length > maxCredentials) return []
  const results = await Promise.all(
    credentials.map(async (credential: unknown, index) => {
      if (typeof credential !== 'string' && !isJsonObject(credential)) return undefined
      try {
        return await readIssued(credential, verification)
      } catch (error) {
        const path = `credentials[${index}]`
        const reasons = refusalReasons(error)
        problems.push(...reasons.map((message) => ({ path, message, code: 'invalid_credential' as const })))
        return undefined
      }
    }),
  )
  return results.filter((read) => read !== undefined)
}

async function readIssued(presented: unknown, verification: Verification): Promise<ReadCredential> {
  const format = formatOf(verification.formats, presented)
  const read = format.read(presented)
  await format.verify(read, verification)
  return read
}

/** So that a caller that must repeat the call also learns of a wrong holder at once. */
async function checkHeld(
  { holderDid }: PresentationCreateArgs,
  context: SigningContext,
  problems: CodedProblem[],
): Promise<void> {
  if (!isDid(holderDid) || (await findDidRow(context, holderDid))) return
  const message = `"${holderDid}" is unknown, or the account does not hold it`
  problems.push({ path: 'holderDid', message, code: 'did_not_found' })
}

function commonSubject(credentials: readonly ReadCredential[]): string {
  const subjects = new Set(
    credentials.flatMap((read) => (read.subjects.length > 0 ? read.subjects : [undefined])),
  )
  const [subject] = subjects
  if (subjects.size === 1 && isDid(subject)) return subject
  throw holderNeeded('the credentials do not all name the same DID as their subject')
}

const holderNeeded = (reason: string): AgentError =>
  problemsError('invalid_input', [{ path: 'holderDid', message: `is required, as ${reason}` }])

function codedError(problems: readonly CodedProblem[]): AgentError {
  const place = ({ path }: Problem): number => {
    const field = FIELDS.findIndex((name) => path.startsWith(name))
    return field < 0 ? FIELDS.length : field
  }
  const index = ({ path }: Problem): number => Number(/\[(\d+)\]/.exec(path)?.[1] ?? -1)
  const ordered = problems.toSorted((a, b) => place(a) - place(b) || index(a) - index(b))
  const code = ordered[0]?.code ?? 'invalid_input'
  return problemsError(
    code,
    ordered.map(({ path, message }) => ({ path, message })),
  )
}
