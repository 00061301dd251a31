import { createPublicKey, ECDH, type JsonWebKey, type KeyObject } from 'node:crypto'
import { ed25519, ED25519_TORSION_SUBGROUP } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { asBuffer, Cache, parseForeignJson } from '@vidimus/core-types'
import { scanMembers } from './json-scanner.js'

const ED25519_BYTES = 32
const ED25519_MULTICODEC = Uint8Array.of(0xed, 0x01)
/** 34 bytes are at most 47 characters of base58; longer texts are not worth decoding. */
const MAX_BASE58_KEY_LENGTH = 47
const EC_CURVES = ['P-256', 'P-384', 'P-521']
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/** An invalid public key; its message gives the reason and may be shown. */
export class MalformedKeyError extends Error {
  override readonly name = 'MalformedKeyError'
}

/** A public key as a verification method of the ledger can hold it. */
export interface PublicJwk extends JsonWebKey {
  kty: string
}

export const encodeBase58Key = (key: Uint8Array): string => base58.encode(key)

/** Multibase base58btc of the multicodec `ed25519-pub`, as Ed25519VerificationKey2020 has it. */
export const encodeMultibaseKey = (key: Uint8Array): string =>
  `z${base58.encode(Buffer.concat([ED25519_MULTICODEC, key]))}`

/** @throws MalformedKeyError */
export const decodeBase58Key = (text: string): Uint8Array => sizedEd25519(decodeBase58(text))

/**
 * Stricter than cheqd-node, whose test of the two prefix bytes lets a half wrong one pass.
 *
 * @throws MalformedKeyError
 */
export function decodeMultibaseKey(text: string): Uint8Array {
  if (!text.startsWith('z')) throw new MalformedKeyError('must be multibase base58btc, which begins with "z"')
  const bytes = decodeBase58(text.slice(1))
  if (bytes[0] !== ED25519_MULTICODEC[0] || bytes[1] !== ED25519_MULTICODEC[1]) {
    throw new MalformedKeyError('must begin with the multicodec prefix 0xed01 of an Ed25519 public key')
  }
  return sizedEd25519(bytes.subarray(2))
}

function decodeBase58(text: string): Uint8Array {
  try {
    if (text.length <= MAX_BASE58_KEY_LENGTH) return base58.decode(text)
  } catch {
    throw new MalformedKeyError('must be base58btc')
  }
  throw new MalformedKeyError(`must have at most ${MAX_BASE58_KEY_LENGTH} characters of base58btc`)
}

function sizedEd25519(bytes: Uint8Array): Uint8Array {
  if (bytes.length === ED25519_BYTES) return bytes
  throw new MalformedKeyError(`ed25519: bad public key length: ${bytes.length}`)
}

/**
 * The bytes, if they are the canonical encoding of a point of the curve (RFC 8032 5.1.3) that can be a public key.
 * With one of the eight points of low order, which cheqd-node accepts, signatures verify that nobody has made.
 *
 * @throws MalformedKeyError
 */
export function checkedEd25519(bytes: Uint8Array): Uint8Array {
  const name = curveName(bytes)
  if (SOUND.get(name)) return bytes
  decodePoint(sizedEd25519(bytes), false)
  if (isEd25519OfLowOrder(bytes)) {
    throw new MalformedKeyError('ed25519: is a point of low order, which has no private key')
  }
  SOUND.set(name, true)
  return bytes
}

/**
 * As the ledger accepts it: its check of the two leading bytes lets a half wrong prefix pass.
 *
 * @throws MalformedKeyError
 */
export function decodeLooseMultibaseKey(text: string): Uint8Array {
  if (!text.startsWith('z')) throw new MalformedKeyError('selected encoding not supported')
  if (text.length === 1) throw new MalformedKeyError('zero length string')
  const bytes = decodeBase58(text.slice(1))
  if (bytes.length < 2) throw new MalformedKeyError('the multicodec prefix is missing')
  if (bytes[0] !== ED25519_MULTICODEC[0] && bytes[1] !== ED25519_MULTICODEC[1]) {
    const prefix = Buffer.from(bytes.subarray(0, 2)).toString('hex')
    throw new MalformedKeyError(
      `invalid two-byte prefix for Ed25519VerificationKey2020. expected: 0xed01 actual: 0x${prefix}`,
    )
  }
  return sizedEd25519(bytes.subarray(2))
}

/** Points that can be public keys: to look at one costs more than a signature, and each is met again and again. */
const SOUND = new Cache<true>('key')

const curveName = (bytes: Uint8Array): string => asBuffer(bytes).toString('latin1')

/** Whether the bytes are a point of the curve, in any encoding. */
export function isEd25519Point(bytes: Uint8Array): boolean {
  if (SOUND.get(curveName(bytes))) return true
  try {
    return decodePoint(bytes, true) !== undefined
  } catch {
    return false
  }
}

const FIELD = 2n ** 255n - 19n

/** The second coordinate: the sign of the first one is in the last bit, and some encodings exceed the field. */
const yCoordinate = (bytes: Uint8Array): bigint =>
  (BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) & (2n ** 255n - 1n)) % FIELD

const LOW_ORDER = new Set(ED25519_TORSION_SUBGROUP.map((hex) => yCoordinate(Buffer.from(hex, 'hex'))))

/** Whether the bytes are a point of low order, in any encoding; computes no root, which is the expensive part. */
export const isEd25519OfLowOrder = (bytes: Uint8Array): boolean => LOW_ORDER.has(yCoordinate(bytes))

/** @param anyEncoding - also those that are not canonical (ZIP 215) */
function decodePoint(bytes: Uint8Array, anyEncoding: boolean) {
  try {
    return ed25519.Point.fromBytes(bytes, anyEncoding)
  } catch {
    throw new MalformedKeyError('ed25519: invalid point encoding')
  }
}

/**
 * Reads the text of a public JWK (RFC 7517): RSA, EC on P-256, P-384 or P-521, or Ed25519. {@link assertPublicKey}
 * checks its numbers, so that reading stays cheap for keys that were checked before.
 *
 * @throws MalformedKeyError also for private and secret keys
 */
export function parsePublicJwk(text: string): PublicJwk {
  const jwk = parseJwk(text)
  if (PRIVATE_MEMBERS.some((member) => member in jwk)) {
    throw new MalformedKeyError('must be a public JWK, without any member of a private or secret key')
  }
  if (jwk.kty === 'RSA' || (jwk.kty === 'EC' && EC_CURVES.includes(jwk.crv ?? ''))) return jwk
  if (jwk.kty === 'OKP' && jwk.crv === 'Ed25519') return jwk
  throw new MalformedKeyError('unsupported jwk type; supported are RSA, EC (P-256, P-384, P-521) and Ed25519')
}

/**
 * Checks that the numbers of a JWK are a valid key: points are on their curve.
 *
 * @throws MalformedKeyError
 */
export function assertPublicKey(jwk: PublicJwk): void {
  if (jwk.crv === 'Ed25519') checkedEd25519(Buffer.from(jwk.x ?? '', 'base64url'))
  if (!keyObjectOf(jwk)) throw new MalformedKeyError("can't parse jwk: its members are not a public key")
}

/**
 * Makes sure that every reader understands the same of the text of a JWK.
 *
 * @throws MalformedKeyError
 */
export function assertPlainJwk(text: string): void {
  const names = scanMembers(Buffer.from(text))?.members.map(({ name }) => name) ?? []
  const repeated = names.find((name, n) => names.indexOf(name) < n)
  if (repeated !== undefined)
    throw new MalformedKeyError(`must not repeat members, but has "${repeated}" twice`)
  const jwk = parseJwk(text)
  for (const member of ['x', 'y', 'n', 'e'] as const) {
    if (/[^\w-]/.test(jwk[member] ?? ''))
      throw new MalformedKeyError(`${member} must be base64url without padding`)
  }
}

function parseJwk(text: string): PublicJwk {
  let jwk: unknown
  try {
    jwk = parseForeignJson(text)
  } catch {
    throw new MalformedKeyError("can't parse jwk: it is not JSON")
  }
  if (typeof jwk !== 'object' || jwk === null || !('kty' in jwk) || typeof jwk.kty !== 'string') {
    throw new MalformedKeyError("can't parse jwk: it is not an object with kty")
  }
  for (const member of ['crv', 'x', 'y', 'n', 'e'] as const) {
    if (member in jwk && typeof (jwk as PublicJwk)[member] !== 'string') {
      throw new MalformedKeyError(`can't parse jwk: ${member} is not a string`)
    }
  }
  return jwk as PublicJwk
}

export const ed25519Jwk = (key: Uint8Array): PublicJwk => ({
  crv: 'Ed25519',
  kty: 'OKP',
  x: Buffer.from(key).toString('base64url'),
})

/**
 * @param publicKeyHex - compressed or not
 * @throws MalformedKeyError
 */
export function p256Jwk(publicKeyHex: string): PublicJwk {
  const point = convertP256(Buffer.from(publicKeyHex, 'hex'), 'uncompressed')
  if (!point) throw new MalformedKeyError('must be a point of P-256')
  const x = point.subarray(1, 33).toString('base64url')
  return { crv: 'P-256', kty: 'EC', x, y: point.subarray(33).toString('base64url') }
}

/** The compressed point of a P-256 JWK in hex, as Veramo names keys; `undefined` if it is not such a point. */
export function p256Hex({ x = '', y = '' }: PublicJwk): string | undefined {
  const point = Buffer.concat([Uint8Array.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return convertP256(point, 'compressed')?.toString('hex')
}

function convertP256(point: Buffer, format: 'compressed' | 'uncompressed'): Buffer | undefined {
  try {
    return ECDH.convertKey(point, 'prime256v1', undefined, undefined, format) as Buffer
  } catch {
    return undefined
  }
}

/** `undefined` if the members of the JWK are not a valid key. */
export function keyObjectOf(jwk: PublicJwk): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    return undefined
  }
}
