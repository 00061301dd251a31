import type {
  IAgentContext,
  IDIDManager,
  IIdentifier,
  IKey,
  IKeyManager,
  IResolver,
} from '@veramo/core-types'
import {
  AgentError,
  problemsError,
  type DIDJwtCreateArgs,
  type SigningRelationship,
} from '@vidimus/core-types'
import { isSamePublicKey } from '@vidimus/verification-methods'
import type { DIDDocument } from 'did-resolver'
import { documentSource, heldIdentifier } from './did-documents.js'
import { signingInputOf } from './jwt-form.js'
import { algorithmOf, signingKeyOfManagedKey } from './public-keys.js'
import { allowedMethods, type AllowedMethod } from './verification-relationship.js'

/** What an agent has to be able to do, for JWTs to be signed. */
export type SigningContext = IAgentContext<IDIDManager & IResolver & IKeyManager>

const SIGNATURE = /^[A-Za-z0-9_-]{86}$/

/** Signs a JWT with the key that was chosen. */
export type JwtSigner = (
  payload: Record<string, unknown>,
  header?: Record<string, unknown>,
) => Promise<string>

/**
 * Chooses a key of a DID that the account in scope holds, by the DID document: the first verification method of the
 * relationship whose private half the account has. Whatever speaks against signing is found here, before anything is
 * done for the sake of what is to be signed.
 *
 * @throws AgentError `did_not_found` and `key_not_found` (both with a detail at the path `did`),
 * `did_not_resolvable`, `did_deactivated`
 */
export async function signerOf(
  did: string,
  relationship: SigningRelationship,
  context: SigningContext,
  documentOf = documentSource(context),
): Promise<JwtSigner> {
  const identifier = await heldIdentifier(did, context)
  const document = await documentOf(did)
  const { method, key } = chooseKey(identifier, document, relationship)
  const algorithm = algorithmOf(method.publicKey)
  return async (payload, header) => {
    const signingInput = signingInputOf({ typ: 'JWT', ...header, alg: algorithm, kid: method.id }, payload)
    const signature = await context.agent.keyManagerSign({ keyRef: key.kid, data: signingInput, algorithm })
    if (!SIGNATURE.test(signature)) {
      throw new AgentError('internal_error', `the KMS "${key.kms}" answered with a signature of unknown form`)
    }
    return `${signingInput}.${signature}`
  }
}

/**
 * Signs with a key of a DID that the account in scope holds.
 *
 * @throws AgentError as {@link signerOf}
 */
export async function signJwt(
  { did, payload, header, relationship = 'assertionMethod' }: DIDJwtCreateArgs,
  context: SigningContext,
  documentOf = documentSource(context),
): Promise<string> {
  const sign = await signerOf(did, relationship, context, documentOf)
  return sign(payload, header)
}

function chooseKey(
  identifier: IIdentifier,
  document: DIDDocument,
  relationship: SigningRelationship,
): { method: AllowedMethod; key: IKey } {
  const held = identifier.keys.map((key) => ({ key, publicKey: signingKeyOfManagedKey(key) }))
  for (const method of allowedMethods(document, relationship)) {
    const match = held.find(({ publicKey }) => publicKey && isSamePublicKey(publicKey, method.publicKey))
    if (match) return { method, key: match.key }
  }
  const message = `the account holds none of the keys that the ${relationship} of "${document.id}" allows`
  throw problemsError('key_not_found', [{ path: 'did', message }])
}
