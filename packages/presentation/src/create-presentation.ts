import {
  AgentError,
  isAgentError,
  problemsError,
  type ErrorCode,
  type PresentationCreateArgs,
  type PresentationCreateResult,
  type Problem,
} from '@vidimus/core-types'
import { heldIdentifier, isDid } from './did-documents.js'
import { VC_CONTEXT } from './jwt-claims.js'
import { checkArguments } from './plugin-schema.js'
import { presentedJwt } from './presented-form.js'
import { readCredential, type ReadCredential } from './read-credential.js'
import { PresentationCreateSchema } from './schemas.js'
import { signJwt, type SigningContext } from './sign-jwt.js'
import { refusalReasons } from './verification-report.js'
import type { Verification } from './verify-credential.js'
import { verifyJwt } from './verify-jwt.js'

interface CodedProblem extends Problem {
  code: ErrorCode
}

/**
 * Makes a presentation of credentials, signed by the holder. Credentials that nobody issued (the signature does not
 * fit, the issuer does not resolve) are refused; whether one has expired or is revoked, the verifier decides.
 *
 * @throws AgentError with every problem, its code that of the first: `invalid_input`, `invalid_credential` (at
 * `credentials[n]`), `did_not_found`, `key_not_found`, `did_not_resolvable` and `did_deactivated` (at `holderDid`)
 */
export async function createPresentation(
  args: PresentationCreateArgs,
  maxCredentials: number,
  { context, documentOf, now }: Verification & { context: SigningContext },
): Promise<PresentationCreateResult> {
  checkCount(args, maxCredentials)
  const problems = argumentProblems(args)
  const read = await readAll(args.credentials, documentOf, problems)
  const holder = args.holderDid ?? (problems.length === 0 ? commonSubject(read) : undefined)
  if (holder === undefined && problems.length === 0) throw holderNeeded('the credentials do not all name one subject')
  if (problems.length > 0) {
    await checkHeld(args.holderDid, context, problems)
    throw problemsError(firstCode(problems), inBodyOrder(problems))
  }
  return sign({ ...args, holderDid: holder }, read, now, context)
}
