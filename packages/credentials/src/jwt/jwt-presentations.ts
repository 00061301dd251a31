import { isDeepStrictEqual } from 'node:util'
import {
  isJsonObject,
  type PresentationFormat,
  type PresentationRequest,
  problemsError,
  type Problem,
  type ReadPresentation,
} from '@vidimus/core-types'
import type { VerifiablePresentation } from '@veramo/core-types'
import { JOSE_PRESENTATION, joseJwt, typProblems } from '../jose/jose-form.js'
import { wholeSeconds } from '../validity.js'
import { asList } from './contradictions.js'
import { VC_CONTEXT, membersOfClaims, readSignedDocument, type SignedDocument } from './jwt-claims.js'
import { checkTrueToJwt, mayHoldJwt, presentedJwt } from './presented-form.js'
import { signJwt } from './sign-jwt.js'
import { verifyJwt } from './verify-jwt.js'
import { parseJwt } from './jwt-form.js'

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

/** A presentation as stated by its JWT, not yet verified. */
interface ReadJwtPresentation extends SignedDocument, ReadPresentation {}

/**
 * Reads a presentation from a JWT and checks that it is one.
 *
 * @throws AgentError `invalid_credential` if it is not a JWT, `invalid_presentation` with every problem
 * @see Verifiable Credentials Data Model 1.1 section 6.3.1
 */
function readPresentation(jwt: unknown): ReadJwtPresentation {
  const parsed = parseJwt(jwt)
  const problems = typProblems('jwt_vp', parsed.header.typ)
  const document = readSignedDocument(parsed, 'vp', 'VerifiablePresentation', problems)
  const read = document && readMembers(String(jwt), document, problems)
  if (!read || problems.length > 0) throw problemsError('invalid_presentation', problems)
  return read
}

function readMembers(jwt: string, document: SignedDocument, problems: Problem[]): ReadJwtPresentation {
  const { iss, members, parsed } = document
  if (members.holder !== undefined && members.holder !== iss) {
    problems.push({ path: '', message: 'the iss of the JWT does not match the holder of the presentation' })
  }
  const audience = asList(parsed.payload.aud)
  if (!audience.every((entry) => typeof entry === 'string')) {
    problems.push({ path: '', message: 'the aud of the JWT must be a string or a list of strings' })
  }
  if (members.verifier !== undefined && !isDeepStrictEqual(asList(members.verifier), audience)) {
    problems.push({ path: '', message: 'the aud of the JWT does not match the verifier of the presentation' })
  }
  const credentials = asList(members.verifiableCredential)
  const { '@context': context, type, ...claims } = membersOfClaims(document)
  const presentation = {
    '@context': asList(context),
    type: asList(type),
    ...claims,
    holder: iss,
    ...(audience.length > 0 && { verifier: audience }),
    verifiableCredential: credentials,
    proof: { type: 'JwtProof2020', jwt },
  } as VerifiablePresentation
  const { nonce } = parsed.payload
  return { ...document, holder: iss, audience: audience.map(String), nonce, credentials, presentation }
}
