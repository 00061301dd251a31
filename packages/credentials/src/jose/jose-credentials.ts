import type { CredentialFormat, PresentationFormat } from '@vidimus/core-types'
import { checkTrueToJwt } from '../jwt/presented-form.js'
import { findSigner, signJwt } from '../jwt/sign-jwt.js'
import { verifyJwt } from '../jwt/verify-jwt.js'
import { newCredential2 } from '../new-credential.js'
import { wholeSeconds } from '../validity.js'
import { asList } from '../jwt/contradictions.js'
import { newPresentation2 } from '../new-presentation.js'
import { JOSE_CREDENTIAL, isEnvelope, joseJwt, JOSE_PRESENTATION } from './jose-form.js'
import {
  readJoseCredential,
  type ReadJoseCredential,
  readJosePresentation,
  type ReadJosePresentation,
} from './read-jose.js'

/**
 * Presentations of the data model 2.0 as JWT: the payload is the presentation itself, with its credentials as objects.
 *
 * @see W3C Securing Verifiable Credentials using JOSE and COSE section 3.1.2
 */
const JosePresentations: PresentationFormat<ReadJosePresentation> = {
  id: 'vp+jwt',
  mediaTypes: ['application/vp+jwt'],
  recognises: (shown) => joseJwt(JOSE_PRESENTATION, shown) !== undefined,
  read: readJosePresentation,
  checkShown(shown, { presentation, parsed, credentials }) {
    if (isEnvelope(JOSE_PRESENTATION, shown)) return credentials
    checkTrueToJwt(shown, presentation, parsed.payload, 'vp')
    return asList(shown.verifiableCredential)
  },
  verify: ({ parsed, holder }, { documentOf }) => verifyJwt(parsed, holder, 'authentication', documentOf),
  async present(request, context) {
    const { holderDid: did, audience, nonce, now, ends } = request
    const vp = newPresentation2(request, 'vp+jwt')
    const claims = {
      nbf: wholeSeconds(now),
      exp: wholeSeconds(ends),
      iss: did,
      ...(nonce !== undefined && { nonce }),
    }
    const payload = { ...vp, ...claims, ...(audience.length > 0 && { aud: [...audience] }) }
    const { typ, cty } = JOSE_PRESENTATION
    const jwt = await signJwt({ did, payload, header: { typ, cty }, relationship: 'authentication' }, context)
    return { vp, ...claims, aud: [...audience], proof: { type: 'JwtProof2020', jwt } }
  },
}

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
    if (isEnvelope(JOSE_CREDENTIAL, shown)) return
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
