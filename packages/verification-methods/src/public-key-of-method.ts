import type { VerificationMethod } from 'did-resolver'
import { encodedKeyBytes } from './key-bytes.js'
import { publicKeyOfBytes, publicKeyOfJwk, type PublicKey } from './public-key.js'

/**
 * The public key of a verification method, in any of the registered members: `publicKeyJwk`, `publicKeyMultibase`
 * (with or without multicodec prefix), `publicKeyBase58`, `publicKeyBase64`, `publicKeyHex`.
 *
 * @returns `undefined` if the method contains no readable Ed25519, X25519, P-256 or secp256k1 key; also for methods
 *   that name a blockchain account instead of a key, and if the key type is unknown
 * @see DID Specification Registries, "Verification Method Types"
 */
export function publicKeyOfMethod(method: VerificationMethod): PublicKey | undefined {
  try {
    if (method.publicKeyJwk) return publicKeyOfJwk(method.publicKeyJwk)
    const { type, bytes } = encodedKeyBytes(method) ?? {}
    return type !== undefined && bytes ? publicKeyOfBytes(type, bytes) : undefined
  } catch {
    // a method that cannot be read is worth nothing; the others of the document still count
    return undefined
  }
}
