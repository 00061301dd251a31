import { createPublicKey } from 'node:crypto'
import { SIGNING_ALGORITHMS } from '@vidimus/core-types'
import {
  publicKeyHexOf,
  publicKeyOfBytes,
  signingKeyOfManagedKey,
  verifySignature,
} from '@vidimus/verification-methods'

/** Types of keys that the transit engine makes for us; Veramo's names. */
export type VaultKeyType = 'Ed25519' | 'Secp256r1'

/** How the transit engine names and uses keys of one type. */
export interface TransitKeyType {
  readonly type: VaultKeyType
  /** `type` of a transit key */
  readonly transit: string
  readonly algorithms: readonly string[]
  /** The parameters of a sign request beside the input. */
  readonly signing: Readonly<Record<string, unknown>>
  /** The public key of the response, in hex in Veramo's form. */
  publicKeyHex(publicKey: string): string | undefined
  /** The 64 bytes of the signature's last part. */
  signature(text: string): Buffer
}

/**
 * A public key in DER ends with its point (RFC 5480 section 2.2): 65 bytes if it is uncompressed, as OpenSSL writes
 * it.
 */
const POINT_BYTES = 65

export const KEY_TYPES: readonly TransitKeyType[] = [
  {
    type: 'Ed25519',
    transit: 'ed25519',
    algorithms: SIGNING_ALGORITHMS.Ed25519,
    signing: {},
    publicKeyHex: (publicKey) => {
      const key = publicKeyOfBytes('Ed25519', Buffer.from(publicKey, 'base64'))
      return key && publicKeyHexOf(key)
    },
    signature: (text) => Buffer.from(text, 'base64'),
  },
  {
    type: 'Secp256r1',
    transit: 'ecdsa-p256',
    algorithms: SIGNING_ALGORITHMS.Secp256r1,
    // r and s as JWS has them, in base64url
    signing: { prehashed: false, hash_algorithm: 'sha2-256', marshaling_algorithm: 'jws' },
    publicKeyHex: (publicKey) => {
      const der = createPublicKey(publicKey).export({ format: 'der', type: 'spki' })
      const key = publicKeyOfBytes('Secp256r1', der.subarray(-POINT_BYTES))
      return key && publicKeyHexOf(key)
    },
    signature: (text) => Buffer.from(text, 'base64url'),
  },
]

/** Whether the signature is that of the key: the result must not depend on which key a name led to. */
export function isSignatureOf(
  type: VaultKeyType,
  publicKeyHex: string,
  data: Uint8Array,
  signature: Buffer,
): boolean {
  const key = signingKeyOfManagedKey({ type, publicKeyHex })
  return key !== undefined && verifySignature(key, data, signature)
}
