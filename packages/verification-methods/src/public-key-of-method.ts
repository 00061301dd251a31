import type { VerificationMethod } from 'did-resolver'
import { encodedKeyBytes } from './key-bytes.js'
import { publicKeyOfBytes, publicKeyOfJwk, type PublicKey } from './public-key.js'

/**
 * The public key of a verification method, in whichever of the registered members it stands: `publicKeyJwk`,
 * `publicKeyMultibase` (with or without multicodec prefix), `publicKeyBase58`, `publicKeyBase64`, `publicKeyHex`.
 *
 * @returns `undefined` where the method holds no readable Ed25519, X25519, P-256 or secp256k1 key; so also for methods
 * that name an account of a blockchain instead of a key, and where nothing tells the type of the key
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
