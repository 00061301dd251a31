import type { PresentationFormat } from '@vidimus/core-types'
import { checkTrueToJwt } from '../jwt/presented-form.js'
import { signJwt } from '../jwt/sign-jwt.js'
import { verifyJwt } from '../jwt/verify-jwt.js'
import { asList } from '../jwt/contradictions.js'
import { newPresentation2 } from '../new-presentation.js'
import { wholeSeconds } from '../validity.js'
import { JOSE_PRESENTATION, joseJwt, jwtInEnvelope } from './jose-form.js'
import { readJosePresentation, type ReadJosePresentation } from './read-jose.js'

/**
 * Presentations of the data model 2.0 as JWT: the payload is the presentation itself, with its credentials as objects.
 *
 * @see W3C Securing Verifiable Credentials using JOSE and COSE section 3.1.2
 */
export const JosePresentations: PresentationFormat<ReadJosePresentation> = {
  id: 'vp+jwt',
  mediaTypes: ['application/vp+jwt'],
  recognises: (shown) => joseJwt(JOSE_PRESENTATION, shown) !== undefined,
  read: readJosePresentation,
  checkShown(shown, { presentation, parsed, credentials }) {
    if (jwtInEnvelope(JOSE_PRESENTATION, shown) !== undefined) return credentials
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
