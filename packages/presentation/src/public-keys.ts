import { createPublicKey, verify } from 'node:crypto'
import type { IKey } from '@veramo/core-types'
import { SIGNING_ALGORITHMS } from '@vidimus/core-types'
import { publicKeyOfBytes, publicKeyOfMethod, type PublicKey } from '@vidimus/verification-methods'
import type { VerificationMethod } from 'did-resolver'

/** Veramo's names of the key types that can sign a JWT. */
export type SigningKeyType = keyof typeof SIGNING_ALGORITHMS

/** A public key that can verify JWTs. */
export type SigningKey = PublicKey<SigningKeyType>

const SIGNATURE_BYTES = 64

/** The `alg` values that a JWT may have. */
export const JWT_ALGORITHMS: readonly string[] = Object.values(SIGNING_ALGORITHMS).flat()

/** The `alg` that a key signs with: `EdDSA`, `ES256` or `ES256K`. */
export const algorithmOf = ({ type }: SigningKey): string => SIGNING_ALGORITHMS[type][0]

/** Tells whether a JWT of this `alg` can have been signed with the key. */
export const fitsAlgorithm = ({ type }: SigningKey, algorithm: string): boolean =>
  (SIGNING_ALGORITHMS[type] as readonly string[]).includes(algorithm)

/**
 * The public key of a verification method, in any encoding.
 *
 * @returns `undefined` where the method holds no readable key that can sign a JWT, or one that is not for signatures
 * @see RFC 7517 section 4.2 (`use`)
 */
export function signingKeyOfMethod(method: VerificationMethod): SigningKey | undefined {
  const use: unknown = method.publicKeyJwk?.use
  return use === undefined || use === 'sig' ? signingKey(publicKeyOfMethod(method)) : undefined
}

/**
 * The public key of a key in custody.
 *
 * @returns `undefined` for types that cannot sign a JWT, and for a row that is no key of its type
 */
export const signingKeyOfManagedKey = (key: Pick<IKey, 'type' | 'publicKeyHex'>): SigningKey | undefined =>
  signingKey(publicKeyOfBytes(key.type, Buffer.from(key.publicKeyHex, 'hex')))

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

const signingKey = (publicKey: PublicKey | undefined): SigningKey | undefined =>
  publicKey && canSign(publicKey) ? publicKey : undefined

const canSign = (publicKey: PublicKey): publicKey is SigningKey =>
  Object.hasOwn(SIGNING_ALGORITHMS, publicKey.type)
