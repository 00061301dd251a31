import { createECDH, createPrivateKey, createPublicKey } from 'node:crypto'
import { AgentError, type ErrorCode } from '@vidimus/core-types'

const PRIVATE_KEY_BYTES = 32

type KeyType = keyof typeof PKCS8_PREFIX | keyof typeof CURVES

/** PKCS#8 (RFC 8410 7) up to the 32 bytes of the private key. */
const PKCS8_PREFIX = {
  Ed25519: '302e020100300506032b657004220420',
  X25519: '302e020100300506032b656e04220420',
} as const

/** Curve names of OpenSSL and the form in which a KMS of Veramo writes their points. */
const CURVES = {
  Secp256k1: { curve: 'secp256k1', form: 'uncompressed' },
  Secp256r1: { curve: 'prime256v1', form: 'compressed' },
} as const

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
    if (type === 'Ed25519' || type === 'X25519') return edwardsOrMontgomery(PKCS8_PREFIX[type] + seed)
    const { curve, form } = CURVES[type]
    const ecdh = createECDH(curve)
    ecdh.setPrivateKey(seed, 'hex')
    return ecdh.getPublicKey('hex', form)
  } catch {
    // OpenSSL's words do not help a caller, and its error holds on to what it was given.
    throw refused('invalid_input', path, `is no private key of type ${type}`)
  }
}

function edwardsOrMontgomery(pkcs8Hex: string): string {
  const privateKey = createPrivateKey({ key: Buffer.from(pkcs8Hex, 'hex'), format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  return Buffer.from(x, 'base64url').toString('hex')
}

const refused = (code: ErrorCode, path: string, message: string) =>
  new AgentError(code, `${path}: ${message}`, { details: [{ path, message }] })
