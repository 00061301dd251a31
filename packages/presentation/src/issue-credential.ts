import type { VerifiableCredential } from '@veramo/core-types'
import { problemsError, type CredentialIssueArgs } from '@vidimus/core-types'
import { VC_CONTEXT } from './jwt-claims.js'
import { readCredential } from './read-credential.js'
import { atPath } from './refusal-path.js'
import { signJwt, type SigningContext } from './sign-jwt.js'

/**
 * Issues a credential as a JWT (`vc`, `iss`, `sub`, `nbf`, `exp`), signed with an assertion key of the issuer.
 *
 * @returns what the JWT says, in the shape of the data model; nothing of it is shared with the arguments
 * @throws AgentError `did_not_found`, `key_not_found`, `did_not_resolvable`, `did_deactivated` (at `issuerDid`),
 * `invalid_input`
 * @see Verifiable Credentials Data Model 1.1 section 6.3.1.1, "JWT Encoding"
 */
export async function issueCredential(
  args: CredentialIssueArgs,
  now: Date,
  context: SigningContext,
): Promise<VerifiableCredential> {
  const { issuerDid, expirationDate } = args
  const subject = subjectOf(args)
  const payload = {
    vc: {
      '@context': [...new Set([VC_CONTEXT, ...(args['@context'] ?? [])])],
      type: [...new Set(['VerifiableCredential', ...(args.type ?? [])])],
      credentialSubject: { ...args.attributes, ...(subject !== undefined && { id: subject }) },
      credentialStatus: args.credentialStatus,
      termsOfUse: args.termsOfUse,
      refreshService: args.refreshService,
      evidence: args.evidence,
    },
    ...(subject !== undefined && { sub: subject }),
    nbf: Math.floor(now.getTime() / 1000),
    ...(expirationDate !== undefined && { exp: Math.floor(Date.parse(expirationDate) / 1000) }),
    iss: issuerDid,
  }
  const jwt = await atPath('issuerDid', () => signJwt({ did: issuerDid, payload }, context))
  return readCredential(jwt).credential
}

function subjectOf({ subjectDid, attributes }: CredentialIssueArgs): string | undefined {
  const { id } = attributes
  if (id === undefined) return subjectDid
  if (typeof id === 'string' && (subjectDid === undefined || subjectDid === id)) return id
  const message = 'has to be the DID of the subject, and the same as subjectDid where that is given'
  throw problemsError('invalid_input', [{ path: 'attributes.id', message }])
}
