import {
  problemsError,
  type DIDHolding,
  type PublicKeyInHex,
  type DIDJwtCreateArgs,
  type SigningContext,
  type SigningRelationship,
} from '@vidimus/core-types'
import { certificatesOfKey } from '@vidimus/verification-methods'

/**
 * Signs a JWT with the chosen key.
 *
 * @param namesKey - `false`: what the JWT belongs to contains its key, so the header has no `kid`
 */
export type JwtSigner = (
  payload: Record<string, unknown>,
  header?: Record<string, unknown>,
  namesKey?: boolean,
) => Promise<string>

/**
 * Chooses the key with which the account in scope holds a DID for the relationship. Finds every obstacle to signing
 * before any work on the content is done.
 *
 * @param only - the required key; absent: any suitable one
 * @throws AgentError `did_not_found` and `key_not_found` (both with a detail at the path `did`), `did_not_resolvable`,
 * `did_deactivated`
 */
export async function findSigner(
  did: string,
  relationship: SigningRelationship,
  context: SigningContext,
  only?: PublicKeyInHex,
): Promise<JwtSigner> {
  const holding = await context.agent.didHolding({ did, purpose: relationship, ...(only && { key: only }) })
  return signingWith(holding, context)
}

/**
 * {@link findSigner} of an issuer. A key with certificates issues under the name in them and includes them.
 *
 * @throws AgentError as {@link findSigner}; `invalid_input` at `did` if they have expired
 */
export async function findIssuer(
  did: string,
  now: Date,
  context: SigningContext,
): Promise<{ iss: string; header: { x5c?: readonly string[] }; sign: JwtSigner }> {
  const holding = await context.agent.didHolding({ did, purpose: 'assertionMethod' })
  const sign = signingWith(holding, context)
  const certificate = await certificatesOfKey(holding.key.kid, did, context)
  if (!certificate) return { iss: did, header: {}, sign }
  const { issuer, certificateChain, expiresAt } = certificate
  if (expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime()) {
    const message = `signs with a key whose certificates expired at ${expiresAt}; set new ones with POST /key/certificate`
    throw problemsError('invalid_input', [{ path: 'did', message }])
  }
  return { iss: issuer, header: { x5c: certificateChain }, sign }
}

const signingWith =
  (holding: DIDHolding, { agent }: SigningContext): JwtSigner =>
  (payload, header = {}, namesKey = true) =>
    agent.didSign({ holding, payload, header, namesKey })

/**
 * Signs with a key of a DID held by the account in scope.
 *
 * @throws AgentError as {@link findSigner}
 */
export async function signJwt(
  { did, payload, header, relationship = 'assertionMethod' }: DIDJwtCreateArgs,
  context: SigningContext,
): Promise<string> {
  const sign = await findSigner(did, relationship, context)
  return sign(payload, header)
}
