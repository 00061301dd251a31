import { createECDH, createPrivateKey, createPublicKey, randomBytes, type KeyObject } from 'node:crypto'
import { CURVES, isPointCurve, type KeyType, type OctetCurve, type PointCurve } from './public-key.js'

/** A key pair in hex, lower case: 32 bytes, and the public key as {@link publicKeysOfPrivateKey} has it first. */
export interface KeyPair {
  privateKeyHex: string
  publicKeyHex: string
}

/** A key pair that was just made. */
export interface NewKeyPair extends KeyPair {
  /** the private key, where it was needed for the public one: reading it again takes longer than signing */
  keyObject?: KeyObject
}

const KEY_BYTES = 32

/** RFC 5915, without the public key, which OpenSSL derives: the bytes before and after those of the private key. */
const SEC1 = {
  prime256v1: { before: '30310201010420', after: 'a00a06082a8648ce3d030107' },
  secp256k1: { before: '302e0201010420', after: 'a00706052b8104000a' },
}

/** A new key pair. Each 32 random bytes are a private key of Ed25519 (RFC 8032, 5.1.5) and of X25519 (RFC 7748, 5). */
export function newKeyPair(type: KeyType): NewKeyPair {
  const curve = CURVES[type]
  if (isPointCurve(curve)) return newPointPair(curve)
  const privateKey = randomBytes(KEY_BYTES)
  const keyObject = octetKeyObject(curve, privateKey)
  return { privateKeyHex: privateKey.toString('hex'), publicKeyHex: publicBytes(keyObject), keyObject }
}

/** @throws if the 32 bytes are not a private key of this type */
export function privateKeyObject(type: KeyType, privateKey: Uint8Array): KeyObject {
  const curve = CURVES[type]
  if (!isPointCurve(curve)) return octetKeyObject(curve, privateKey)
  const { before, after } = SEC1[curve.curve]
  const key = Buffer.concat([Buffer.from(before, 'hex'), privateKey, Buffer.from(after, 'hex')])
  return createPrivateKey({ key, format: 'der', type: 'sec1' })
}

/** In DER, as a JWK must have the right public key, which is not known yet. */
function octetKeyObject({ pkcs8 }: OctetCurve, privateKey: Uint8Array): KeyObject {
  // OpenSSL ignores what follows.
  if (privateKey.length !== KEY_BYTES) throw new RangeError(`a private key has ${KEY_BYTES} bytes`)
  const key = Buffer.concat([Buffer.from(pkcs8, 'hex'), privateKey])
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

/**
 * The public key in hex, lower case: first as a KMS of Veramo writes it, which is also the `kid`, then in the other
 * encodings that callers use.
 *
 * @throws if the 32 bytes are not a private key of this type
 */
export function publicKeysOfPrivateKey(type: KeyType, privateKey: Uint8Array): [string, ...string[]] {
  const curve = CURVES[type]
  if (isPointCurve(curve)) return publicPoints(curve, privateKey)
  return [publicBytes(octetKeyObject(curve, privateKey))]
}

/**
 * Exported as a JWK: OpenSSL takes 75 times as long to write it in DER, twice as long as making the key takes. That is
 * forbidden for keys of `generateKeyPair`: on Node.js 20 it holds the lock of the key while it allocates, and when the
 * garbage collector then frees the job that made the key, the main thread waits for itself.
 *
 * @param privateKey - of 32 bytes, as {@link octetKeyObject} reads it
 */
function publicBytes(privateKey: KeyObject): string {
  // eslint-disable-next-line no-restricted-syntax -- no job of generateKeyPair made this object
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  return Buffer.from(x, 'base64url').toString('hex')
}

function newPointPair({ curve, kmsForm }: PointCurve): KeyPair {
  const ecdh = createECDH(curve)
  ecdh.generateKeys()
  // OpenSSL leaves out leading zeros.
  const privateKeyHex = ecdh.getPrivateKey('hex').padStart(2 * KEY_BYTES, '0')
  return { privateKeyHex, publicKeyHex: ecdh.getPublicKey('hex', kmsForm) }
}

function publicPoints({ curve, kmsForm }: PointCurve, privateKey: Uint8Array): [string, string] {
  const ecdh = createECDH(curve)
  // Refuses 0 and everything from the order of the curve on.
  ecdh.setPrivateKey(privateKey)
  const other = kmsForm === 'compressed' ? 'uncompressed' : 'compressed'
  return [ecdh.getPublicKey('hex', kmsForm), ecdh.getPublicKey('hex', other)]
}
