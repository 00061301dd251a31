import { createPublicKey, ECDH } from 'node:crypto'
import { base58ToBytes } from 'did-jwt'
import type { VerificationMethod } from 'did-resolver'
import {
  isForSignatures,
  signingKeyOfManagedKey,
  signingKeyOfMethod,
  type SigningKey,
} from './signing-key.js'

/** A P-384 key; its coordinates have 48 bytes. */
export interface P384Key {
  type: 'Secp384r1'
  jwk: { kty: 'EC'; crv: 'P-384'; x: string; y: string }
}

export interface RsaKey {
  type: 'RSA'
  jwk: { kty: 'RSA'; n: string; e: string }
}

/** A public key that signatures of others are verified with; only {@link SigningKey}s are created here. */
export type VerifyingKey = SigningKey | P384Key | RsaKey

/** The sizes and public exponents of RSA keys that are accepted. */
export const RSA = { leastBits: 2048, mostBits: 4096, exponents: ['AQAB', 'Aw'] } as const

const COORDINATE_BYTES = 48

/** The multicodec of P-384 keys, `0x1201` as a varint. */
const P384_PREFIX = Buffer.from('8124', 'hex')

/** Characters of a compressed P-384 key with multicodec in base58btc are fewer. */
const MOST_CHARACTERS = 80

/**
 * The public key of a verification method, in any encoding; P-384 as JWK or Multikey, RSA as JWK.
 *
 * @returns `undefined` if the method contains no readable key that can sign, or one that is not for signatures
 */
export function verifyingKeyOfMethod(method: VerificationMethod): VerifyingKey | undefined {
  const known = signingKeyOfMethod(method)
  if (known) return known
  const { publicKeyJwk: jwk, publicKeyMultibase } = method
  if (!jwk) return publicKeyMultibase === undefined ? undefined : p384OfMultibase(publicKeyMultibase)
  if (!isForSignatures(jwk)) return undefined
  return jwk.kty === 'RSA' ? rsaKeyOf(jwk) : p384OfJwk(jwk)
}

/**
 * The key of a certificate.
 *
 * @param key - in the terms of a KMS; of P-384 the point, of RSA its SubjectPublicKeyInfo in DER
 */
export function verifyingKeyOfHex(key: { type: string; publicKeyHex: string }): VerifyingKey | undefined {
  const bytes = Buffer.from(key.publicKeyHex, 'hex')
  if (key.type === 'Secp384r1') return p384OfPoint(bytes)
  if (key.type !== 'RSA') return signingKeyOfManagedKey(key)
  const jwk = rsaJwkOfHex(key.publicKeyHex)
  return jwk && rsaKeyOf(jwk)
}

/** The JWK of a SubjectPublicKeyInfo in DER, of any size; `undefined` if it is no RSA key. */
export function rsaJwkOfHex(publicKeyHex: string): { kty: string; n: string; e: string } | undefined {
  try {
    const key = Buffer.from(publicKeyHex, 'hex')
    // eslint-disable-next-line no-restricted-syntax -- no job of generateKeyPair made this object
    const { n, e } = createPublicKey({ key, format: 'der', type: 'spki' }).export({ format: 'jwk' })
    return n === undefined || e === undefined ? undefined : { kty: 'RSA', n, e }
  } catch {
    return undefined
  }
}

/** Whether keys of this type are created here as well. */
export const isSigningKey = (key: VerifyingKey): key is SigningKey =>
  key.type !== 'Secp384r1' && key.type !== 'RSA'

/** Whether both are the same key, in any encoding. */
export const isSameVerifyingKey = (one: VerifyingKey, other: VerifyingKey): boolean =>
  one.type === other.type && JSON.stringify(memberTexts(one)) === JSON.stringify(memberTexts(other))

/** The members of a JWK that identify its key, in the order of their names (RFC 7638 section 3.2). */
export function memberTexts({ jwk }: VerifyingKey): Record<string, string> {
  if (jwk.kty === 'RSA') return { e: jwk.e, kty: jwk.kty, n: jwk.n }
  const { crv, kty, x, y } = jwk
  return { crv, kty, x, ...(y !== undefined && { y }) }
}

/** The number of bits of an RSA modulus in base64url; 0 for anything else. */
export function rsaBits(n: unknown): number {
  const bytes = typeof n === 'string' ? Buffer.from(n, 'base64url') : Buffer.alloc(0)
  const start = bytes.findIndex((byte) => byte !== 0)
  return start < 0 ? 0 : (bytes.length - start) * 8 - Math.clz32(bytes[start] ?? 0) + 24
}

function rsaKeyOf({ n, e }: { n?: unknown; e?: unknown }): RsaKey | undefined {
  const exponent = RSA.exponents.find((known) => known === e)
  const bits = rsaBits(n)
  if (typeof n !== 'string' || exponent === undefined || bits < RSA.leastBits || bits > RSA.mostBits)
    return undefined
  return { type: 'RSA', jwk: { kty: 'RSA', n, e: exponent } }
}

/** Missing leading zeros are added, as for the other curves. */
function p384OfJwk({ kty, crv, x, y }: { kty: string; crv?: string; x?: string; y?: string }) {
  if (kty !== 'EC' || crv !== 'P-384' || typeof x !== 'string' || typeof y !== 'string') return undefined
  const coordinates = [x, y].map((text) => Buffer.from(text, 'base64url'))
  if (coordinates.some(({ length }) => length === 0 || length > COORDINATE_BYTES)) return undefined
  const padded = coordinates.map((bytes) =>
    Buffer.concat([Buffer.alloc(COORDINATE_BYTES - bytes.length), bytes]),
  )
  return p384OfPoint(Buffer.concat([Buffer.from([4]), ...padded]))
}

function p384OfMultibase(text: string): P384Key | undefined {
  if (!text.startsWith('z') || text.length > MOST_CHARACTERS) return undefined
  try {
    const bytes = Buffer.from(base58ToBytes(text.slice(1)))
    const { length } = P384_PREFIX
    return bytes.subarray(0, length).equals(P384_PREFIX) ? p384OfPoint(bytes.subarray(length)) : undefined
  } catch {
    return undefined
  }
}

/** @param point - as in SEC 1 section 2.3.3, compressed or not */
function p384OfPoint(point: Uint8Array): P384Key | undefined {
  try {
    const whole = ECDH.convertKey(point, 'secp384r1', undefined, undefined, 'uncompressed') as Buffer
    const x = whole.subarray(1, 1 + COORDINATE_BYTES).toString('base64url')
    const y = whole.subarray(1 + COORDINATE_BYTES).toString('base64url')
    return { type: 'Secp384r1', jwk: { kty: 'EC', crv: 'P-384', x, y } }
  } catch {
    // OpenSSL refuses anything that is not a point of the curve
    return undefined
  }
}
