import type { DIDDocument, VerificationMethod } from 'did-resolver'
import { publicKeyOfMethod } from './public-key-of-method.js'
import { publicKeyHexOf, type KeyType } from './public-key.js'

/** The verification relationships of DID Core 1.0 section 5.3. */
export const VERIFICATION_RELATIONSHIPS = [
  'authentication',
  'assertionMethod',
  'keyAgreement',
  'capabilityInvocation',
  'capabilityDelegation',
] as const
export type VerificationRelationship = (typeof VERIFICATION_RELATIONSHIPS)[number]

/** Those of signing keys: all but key agreement. */
export const SIGNING_RELATIONSHIPS = VERIFICATION_RELATIONSHIPS.filter((each) => each !== 'keyAgreement')

/** Contexts of a DID document whose verification methods are of the type `JsonWebKey2020`. */
export const JWK_DOCUMENT_CONTEXT = [
  'https://www.w3.org/ns/did/v1',
  'https://w3id.org/security/suites/jws-2020/v1',
]

/**
 * The verification methods in a DID document, in its order: those of `verificationMethod`, then those embedded in a
 * relationship.
 *
 * @param relationships - in which to look for embedded methods
 */
export function verificationMethodsOf(
  document: DIDDocument,
  relationships: readonly VerificationRelationship[] = VERIFICATION_RELATIONSHIPS,
): VerificationMethod[] {
  const embedded = relationships
    .flatMap((relationship) => document[relationship] ?? [])
    .filter((entry): entry is VerificationMethod => typeof entry !== 'string')
  return [...(document.verificationMethod ?? []), ...embedded]
}

/**
 * The public keys in a DID document, in its order and without repetition, in hex as a KMS of Veramo writes them
 * (Ed25519 and X25519 raw, Secp256k1 uncompressed, Secp256r1 compressed). Unreadable keys and those of unknown type
 * are omitted, as they cannot be identified.
 */
export function publicKeysOfDocument(document: DIDDocument): { type: KeyType; publicKeyHex: string }[] {
  const keys = verificationMethodsOf(document).flatMap((method) => {
    const publicKey = publicKeyOfMethod(method)
    if (!publicKey) return []
    const publicKeyHex = publicKeyHexOf(publicKey)
    return publicKeyHex === undefined ? [] : [{ type: publicKey.type, publicKeyHex }]
  })
  return [...new Map(keys.map((key) => [`${key.type} ${key.publicKeyHex}`, key])).values()]
}
