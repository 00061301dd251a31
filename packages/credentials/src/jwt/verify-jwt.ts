import { problemsError, type SigningRelationship } from '@vidimus/core-types'
import { methodNamedByKid, signerOfDid, type DocumentSource } from '@vidimus/verification-methods'
import type { ParsedJwt } from './jwt-form.js'

/**
 * Verifies the signature of a JWT against the DID document of its expected signer.
 *
 * @returns the absolute id of the verification method that signed
 * @throws AgentError `invalid_credential`, its detail at the path `jwt`; `did_not_resolvable`, `did_deactivated`
 */
export async function verifyJwt(
  { header: { alg: algorithm, kid }, signingInput, signature }: ParsedJwt,
  did: string,
  relationship: SigningRelationship,
  documentOf: DocumentSource,
): Promise<string> {
  if (kid !== undefined && typeof kid !== 'string') {
    throw problemsError('invalid_credential', [
      { path: 'jwt', message: 'the kid of the JWT is not a string' },
    ])
  }
  const signed = {
    algorithm,
    signed: Buffer.from(signingInput),
    signature,
    ...(kid !== undefined && { kid: await methodNamedByKid(kid, did, relationship, documentOf) }),
  }
  return signerOfDid(signed, did, relationship, documentOf)
}
