import type { VerifiableCredential } from '@veramo/core-types'
import { problemsError, type CredentialIssueArgs, type Problem } from '@vidimus/core-types'
import { VC_CONTEXT } from './jwt-claims.js'
import { newCredentialStatus } from './new-credential-status.js'
import { readCredential } from './read-credential.js'
import { atPath } from './refusal-path.js'
import { signerOf, type SigningContext } from './sign-jwt.js'

/**
 * Issues a credential as a JWT (`vc`, `iss`, `sub`, `nbf`, `exp`), signed with an assertion key of the issuer. Indices
 * of status lists that it asks for are taken when nothing else speaks against it any more.
 *
 * @returns what the JWT says, in the shape of the data model; nothing of it is shared with the arguments
 * @throws AgentError `did_not_found`, `key_not_found`, `did_not_resolvable`, `did_deactivated` (at `issuerDid`),
 * `invalid_input`, and as {@link newCredentialStatus}
 * @see Verifiable Credentials Data Model 1.1 section 6.3.1.1, "JWT Encoding"
 */
export async function issueCredential(
  args: CredentialIssueArgs,
  now: Date,
  context: SigningContext,
): Promise<VerifiableCredential> {
  const { issuerDid, subjectDid, attributes, expirationDate } = args
  const problems = [...subjectProblems(args), ...expirationProblems(args, now)]
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  const subject = (attributes.id as string | undefined) ?? subjectDid
  const sign = await atPath('issuerDid', () => signerOf(issuerDid, 'assertionMethod', context))
  const { contexts, status, credentialStatus } = await newCredentialStatus(args, context)
  const payload = {
    vc: {
      '@context': [...new Set([VC_CONTEXT, ...contexts, ...(args['@context'] ?? [])])],
      type: [...new Set(['VerifiableCredential', ...(args.type ?? [])])],
      credentialSubject: { ...attributes, ...(subject !== undefined && { id: subject }) },
      credentialStatus,
      termsOfUse: args.termsOfUse,
      refreshService: args.refreshService,
      evidence: args.evidence,
    },
    ...(status && { status }),
    ...(subject !== undefined && { sub: subject }),
    nbf: Math.floor(now.getTime() / 1000),
    ...(expirationDate !== undefined && { exp: secondsOf(expirationDate) }),
    iss: issuerDid,
  }
  return readCredential(await sign(payload)).credential
}

function subjectProblems({ subjectDid, attributes }: CredentialIssueArgs): Problem[] {
  const { id } = attributes
  if (id === undefined) return []
  if (typeof id === 'string' && (subjectDid === undefined || subjectDid === id)) return []
  const message = 'has to be the DID of the subject, and the same as subjectDid where that is given'
  return [{ path: 'attributes.id', message }]
}

/** A credential that nobody could use: most likely another date was meant. */
function expirationProblems({ expirationDate }: CredentialIssueArgs, now: Date): Problem[] {
  if (expirationDate === undefined || secondsOf(expirationDate) * 1000 > now.getTime()) return []
  return [{ path: 'expirationDate', message: 'has to be in the future' }]
}

const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1000)
