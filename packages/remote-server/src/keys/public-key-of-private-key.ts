import { AgentError, type ErrorCode } from '@vidimus/core-types'
import { publicKeysOfPrivateKey, type KeyType } from '@vidimus/verification-methods'

const PRIVATE_KEY_BYTES = 32

/**
 * The public half of a private key, hex as a KMS of Veramo writes it, which is also the `kid`.
 *
 * @param privateKeyHex - 32 bytes; for Ed25519 also 64: seed and public key, which have to belong together
 * @param path - of the key in the input, for errors; nothing of the key itself stands in them
 * @throws AgentError `invalid_input`, `key_mismatch`
 */
export function publicKeyOfPrivateKey(type: KeyType, privateKeyHex: string, path: string): string {
  const bytes = privateKeyHex.length / 2
  const seedWithPublicKey = type === 'Ed25519' && bytes === 2 * PRIVATE_KEY_BYTES
  if (bytes !== PRIVATE_KEY_BYTES && !seedWithPublicKey) {
    const expected = type === 'Ed25519' ? '32 bytes (seed) or 64 (seed and public key)' : '32 bytes'
    throw refused('invalid_input', path, `of type ${type} has to be ${expected}, not ${bytes}`)
  }
  const seed = privateKeyHex.slice(0, 2 * PRIVATE_KEY_BYTES)
  const publicKeyHex = derive(type, seed, path)
  if (seedWithPublicKey && privateKeyHex.slice(seed.length).toLowerCase() !== publicKeyHex) {
    throw refused('key_mismatch', path, 'has a public half that does not belong to its private half')
  }
  return publicKeyHex
}

function derive(type: KeyType, seed: string, path: string): string {
  try {
    return publicKeysOfPrivateKey(type, Buffer.from(seed, 'hex'))[0]
  } catch {
    // OpenSSL's words do not help a caller, and its error holds on to what it was given.
    throw refused('invalid_input', path, `is no private key of type ${type}`)
  }
}

const refused = (code: ErrorCode, path: string, message: string) =>
  new AgentError(code, `${path}: ${message}`, { details: [{ path, message }] })
