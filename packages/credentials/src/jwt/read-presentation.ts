import { isDeepStrictEqual } from 'node:util'
import type { VerifiablePresentation } from '@veramo/core-types'
import { problemsError, type Problem, type ReadPresentation } from '@vidimus/core-types'
import { typProblems } from '../jose/jose-form.js'
import { asList } from './contradictions.js'
import { membersOfClaims, readSignedDocument, type SignedDocument } from './jwt-claims.js'
import { parseJwt } from './jwt-form.js'

/** A presentation as stated by its JWT, not yet verified. */
export interface ReadJwtPresentation extends SignedDocument, ReadPresentation {}

/**
 * Reads a presentation from a JWT and checks that it is one.
 *
 * @throws AgentError `invalid_credential` if it is not a JWT, `invalid_presentation` with every problem
 * @see Verifiable Credentials Data Model 1.1 section 6.3.1
 */
export function readPresentation(jwt: unknown): ReadJwtPresentation {
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
