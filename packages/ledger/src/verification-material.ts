import { constants, verify, type KeyObject } from 'node:crypto'
import { AgentError, Cache } from '@vidimus/core-types'
import { assertLedgerKey, keyObjectOfLedgerKey, readLedgerKey, type LedgerKey } from './ledger-keys.js'
import type { LedgerVerificationMethod } from './messages.js'
import {
  assertPlainJwk,
  assertPublicKey,
  checkedEd25519,
  decodeBase58Key,
  decodeMultibaseKey,
  ed25519Jwk,
  isEd25519OfLowOrder,
  encodeBase58Key,
  encodeMultibaseKey,
  MalformedKeyError,
  p256Hex,
  p256Jwk,
  parsePublicJwk,
  type PublicJwk,
} from './public-keys.js'

/** The types of verification methods that the ledger accepts. */
export const VERIFICATION_METHOD_TYPES = [
  'Ed25519VerificationKey2018',
  'Ed25519VerificationKey2020',
  'JsonWebKey2020',
] as const
export type VerificationMethodType = (typeof VERIFICATION_METHOD_TYPES)[number]

/** A public key in Veramo's terms. */
export interface PublicKeyHex {
  /** `Ed25519`, `Secp256r1`, ... */
  type: string
  /** Ed25519: 32 bytes; Secp256r1: the point, compressed (33 bytes) or not */
  publicKeyHex: string
}

export const isVerificationMethodType = (type: string): type is VerificationMethodType =>
  (VERIFICATION_METHOD_TYPES as readonly string[]).includes(type)

/**
 * Writes a public key in the form of a verification method type: multibase, base58 or JSON text of a JWK.
 *
 * @throws AgentError `invalid_input` if this type cannot contain a key of that kind, or the key is malformed
 */
export function encodeVerificationMaterial(type: VerificationMethodType, key: PublicKeyHex): string {
  try {
    if (key.type === 'Ed25519')
      return encodeEd25519(type, checkedEd25519(Buffer.from(key.publicKeyHex, 'hex')))
    if (key.type === 'Secp256r1' && type === 'JsonWebKey2020')
      return JSON.stringify(p256Jwk(key.publicKeyHex))
  } catch (error) {
    if (!(error instanceof MalformedKeyError)) throw error
    throw new AgentError('invalid_input', `the ${key.type} public key ${error.message}`, { cause: error })
  }
  throw new AgentError(
    'invalid_input',
    `a ${type} cannot hold a ${key.type} key: Ed25519 keys can use all three types, Secp256r1 keys only JsonWebKey2020`,
  )
}

function encodeEd25519(type: VerificationMethodType, key: Uint8Array): string {
  switch (type) {
    case 'Ed25519VerificationKey2018':
      return encodeBase58Key(key)
    case 'Ed25519VerificationKey2020':
      return encodeMultibaseKey(key)
    case 'JsonWebKey2020':
      return JSON.stringify(ed25519Jwk(key))
  }
}

/** The problem of a verification method's material, as a phrase; `undefined` if there is none. */
export function verificationMaterialProblem(
  type: VerificationMethodType,
  material: string,
): string | undefined {
  try {
    assertPublicKey(materialJwk(type, material))
    if (type === 'JsonWebKey2020') assertPlainJwk(material)
    return undefined
  } catch (error) {
    if (error instanceof MalformedKeyError) return error.message
    throw error
  }
}

/** @throws MalformedKeyError */
function materialJwk(type: VerificationMethodType, material: string): PublicJwk {
  switch (type) {
    case 'Ed25519VerificationKey2018':
      return ed25519Jwk(decodeBase58Key(material))
    case 'Ed25519VerificationKey2020':
      return ed25519Jwk(decodeMultibaseKey(material))
    case 'JsonWebKey2020':
      return parsePublicJwk(material)
  }
}

/**
 * The key of a verification method in Veramo's terms, `publicKeyHex` being 32 bytes for Ed25519 and the compressed
 * point for Secp256r1.
 *
 * @returns `undefined` if it is malformed, or of a kind that Veramo does not have (RSA, P-384, P-521)
 */
export function publicKeyOf(method: LedgerVerificationMethod): PublicKeyHex | undefined {
  const jwk = readableJwkOf(method)
  if (jwk?.crv === 'Ed25519') {
    return { type: 'Ed25519', publicKeyHex: Buffer.from(jwk.x ?? '', 'base64url').toString('hex') }
  }
  const publicKeyHex = jwk?.crv === 'P-256' ? p256Hex(jwk) : undefined
  return publicKeyHex === undefined ? undefined : { type: 'Secp256r1', publicKeyHex }
}

function readableJwkOf({
  verificationMethodType,
  verificationMaterial,
}: LedgerVerificationMethod): PublicJwk | undefined {
  try {
    if (isVerificationMethodType(verificationMethodType))
      return materialJwk(verificationMethodType, verificationMaterial)
  } catch (error) {
    if (!(error instanceof MalformedKeyError)) throw error
  }
  return undefined
}

/** The ledger's error for the material of a verification method; `undefined` if it accepts it. */
export function ledgerMaterialProblem(type: string, material: string): string | undefined {
  try {
    assertLedgerKey(readLedgerKey(type, material))
    return undefined
  } catch (error) {
    if (error instanceof MalformedKeyError) return error.message
    throw error
  }
}

/**
 * Verifies as the ledger does: Ed25519 over the data itself, RSA-PSS with SHA-256 and a salt of any length, ECDSA
 * over SHA-256 with an ASN.1 DER signature. Anything malformed is not valid, nor is a signature under a key of low
 * order: documents of other ledgers, and older ones, may contain such a key.
 */
export function verifySignature(
  { verificationMethodType: type, verificationMaterial }: LedgerVerificationMethod,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  const name = JSON.stringify([type, verificationMaterial])
  const known = VERIFYING.get(name)
  const key = known ?? verifyingKey(type, verificationMaterial)
  if (!key) return false
  if (!known) VERIFYING.set(name, key)
  return verifyWith(key, data, signature)
}

/** Keys that signatures were verified with: each publisher has one, and reading it costs half as much as its use. */
const VERIFYING = new Cache<KeyObject>('key')

function verifyingKey(type: string, material: string): KeyObject | undefined {
  const ledgerKey = keyOrUndefined(type, material)
  if (!ledgerKey || (ledgerKey.kind === 'Ed25519' && isEd25519OfLowOrder(ledgerKey.bytes))) return undefined
  return keyObjectOfLedgerKey(ledgerKey)
}

function keyOrUndefined(type: string, material: string): LedgerKey | undefined {
  try {
    return readLedgerKey(type, material)
  } catch (error) {
    if (error instanceof MalformedKeyError) return undefined
    throw error
  }
}

function verifyWith(key: KeyObject, data: Uint8Array, signature: Uint8Array): boolean {
  if (key.asymmetricKeyType === 'ed25519') return verify(null, data, key, signature)
  if (key.asymmetricKeyType === 'ec') return verify('sha256', data, { key, dsaEncoding: 'der' }, signature)
  // OpenSSL would take one without its leading zeros.
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (signature.length !== Math.ceil(bits / 8)) return false
  const padding = constants.RSA_PKCS1_PSS_PADDING
  return verify('sha256', data, { key, padding, saltLength: constants.RSA_PSS_SALTLEN_AUTO }, signature)
}
