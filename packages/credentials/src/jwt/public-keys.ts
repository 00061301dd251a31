import { createPublicKey, verify } from 'node:crypto'
import { SIGNING_ALGORITHMS } from '@vidimus/core-types'
import type { SigningKey } from '@vidimus/verification-methods'

const SIGNATURE_BYTES = 64

/** The `alg` values that a JWT may have. */
export const JWT_ALGORITHMS: readonly string[] = Object.values(SIGNING_ALGORITHMS).flat()

/** Tells whether a JWT of this `alg` can have been signed with the key. */
export const fitsAlgorithm = ({ type }: SigningKey, algorithm: string): boolean =>
  (SIGNING_ALGORITHMS[type] as readonly string[]).includes(algorithm)

/**
 * Verifies natively, in OpenSSL. ECDSA is over SHA-256.
 *
 * @param signature - 64 bytes: Ed25519's own form, or r and s of 32 bytes each (RFC 7518 section 3.4)
 */
export function verifySignature(publicKey: SigningKey, signingInput: string, signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false
  try {
    const key = createPublicKey({ key: { ...publicKey.jwk }, format: 'jwk' })
    const digest = publicKey.type === 'Ed25519' ? null : 'sha256'
    return verify(digest, Buffer.from(signingInput), { key, dsaEncoding: 'ieee-p1363' }, signature)
  } catch {
    // OpenSSL refuses coordinates that are no point of the curve: nothing can be signed with such a key
    return false
  }
}
