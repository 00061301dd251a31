import { publicKeysOfPrivateKey } from './key-pairs.js'
import type { KeyType } from './public-key.js'

/** Derived from a valid private key: its public key in hex, lower case, in its encodings. */
export interface ReadPrivateKey {
  /** first as a KMS of Veramo writes it, which is also the `kid` */
  publicKeysHex: [string, ...string[]]
}

/** Why it is invalid. Contains nothing of the key itself. */
export interface UnfitPrivateKey {
  /** a sentence without its subject */
  problem: string
  /** it is a key, with the public half of another */
  isMismatch?: true
}

/** RFC 7518 sections 6.2.2, 6.3.2 and 6.4, and `priv` of the algorithm key pairs of later curves. */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']

/** Whether a JWK has members of a private or secret key. */
export const hasPrivateMembers = (jwk: object): boolean => PRIVATE_MEMBERS.some((member) => member in jwk)

const KEY_BYTES = 32

/** Hex digits of the 32 bytes of a key; of the 64 bytes of Ed25519 (seed and public key) the seed. */
const SEED_DIGITS = 2 * KEY_BYTES

/** The 32 bytes of the key; of the 64-byte form of Ed25519 (seed and public key) the seed. */
export const privateKeyBytes = (privateKeyHex: string): Buffer =>
  Buffer.from(privateKeyHex.slice(0, SEED_DIGITS), 'hex')

/**
 * Reads a private key that comes from outside.
 *
 * @param privateKeyHex - untrusted; to be hex of 32 bytes, for Ed25519 also of 64: seed and public key, which must belong
 * together
 */
export function readPrivateKey(type: KeyType, privateKeyHex: unknown): ReadPrivateKey | UnfitPrivateKey {
  if (typeof privateKeyHex !== 'string' || privateKeyHex === '') return { problem: 'is required' }
  if (!/^[0-9a-f]+$/i.test(privateKeyHex)) return { problem: 'must be hex digits, without 0x in front' }
  const bytes = privateKeyHex.length / 2
  const isWithPublicKey = type === 'Ed25519' && bytes === 2 * KEY_BYTES
  if (bytes !== KEY_BYTES && !isWithPublicKey) {
    const expected = type === 'Ed25519' ? '32 bytes (seed) or 64 (seed and public key)' : '32 bytes'
    return { problem: `of type ${type} must be ${expected}, not ${bytes}` }
  }
  const publicKeysHex = derived(type, privateKeyHex)
  if (!publicKeysHex) return { problem: `is not a private key of type ${type}` }
  if (isWithPublicKey && privateKeyHex.slice(SEED_DIGITS).toLowerCase() !== publicKeysHex[0]) {
    return { problem: 'has a public part that does not match its private part', isMismatch: true }
  }
  return { publicKeysHex }
}

function derived(type: KeyType, privateKeyHex: string): [string, ...string[]] | undefined {
  try {
    return publicKeysOfPrivateKey(type, privateKeyBytes(privateKeyHex))
  } catch {
    // OpenSSL's message does not help a caller, and its error retains the input.
    return undefined
  }
}
