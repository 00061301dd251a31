import type { DIDDocument, VerificationMethod } from 'did-resolver'
import { encodedKeyBytes } from './key-bytes.js'
import { publicKeyOfMethod } from './public-key-of-method.js'
import { publicKeyHexOf } from './public-key.js'

/** The verification relationships of DID Core 1.0 section 5.3. */
export const VERIFICATION_RELATIONSHIPS = [
  'authentication',
  'assertionMethod',
  'keyAgreement',
  'capabilityInvocation',
  'capabilityDelegation',
] as const
export type VerificationRelationship = (typeof VERIFICATION_RELATIONSHIPS)[number]

/** Bytes of a raw key, of a compressed point and of an uncompressed one. */
const KEY_LENGTHS = [32, 33, 65]

/**
 * The verification methods in a DID document, in its order: those of `verificationMethod`, then those that stand in a
 * relationship itself.
 *
 * @param relationships - in which embedded methods are looked for
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
 * (Ed25519 and X25519 raw, Secp256k1 uncompressed, Secp256r1 compressed). Keys whose type nothing tells are written as
 * they stand; what cannot be read is left out.
 */
export function publicKeysOfDocument(document: DIDDocument): string[] {
  const keys = verificationMethodsOf(document).map(publicKeyHexOfMethod)
  return [...new Set(keys.filter((key) => key !== undefined))]
}

function publicKeyHexOfMethod(method: VerificationMethod): string | undefined {
  const publicKey = publicKeyOfMethod(method)
  return publicKey ? publicKeyHexOf(publicKey) : untypedKeyHex(method)
}

function untypedKeyHex(method: VerificationMethod): string | undefined {
  try {
    if (method.publicKeyJwk) return undefined
    const { type, bytes } = encodedKeyBytes(method) ?? {}
    if (type !== undefined || !bytes || !KEY_LENGTHS.includes(bytes.length)) return undefined
    return Buffer.from(bytes).toString('hex')
  } catch {
    // a method that cannot be read names no key; the others of the document still count
    return undefined
  }
}
