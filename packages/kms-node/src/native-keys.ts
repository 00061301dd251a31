import type { KeyObject } from 'node:crypto'
import { SIGNING_ALGORITHMS } from '@vidimus/core-types'
import {
  newKeyPair,
  privateKeyBytes,
  privateKeyObject,
  publicKeysOfPrivateKey,
  type KeyType,
  type NewKeyPair,
} from '@vidimus/verification-methods'

/** The node:crypto implementation of one key type; formats as those of `@veramo/kms-local`. */
export interface NativeKeyType {
  /** `meta.algorithms` */
  readonly algorithms: readonly string[]
  /** A new private key, as it is stored, and its public key as `publicKeyHex` has it. */
  generate(): NewKeyPair
  /** @param stored - in hex, as it is stored; @throws if its first 32 bytes are not a private key of this type */
  keyObject(stored: string): KeyObject
  /** The public key, first as `publicKeyHex` has it, then in the other encodings that callers use; lower case. */
  publicKeysHex(privateKey: Buffer): [string, ...string[]]
}

const nativeKey = (type: KeyType, algorithms: readonly string[]): NativeKeyType => ({
  algorithms,
  generate: () => newKeyPair(type),
  keyObject: (stored) => privateKeyObject(type, privateKeyBytes(stored)),
  publicKeysHex: (privateKey) => publicKeysOfPrivateKey(type, privateKey),
})

const NATIVE_KEY_TYPES: ReadonlyMap<string, NativeKeyType> = new Map([
  ['Ed25519', { ...nativeKey('Ed25519', SIGNING_ALGORITHMS.Ed25519), generate: seedWithPublicKey }],
  ['X25519', nativeKey('X25519', ['ECDH', 'ECDH-ES', 'ECDH-1PU'])],
  ['Secp256r1', nativeKey('Secp256r1', SIGNING_ALGORITHMS.Secp256r1)],
  ['Secp256k1', nativeKey('Secp256k1', SIGNING_ALGORITHMS.Secp256k1)],
])

export const nativeKeyType = (type: string): NativeKeyType | undefined => NATIVE_KEY_TYPES.get(type)

export const nativeKeyTypeNames = (): string[] => [...NATIVE_KEY_TYPES.keys()]

/** As kms-local stores keys that it creates: 64 bytes. */
function seedWithPublicKey(): NewKeyPair {
  const pair = newKeyPair('Ed25519')
  return { ...pair, privateKeyHex: pair.privateKeyHex + pair.publicKeyHex }
}
