import type { CredentialFormat } from '@vidimus/core-types'
import { checkTrueToJwt } from '../jwt/presented-form.js'
import { findSigner } from '../jwt/sign-jwt.js'
import { verifyJwt } from '../jwt/verify-jwt.js'
import { newCredential2 } from '../new-credential.js'
import { wholeSeconds } from '../validity.js'
import { JOSE_CREDENTIAL, joseJwt, jwtInEnvelope } from './jose-form.js'
import { JosePresentations } from './jose-presentations.js'
import { readJoseCredential, type ReadJoseCredential } from './read-jose.js'

/**
 * Credentials of the data model 2.0 as JWT: the payload is the credential itself.
 *
 * @see W3C Securing Verifiable Credentials using JOSE and COSE section 3.1.1
 */
export const JoseCredentials: CredentialFormat<ReadJoseCredential> = {
  id: 'vc+jwt',
  mediaTypes: ['application/vc+jwt'],
  ownArguments: ['document'],
  recognises: (shown) => joseJwt(JOSE_CREDENTIAL, shown) !== undefined,
  read: readJoseCredential,
  checkShown(shown, { credential, parsed }) {
    // An envelope contains only the JWT.
    if (jwtInEnvelope(JOSE_CREDENTIAL, shown) !== undefined) return
    checkTrueToJwt(shown, credential, parsed.payload, 'vc')
  },
  verify: ({ parsed, issuer }, { documentOf }) => verifyJwt(parsed, issuer, 'assertionMethod', documentOf),
  async prepareIssue(args, now, context) {
    const { issuerDid: iss, validUntil } = args
    const sign = await findSigner(iss, 'assertionMethod', context)
    return async (status) => {
      const payload = {
        ...newCredential2(args, status, now),
        ...(status.status && { status: status.status }),
        iss,
        iat: wholeSeconds(now),
        ...(validUntil !== undefined && { exp: wholeSeconds(validUntil) }),
      }
      const { typ, cty } = JOSE_CREDENTIAL
      return readJoseCredential(await sign(payload, { typ, cty })).credential
    }
  },
  presentations: JosePresentations,
}
