import { createPublicKey, ECDH, verify } from 'node:crypto'
import type { IKey } from '@veramo/core-types'
import { extractPublicKeyBytes } from 'did-jwt'
import type { VerificationMethod } from 'did-resolver'

/** Veramo's names of the key types that can sign a JWT. */
export type SigningKeyType = 'Ed25519' | 'Secp256r1' | 'Secp256k1'

/** The public members of a JWK; coordinates are 32 bytes in base64url without padding. */
export interface PublicJwk {
  kty: 'OKP' | 'EC'
  crv: string
  x: string
  y?: string
}

/** A public key in one form, wherever it came from. */
export interface PublicKey {
  type: SigningKeyType
  jwk: PublicJwk
}

interface SigningCurve {
  kty: 'OKP' | 'EC'
  crv: string
  /** the `alg` that we sign with */
  algorithm: string
  /** every `alg` that a JWT of such a key may carry */
  algorithms: readonly string[]
  /** OpenSSL's name, needed where points are decompressed */
  curve?: string
}

/** RFC 7518 section 3.4, RFC 8037 section 3.1, RFC 8812 section 3.2, RFC 9864 section 2.2 (`Ed25519`). */
const CURVES: Record<SigningKeyType, SigningCurve> = {
  Ed25519: { kty: 'OKP', crv: 'Ed25519', algorithm: 'EdDSA', algorithms: ['EdDSA', 'Ed25519'] },
  Secp256r1: { kty: 'EC', crv: 'P-256', algorithm: 'ES256', algorithms: ['ES256'], curve: 'prime256v1' },
  Secp256k1: { kty: 'EC', crv: 'secp256k1', algorithm: 'ES256K', algorithms: ['ES256K'], curve: 'secp256k1' },
}

const COORDINATE_BYTES = 32
const SIGNATURE_BYTES = 64

const KEY_TYPES = Object.keys(CURVES) as SigningKeyType[]

/** The `alg` values that a JWT may have. */
export const SIGNING_ALGORITHMS: readonly string[] = KEY_TYPES.flatMap((type) => CURVES[type].algorithms)

/** The `alg` that a key signs with: `EdDSA`, `ES256` or `ES256K`. */
export const algorithmOf = ({ type }: PublicKey): string => CURVES[type].algorithm

/** Tells whether a JWT of this `alg` can have been signed with the key. */
export const fitsAlgorithm = ({ type }: PublicKey, algorithm: string): boolean =>
  CURVES[type].algorithms.includes(algorithm)

/**
 * The public key of a verification method, in whichever of the registered members it stands: `publicKeyJwk`,
 * `publicKeyMultibase` (with or without multicodec prefix), `publicKeyBase58`, `publicKeyBase64`, `publicKeyHex`.
 *
 * @returns `undefined` where the method holds no readable Ed25519, P-256 or secp256k1 key; so also for methods that
 * name an account of a blockchain instead of a key
 * @see DID Specification Registries, "Verification Method Types"
 */
export function publicKeyOfMethod(method: VerificationMethod): PublicKey | undefined {
  try {
    if (method.publicKeyJwk) return publicKeyOfJwk(method.publicKeyJwk)
    const { keyBytes, keyType } = extractPublicKeyBytes(method)
    return publicKeyOfBytes(keyType === 'P-256' ? 'Secp256r1' : keyType, keyBytes)
  } catch {
    // a method that cannot be read allows nobody to sign; the others of the document still count
    return undefined
  }
}

/**
 * The public key of a key in custody.
 *
 * @returns `undefined` for types that cannot sign a JWT
 */
export function publicKeyOfManagedKey(key: Pick<IKey, 'type' | 'publicKeyHex'>): PublicKey | undefined {
  try {
    return publicKeyOfBytes(key.type, Buffer.from(key.publicKeyHex, 'hex'))
  } catch {
    // a row that is no point of its curve can sign for nothing
    return undefined
  }
}

/** Tells whether both are the same key, however they were encoded. */
export const isSamePublicKey = (one: PublicKey, other: PublicKey): boolean =>
  one.type === other.type && one.jwk.x === other.jwk.x && one.jwk.y === other.jwk.y

/**
 * Verifies natively, in OpenSSL. ECDSA is over SHA-256.
 *
 * @param signature - 64 bytes: Ed25519's own form, or r and s of 32 bytes each (RFC 7518 section 3.4)
 */
export function verifySignature(publicKey: PublicKey, signingInput: string, signature: Uint8Array): boolean {
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

function publicKeyOfJwk(jwk: NonNullable<VerificationMethod['publicKeyJwk']>): PublicKey | undefined {
  const type = KEY_TYPES.find((name) => CURVES[name].kty === jwk.kty && CURVES[name].crv === jwk.crv)
  if (!type || (jwk.use !== undefined && jwk.use !== 'sig')) return undefined
  const x = coordinate(jwk.x)
  if (x === undefined) return undefined
  const { kty, crv } = CURVES[type]
  if (kty === 'OKP') return { type, jwk: { kty, crv, x } }
  const y = coordinate(jwk.y)
  return y === undefined ? undefined : { type, jwk: { kty, crv, x, y } }
}

function coordinate(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const bytes = Buffer.from(value, 'base64url')
  return bytes.length === COORDINATE_BYTES ? bytes.toString('base64url') : undefined
}

function publicKeyOfBytes(type: string | undefined, bytes: Uint8Array): PublicKey | undefined {
  if (type === 'Ed25519') {
    if (bytes.length !== COORDINATE_BYTES) return undefined
    return { type, jwk: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(bytes).toString('base64url') } }
  }
  if (type !== 'Secp256r1' && type !== 'Secp256k1') return undefined
  const { kty, crv, curve } = CURVES[type]
  const point = ECDH.convertKey(bytes, curve ?? crv, undefined, undefined, 'uncompressed') as Buffer
  const x = point.subarray(1, 1 + COORDINATE_BYTES).toString('base64url')
  const y = point.subarray(1 + COORDINATE_BYTES).toString('base64url')
  return { type, jwk: { kty, crv, x, y } }
}
