import { ECDH } from 'node:crypto'
import type { VerificationMethod } from 'did-resolver'
import { compressedHex } from './key-bytes.js'
import { isOfLowOrder } from './low-order.js'

/** Veramo's names of the types of keys that a verification method can hold here. */
export type KeyType = 'Ed25519' | 'X25519' | 'Secp256r1' | 'Secp256k1'

/** The public members of a JWK; coordinates are 32 bytes in base64url without padding. */
export interface PublicJwk {
  kty: 'OKP' | 'EC'
  crv: string
  x: string
  y?: string
}

/** A public key in one form, wherever it came from. */
export interface PublicKey<Type extends KeyType = KeyType> {
  type: Type
  jwk: PublicJwk
}

/** A public key in Veramo's terms. */
interface KeyInHex {
  type: string
  publicKeyHex: string
}

export interface Curve {
  kty: 'OKP' | 'EC'
  crv: string
}

export interface OctetCurve extends Curve {
  kty: 'OKP'
  /** RFC 8410: what precedes the private key in PKCS #8, in hex */
  pkcs8: string
}

export interface PointCurve extends Curve {
  kty: 'EC'
  /** OpenSSL's name */
  curve: 'prime256v1' | 'secp256k1'
  /** how a KMS of Veramo writes its points */
  kmsForm: 'compressed' | 'uncompressed'
}

/** RFC 7518 section 6.2.1, RFC 8037 section 2, RFC 8812 section 3.1. */
export const CURVES: Record<KeyType, OctetCurve | PointCurve> = {
  Ed25519: { kty: 'OKP', crv: 'Ed25519', pkcs8: '302e020100300506032b657004220420' },
  X25519: { kty: 'OKP', crv: 'X25519', pkcs8: '302e020100300506032b656e04220420' },
  Secp256r1: { kty: 'EC', crv: 'P-256', curve: 'prime256v1', kmsForm: 'compressed' },
  Secp256k1: { kty: 'EC', crv: 'secp256k1', curve: 'secp256k1', kmsForm: 'uncompressed' },
}

const COORDINATE_BYTES = 32

const KEY_TYPES = Object.keys(CURVES) as KeyType[]

export const isKeyType = (type: string): type is KeyType => KEY_TYPES.some((known) => known === type)

/** Whether both are the same key, in any encoding. */
export const isSamePublicKey = (one: PublicKey, other: PublicKey): boolean =>
  one.type === other.type && one.jwk.x === other.jwk.x && one.jwk.y === other.jwk.y

/** Whether two keys of Veramo are the same, by type and public half, points of curves compressed or not. */
export const isSameKey = (one: KeyInHex, other: KeyInHex): boolean =>
  one.type === other.type && compressedHex(one.publicKeyHex) === compressedHex(other.publicKeyHex)

/**
 * The public key of a JWK. Its users must check that its coordinates are a point of the curve.
 *
 * @returns `undefined` for other curves, for points of low order of Ed25519 and X25519, and if a coordinate is
 *   missing or not 32 bytes long; missing leading zeros of a point's coordinate are added
 */
export function publicKeyOfJwk(jwk: NonNullable<VerificationMethod['publicKeyJwk']>): PublicKey | undefined {
  const type = KEY_TYPES.find((name) => CURVES[name].kty === jwk.kty && CURVES[name].crv === jwk.crv)
  if (!type) return undefined
  const { kty, crv } = CURVES[type]
  const x = coordinate(jwk.x, kty)
  if (x === undefined) return undefined
  if (kty === 'OKP') {
    return isOfLowOrder(type, Buffer.from(x, 'base64url')) ? undefined : { type, jwk: { kty, crv, x } }
  }
  const y = coordinate(jwk.y, kty)
  return y === undefined ? undefined : { type, jwk: { kty, crv, x, y } }
}

/**
 * The public key of raw bytes.
 *
 * @param type - Veramo's name of the key type
 * @param bytes - 32 for Ed25519 and X25519, otherwise a point as in SEC 1 section 2.3.3, compressed or not
 * @returns `undefined` for other types, and if the bytes are not a key of the type or are a point of low order
 */
export function publicKeyOfBytes(type: string, bytes: Uint8Array): PublicKey | undefined {
  const known = KEY_TYPES.find((name) => name === type)
  if (!known) return undefined
  const curve = CURVES[known]
  const { kty, crv } = curve
  if (!isPointCurve(curve)) {
    return bytes.length === COORDINATE_BYTES && !isOfLowOrder(known, bytes)
      ? { type: known, jwk: { kty, crv, x: Buffer.from(bytes).toString('base64url') } }
      : undefined
  }
  const point = pointIn(curve, bytes, 'uncompressed')
  if (!point) return undefined
  const x = point.subarray(1, 1 + COORDINATE_BYTES).toString('base64url')
  const y = point.subarray(1 + COORDINATE_BYTES).toString('base64url')
  return { type: known, jwk: { kty, crv, x, y } }
}

/**
 * The hex that a KMS of Veramo writes for a key, which is also its `kid`: Ed25519 and X25519 raw, Secp256k1
 * uncompressed, Secp256r1 compressed; lower case.
 *
 * @returns `undefined` if the coordinates are not a point of the curve: no private key could belong to it
 */
export function publicKeyHexOf({ type, jwk: { x, y = '' } }: PublicKey): string | undefined {
  const curve = CURVES[type]
  const [first, second] = [x, y].map((text) => Buffer.from(text, 'base64url'))
  if (!first || !second) return undefined
  if (!isPointCurve(curve)) return first.toString('hex')
  return pointIn(curve, Buffer.concat([Buffer.from([4]), first, second]), curve.kmsForm)?.toString('hex')
}

export const isPointCurve = (curve: Curve | PointCurve): curve is PointCurve => 'curve' in curve

function pointIn(
  { curve }: PointCurve,
  bytes: Uint8Array,
  form: 'compressed' | 'uncompressed',
): Buffer | undefined {
  try {
    return ECDH.convertKey(bytes, curve, undefined, undefined, form) as Buffer
  } catch {
    // OpenSSL refuses anything that is not a point of the curve
    return undefined
  }
}

/**
 * Coordinates of points are numbers, which some write in JWKs without the leading zeros that RFC 7518 section 6.2.1.2
 * requires: among them Veramo's did:jwk, whose DIDs contain them for good. This affects one key in 128.
 */
function coordinate(value: unknown, kty: Curve['kty']): string | undefined {
  if (typeof value !== 'string') return undefined
  const bytes = Buffer.from(value, 'base64url')
  const isShort = kty === 'EC' && bytes.length > 0 && bytes.length < COORDINATE_BYTES
  if (bytes.length !== COORDINATE_BYTES && !isShort) return undefined
  return Buffer.concat([Buffer.alloc(COORDINATE_BYTES - bytes.length), bytes]).toString('base64url')
}
