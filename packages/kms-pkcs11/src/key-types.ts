import { createHash } from 'node:crypto'
import type { SIGNING_ALGORITHMS } from '@vidimus/core-types'
import { publicKeyHexOf, publicKeyOfBytes } from '@vidimus/verification-methods'

/** Types of keys that a token can make for us; Veramo's names. */
export type TokenKeyType = keyof typeof SIGNING_ALGORITHMS

// PKCS #11 Specification Version 3.1, sections 6.3.10 to 6.3.16; pkcs11js only names those of version 2.40.
const CKM_EC_KEY_PAIR_GEN = 0x1040
const CKM_ECDSA = 0x1041
const CKM_EC_EDWARDS_KEY_PAIR_GEN = 0x1055
const CKM_EDDSA = 0x1057

/** How a token makes and uses keys of one type. */
export interface KeyTypeOnToken {
  readonly type: TokenKeyType
  /** mechanism that makes a key pair */
  readonly generation: number
  readonly signature: number
  /** DER of `CKA_EC_PARAMS`; libraries accept different forms, so they are tried in this order */
  readonly parameters: readonly Buffer[]
  /** The input that the token signs: the data itself, or its digest. */
  toSign(data: Uint8Array): Buffer
}

const itself = (data: Uint8Array): Buffer => Buffer.from(data)
const sha256 = (data: Uint8Array): Buffer => createHash('sha256').update(data).digest()

const objectIdentifier = (hex: string): Buffer => Buffer.from(hex, 'hex')
const curveName = (name: string): Buffer =>
  Buffer.concat([Buffer.from([0x13, name.length]), Buffer.from(name, 'ascii')])

export const KEY_TYPES: readonly KeyTypeOnToken[] = [
  {
    type: 'Ed25519',
    generation: CKM_EC_EDWARDS_KEY_PAIR_GEN,
    signature: CKM_EDDSA,
    // 1.3.101.112 (RFC 8410), and the name that the specification of PKCS#11 has beside it
    parameters: [objectIdentifier('06032b6570'), curveName('edwards25519')],
    toSign: itself,
  },
  {
    type: 'Secp256r1',
    generation: CKM_EC_KEY_PAIR_GEN,
    signature: CKM_ECDSA,
    // 1.2.840.10045.3.1.7 (RFC 5480)
    parameters: [objectIdentifier('06082a8648ce3d030107')],
    toSign: sha256,
  },
  {
    type: 'Secp256k1',
    generation: CKM_EC_KEY_PAIR_GEN,
    signature: CKM_ECDSA,
    // 1.3.132.0.10 (SEC 2)
    parameters: [objectIdentifier('06052b8104000a')],
    toSign: sha256,
  },
]

/**
 * The public key of `CKA_EC_POINT`: a DER octet string around the point (PKCS #11 Version 3.1, section 6.3.3), which
 * some libraries omit.
 *
 * @returns hex in Veramo's form; `undefined` if the bytes are not a key of the type
 */
export function publicKeyHexOfPoint(type: TokenKeyType, point: Buffer): string | undefined {
  for (const bytes of [unwrapped(point), point]) {
    const key = bytes && publicKeyOfBytes(type, bytes)
    if (key) return publicKeyHexOf(key)
  }
  return undefined
}

/** The content of a DER octet string of at most 127 bytes. */
const unwrapped = (der: Buffer): Buffer | undefined =>
  der[0] === 0x04 && der[1] === der.length - 2 ? der.subarray(2) : undefined

/** `CKA_ID` of both halves: by it a key is found, whatever name a caller gave it. */
export const idOfPublicKey = (publicKeyHex: string): Buffer =>
  createHash('sha256').update(Buffer.from(publicKeyHex, 'hex')).digest().subarray(0, 20)
