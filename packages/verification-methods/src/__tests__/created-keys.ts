import { ECDH } from 'node:crypto'
import { bytesToBase58, bytesToMultibase } from 'did-jwt'
import type { VerificationMethod } from 'did-resolver'
import { outsideKey } from '../../../../test/support/outside-key.js'
import type { KeyType } from '../public-key.js'

export const KEY_TYPES: KeyType[] = ['Ed25519', 'X25519', 'Secp256r1', 'Secp256k1']

/** A new public key in every encoding. */
export interface CreatedKey {
  type: KeyType
  jwk: { kty: string; crv: string; x: string; y?: string }
  /** raw, or the compressed point */
  bytes: Uint8Array
  /** the point in full, where it is one */
  uncompressed: Uint8Array
  /** hex as a KMS of Veramo writes it */
  kid: string
}

export function createKey(type: KeyType): CreatedKey {
  const { jwk } = outsideKey(type)
  const x = Buffer.from(jwk.x, 'base64url')
  if (jwk.y === undefined) return { type, jwk, bytes: x, uncompressed: x, kid: x.toString('hex') }
  const uncompressed = Buffer.concat([Buffer.from([4]), x, Buffer.from(jwk.y, 'base64url')])
  const curve = type === 'Secp256r1' ? 'prime256v1' : 'secp256k1'
  const bytes = ECDH.convertKey(uncompressed, curve, undefined, undefined, 'compressed') as Buffer
  const kid = (type === 'Secp256r1' ? bytes : uncompressed).toString('hex')
  return { type, jwk, bytes, uncompressed, kid }
}

const CODECS = {
  Ed25519: 'ed25519-pub',
  X25519: 'x25519-pub',
  Secp256r1: 'p256-pub',
  Secp256k1: 'secp256k1-pub',
} as const

const METHOD_TYPES: Record<KeyType, string[]> = {
  Ed25519: ['Ed25519VerificationKey2018', 'Ed25519VerificationKey2020'],
  X25519: ['X25519KeyAgreementKey2019', 'X25519KeyAgreementKey2020'],
  Secp256r1: ['EcdsaSecp256r1VerificationKey2019'],
  Secp256k1: ['EcdsaSecp256k1VerificationKey2019'],
}

/** Every way in which a verification method can hold the key. */
export function methodForms({ type, jwk, bytes, uncompressed }: CreatedKey): Partial<VerificationMethod>[] {
  const inBase58 = bytesToMultibase(bytes, 'base58btc', CODECS[type])
  const inBase64url = bytesToMultibase(bytes, 'base64url', CODECS[type])
  const shared = [
    { type: 'JsonWebKey2020', publicKeyJwk: jwk },
    { type: 'JsonWebKey', publicKeyJwk: { ...jwk, use: 'sig' as const } },
    { type: 'Multikey', publicKeyMultibase: inBase58 },
    { type: 'Multikey', publicKeyMultibase: inBase64url },
  ]
  const typed = METHOD_TYPES[type].flatMap((methodType) =>
    [
      { publicKeyJwk: jwk },
      { publicKeyMultibase: inBase58 },
      { publicKeyMultibase: bytesToMultibase(bytes) },
      { publicKeyBase58: bytesToBase58(bytes) },
      { publicKeyBase64: Buffer.from(bytes).toString('base64') },
      { publicKeyHex: Buffer.from(bytes).toString('hex') },
      { publicKeyHex: Buffer.from(uncompressed).toString('hex').toUpperCase() },
    ].map((form) => ({ type: methodType, ...form })),
  )
  return [...shared, ...typed]
}
