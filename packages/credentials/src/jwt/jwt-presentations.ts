import { isJsonObject, type PresentationFormat, type PresentationRequest } from '@vidimus/core-types'
import { asList } from './contradictions.js'
import { JOSE_PRESENTATION, joseJwt } from '../jose/jose-form.js'
import { wholeSeconds } from '../validity.js'
import { VC_CONTEXT } from './jwt-claims.js'
import { checkTrueToJwt, mayHoldJwt, presentedJwt } from './presented-form.js'
import { readPresentation, type ReadJwtPresentation } from './read-presentation.js'
import { signJwt } from './sign-jwt.js'
import { verifyJwt } from './verify-jwt.js'

/** Presentations of the data model 1.1 as JWT: `vp`, `iss`, `aud`, `nonce`, `nbf`, `exp`, and `kid` in the header. */
export const JwtPresentations: PresentationFormat<ReadJwtPresentation> = {
  id: 'jwt_vp',
  mediaTypes: ['application/jwt'],
  recognises: (shown) => mayHoldJwt(shown) && joseJwt(JOSE_PRESENTATION, shown) === undefined,
  read: (shown) => readPresentation(presentedJwt(shown)),
  checkShown(shown, { presentation, parsed }) {
    checkTrueToJwt(shown, presentation, parsed.payload, 'vp')
    return credentialsIn(shown)
  },
  verify: ({ parsed, holder }, { documentOf }) => verifyJwt(parsed, holder, 'authentication', documentOf),
  async present(request, context) {
    const { holderDid: did, audience } = request
    const claims = presentationClaims(request)
    // an empty aud is omitted: a verifier that finds the claim expects to be named in it
    const payload = audience.length > 0 ? { ...claims, aud: [...audience] } : claims
    const jwt = await signJwt({ did, payload, relationship: 'authentication' }, context)
    return { ...claims, aud: [...audience], proof: { type: 'JwtProof2020', jwt } }
  },
}

const presentationClaims = ({ holderDid, credentials, nonce, now, ends }: PresentationRequest) => ({
  vp: {
    '@context': [VC_CONTEXT],
    type: ['VerifiablePresentation'],
    verifiableCredential: credentials.map(({ secured }) => secured) as string[],
  },
  nbf: wholeSeconds(now),
  exp: wholeSeconds(ends),
  iss: holderDid,
  ...(nonce !== undefined && { nonce }),
})

/**
 * The credentials as written in the object, so that their members are also compared with their JWTs. The object is
 * already known to match the presentation's JWT.
 */
const credentialsIn = ({ vp, verifiableCredential }: Record<string, unknown>): unknown[] =>
  asList(verifiableCredential ?? (isJsonObject(vp) ? vp.verifiableCredential : undefined))
