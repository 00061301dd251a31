import {
  createECDH,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type ED25519KeyPairOptions,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto'
import { CURVES, isPointCurve, type KeyType, type PointCurve } from './public-key.js'

/** A key pair in hex, lower case: 32 bytes, and the public key as {@link publicKeysOfPrivateKey} has it first. */
export interface KeyPair {
  privateKeyHex: string
  publicKeyHex: string
}

const KEY_BYTES = 32

/** The bytes before and after the 32 bytes of a private key. */
const DER: Record<KeyType, { type: 'pkcs8' | 'sec1'; before: string; after: string }> = {
  // RFC 8410
  Ed25519: { type: 'pkcs8', before: '302e020100300506032b657004220420', after: '' },
  X25519: { type: 'pkcs8', before: '302e020100300506032b656e04220420', after: '' },
  // RFC 5915, without the public key, which OpenSSL derives
  Secp256r1: { type: 'sec1', before: '30310201010420', after: 'a00a06082a8648ce3d030107' },
  Secp256k1: { type: 'sec1', before: '302e0201010420', after: 'a00706052b8104000a' },
}

const DER_ENCODINGS = {
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  // whose types ask for a password
} as ED25519KeyPairOptions<'der', 'der'>

/**
 * A new key pair.
 *
 * No KeyObject of `generateKeyPair` may ever be exported as a JWK: on Node.js 20 the export holds the lock of the key while
 * it allocates, and when the garbage collector then frees the job that made the key, the main thread waits for itself.
 */
export function newKeyPair(type: KeyType): KeyPair {
  const curve = CURVES[type]
  if (isPointCurve(curve)) return newPointPair(curve)
  const { privateKey, publicKey } =
    type === 'Ed25519'
      ? generateKeyPairSync('ed25519', DER_ENCODINGS)
      : generateKeyPairSync('x25519', DER_ENCODINGS)
  return { privateKeyHex: lastBytesHex(privateKey), publicKeyHex: lastBytesHex(publicKey) }
}

/**
 * @param publicKey - of Ed25519, if available: OpenSSL then need not read an encoding, which takes longer than
 *   signing
 * @throws if the 32 bytes are not a private key of this type
 */
export function privateKeyObject(type: KeyType, privateKey: Uint8Array, publicKey?: Uint8Array): KeyObject {
  if (type === 'Ed25519' && publicKey) {
    const [d, x] = [privateKey, publicKey].map((bytes) => Buffer.from(bytes).toString('base64url'))
    return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x } as JsonWebKey, format: 'jwk' })
  }
  const { before, after, type: encoding } = DER[type]
  const key = Buffer.concat([Buffer.from(before, 'hex'), privateKey, Buffer.from(after, 'hex')])
  return createPrivateKey({ key, format: 'der', type: encoding })
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
  return [
    lastBytesHex(createPublicKey(privateKeyObject(type, privateKey)).export(DER_ENCODINGS.publicKeyEncoding)),
  ]
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

/** The key in the DER encodings of RFC 8410, where it comes last. */
const lastBytesHex = (der: Buffer) => der.subarray(-KEY_BYTES).toString('hex')
