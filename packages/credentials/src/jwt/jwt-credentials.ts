import {
  type CredentialFormat,
  type CredentialIssueArgs,
  type NewCredentialStatus,
} from '@vidimus/core-types'
import { JOSE_CREDENTIAL, joseJwt } from '../jose/jose-form.js'
import { contextsOf1, newSubjectId, sharedMembers } from '../new-credential.js'
import { wholeSeconds } from '../validity.js'
import { JwtPresentations } from './jwt-presentations.js'
import { checkTrueToJwt, mayHoldJwt, presentedJwt } from './presented-form.js'
import { readCredential, type ReadJwtCredential } from './read-credential.js'
import { findSigner } from './sign-jwt.js'
import { verifyJwt } from './verify-jwt.js'

/**
 * Credentials of the data model 1.1 as JWT: `vc`, `iss`, `sub`, `nbf`, `exp`, and `kid` in the header.
 *
 * @see Verifiable Credentials Data Model 1.1 section 6.3.1
 */
export const JwtCredentials: CredentialFormat<ReadJwtCredential> = {
  id: 'jwt_vc',
  mediaTypes: ['application/jwt'],
  recognises: (shown) => mayHoldJwt(shown) && joseJwt(JOSE_CREDENTIAL, shown) === undefined,
  read: (shown) => readCredential(presentedJwt(shown)),
  checkShown: (shown, { credential, parsed }) => checkTrueToJwt(shown, credential, parsed.payload, 'vc'),
  verify: ({ parsed, issuer }, { documentOf }) => verifyJwt(parsed, issuer, 'assertionMethod', documentOf),
  async prepareIssue(args, now, context) {
    const sign = await findSigner(args.issuerDid, 'assertionMethod', context)
    return async (status) => readCredential(await sign(credentialClaims(args, status, now))).credential
  },
  presentations: JwtPresentations,
}

/** @see Verifiable Credentials Data Model 1.1 section 6.3.1.1, "JWT Encoding" */
function credentialClaims(
  args: CredentialIssueArgs,
  status: NewCredentialStatus,
  now: Date,
): Record<string, unknown> {
  const { issuerDid, validFrom = now, validUntil, credentialId } = args
  const subject = newSubjectId(args)
  return {
    vc: { '@context': contextsOf1(args, status), ...sharedMembers(args, status) },
    ...(status.status && { status: status.status }),
    ...(subject !== undefined && { sub: subject }),
    nbf: wholeSeconds(validFrom),
    ...(validUntil !== undefined && { exp: wholeSeconds(validUntil) }),
    iss: issuerDid,
    ...(credentialId !== undefined && { jti: credentialId }),
  }
}
