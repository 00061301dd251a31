import { Cache, deepFrozen } from '@vidimus/core-types'
import type { VerificationMethod } from 'did-resolver'
import { encodedKeyBytes } from './key-bytes.js'
import { publicKeyOfBytes, publicKeyOfJwk, type PublicKey } from './public-key.js'

/** By what they were read from: decoding a text and compressing a point cost much of a verification. */
const READ = new Cache<PublicKey>('key')

/**
 * The public key of a verification method, in any of the registered members: `publicKeyJwk`, `publicKeyMultibase`
 * (with or without multicodec prefix), `publicKeyBase58`, `publicKeyBase64`, `publicKeyHex`.
 *
 * @returns a frozen key; `undefined` if the method contains no readable Ed25519, X25519, P-256 or secp256k1 key; also for methods
 *   that name a blockchain account instead of a key, and if the key type is unknown
 * @see DID Specification Registries, "Verification Method Types"
 */
export function publicKeyOfMethod(method: VerificationMethod): PublicKey | undefined {
  try {
    if (method.publicKeyJwk) return deepFrozen(publicKeyOfJwk(method.publicKeyJwk))
    return encodedKey(method)
  } catch {
    // a method that cannot be read is worth nothing; the others of the document still count
    return undefined
  }
}

function encodedKey(method: VerificationMethod): PublicKey | undefined {
  const { type, publicKeyBase58, publicKeyBase64, publicKeyHex, publicKeyMultibase } = method
  const text = JSON.stringify([type, publicKeyBase58, publicKeyBase64, publicKeyHex, publicKeyMultibase])
  const known = READ.get(text)
  if (known) return known
  const encoded = encodedKeyBytes(method)
  if (encoded?.type === undefined) return undefined
  const key = deepFrozen(publicKeyOfBytes(encoded.type, encoded.bytes))
  if (key) READ.set(text, key)
  return key
}
