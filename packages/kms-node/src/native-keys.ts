import { createECDH, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { KEY_ALG_MAPPING, type TKeyType } from '@veramo/core-types'

/** What node:crypto needs to know of a type of key; formats as in `@veramo/kms-local`. */
export interface NativeKeyType {
  /** `meta.algorithms` */
  readonly algorithms: readonly string[]
  /** @throws where the 32 bytes are no valid private key */
  keyObject(privateKey: Buffer): KeyObject
  publicKeyHex(privateKey: Buffer): string
  /** the same public key in other encodings that callers use, lower case */
  alternatives(privateKey: Buffer): string[]
}

export const PRIVATE_KEY_BYTES = 32

/** RFC 8410: PKCS #8 of a key whose private half is 32 bytes; `oid` is the last byte of 1.3.101.x */
const okpKey = (oid: number, privateKey: Buffer) =>
  createPrivateKey({
    key: Buffer.concat([
      Buffer.from('302e020100300506032b65', 'hex'),
      Buffer.from([oid]),
      Buffer.from('04220420', 'hex'),
      privateKey,
    ]),
    format: 'der',
    type: 'pkcs8',
  })

/** RFC 5915: SEC 1 without the public key, which OpenSSL derives. */
const ecKey = (header: string, curve: string, privateKey: Buffer) =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from(header, 'hex'), privateKey, Buffer.from(curve, 'hex')]),
    format: 'der',
    type: 'sec1',
  })

function ecPoint(curve: string, privateKey: Buffer, format: 'compressed' | 'uncompressed'): string {
  const ecdh = createECDH(curve)
  // Refuses 0 and everything from the order of the curve on.
  ecdh.setPrivateKey(privateKey)
  return ecdh.getPublicKey('hex', format)
}

const okpPoint = (key: KeyObject) =>
  Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex')

const okp = (oid: number, algorithms: readonly string[]): NativeKeyType => ({
  algorithms,
  keyObject: (privateKey) => okpKey(oid, privateKey),
  publicKeyHex: (privateKey) => okpPoint(okpKey(oid, privateKey)),
  alternatives: () => [],
})

const ec = (
  curve: string,
  [header, parameters]: readonly [string, string],
  format: 'compressed' | 'uncompressed',
  algorithms: readonly string[],
): NativeKeyType => ({
  algorithms,
  keyObject: (privateKey) => ecKey(header, parameters, privateKey),
  publicKeyHex: (privateKey) => ecPoint(curve, privateKey, format),
  alternatives: (privateKey) => [
    ecPoint(curve, privateKey, format === 'compressed' ? 'uncompressed' : 'compressed'),
  ],
})

const TYPES = new Map<TKeyType, NativeKeyType>([
  ['Ed25519', okp(0x70, [...KEY_ALG_MAPPING['Ed25519']!, 'Ed25519'])],
  ['X25519', okp(0x6e, KEY_ALG_MAPPING['X25519']!)],
  ['Secp256r1', ec('prime256v1', ['303102010104 20', 'a00a06082a8648ce3d030107'], 'compressed', ['ES256'])],
])
