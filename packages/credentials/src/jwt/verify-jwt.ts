import { problemsError, type AgentError, type SigningRelationship } from '@vidimus/core-types'
import {
  absoluteId,
  type AllowedMethod,
  allowedMethods,
  type DocumentSource,
} from '@vidimus/verification-methods'
import type { ParsedJwt } from './jwt-form.js'
import { fitsAlgorithm, verifySignature } from './public-keys.js'

/** Signatures that are verified for a JWT that does not say which key has signed it. */
const MOST_TRIED = 20

/**
 * Verifies the signature of a JWT against the DID document of the one who must have signed it. The `kid`, absolute
 * or as `#fragment`, must name a verification method that the relationship allows; without a `kid` each of them is
 * tried, up to {@link MOST_TRIED}.
 *
 * @returns the absolute id of the verification method that signed
 * @throws AgentError `invalid_credential`, its detail at the path `jwt`; `did_not_resolvable`, `did_deactivated`
 */
export async function verifyJwt(
  jwt: ParsedJwt,
  did: string,
  relationship: SigningRelationship,
  documentOf: DocumentSource,
): Promise<string> {
  const kid = signerNamed(jwt, did)
  const document = await documentOf(did)
  let tried = 0
  for (const method of allowedMethods(document, relationship, kid)) {
    if (tried === MOST_TRIED)
      throw notVerified(`it has no kid, and "${did}" has more than ${MOST_TRIED} keys`)
    tried += 1
    if (isSignedBy(jwt, method)) return method.id
  }
  if (kid !== undefined && tried === 0) {
    throw notVerified(`"${kid}" is no key that the ${relationship} of "${did}" allows`)
  }
  throw notVerified(`the signature does not fit the keys that the ${relationship} of "${did}" allows`)
}

const isSignedBy = ({ header, signingInput, signature }: ParsedJwt, { publicKey }: AllowedMethod): boolean =>
  fitsAlgorithm(publicKey, header.alg) && verifySignature(publicKey, signingInput, signature)

function signerNamed({ header: { kid } }: ParsedJwt, did: string): string | undefined {
  if (kid === undefined) return undefined
  if (typeof kid !== 'string') throw notVerified('the kid of the JWT is not a string')
  const id = absoluteId(did, kid)
  if (!id.startsWith(`${did}#`))
    throw notVerified(`the kid of the JWT is "${kid}", which is no key of "${did}"`)
  return id
}

const notVerified = (message: string): AgentError =>
  problemsError('invalid_credential', [{ path: 'jwt', message }])
