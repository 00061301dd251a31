import { constants, createPublicKey, verify, X509Certificate, type KeyObject } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import {
  decodeText,
  isText,
  scanMembers,
  type JsonMember,
} from '../../../../packages/ledger/src/json-scanner.js'
import { fromBase58 } from './ids.js'

/** A key that nothing can be verified with is `undefined`; one that is no key at all is a sentence. */
type Key = { jwk: Record<string, string> | undefined } | string

interface Method {
  verificationMethodType: string
  verificationMaterial: string
}

/** Why a node does not take the material; it looks only at that of types that it knows. */
export function materialFault(method: Method): string | undefined {
  const key = keyOf(method)
  return typeof key === 'string' ? key : undefined
}

export function isSignedBy(method: Method, data: Uint8Array, signature: Uint8Array): boolean {
  const key = keyOf(method)
  if (typeof key === 'string' || !key.jwk) return false
  try {
    return isSignedWith(createPublicKey({ key: key.jwk, format: 'jwk' }), data, signature)
  } catch {
    return false
  }
}

function isSignedWith(key: KeyObject, data: Uint8Array, signature: Uint8Array): boolean {
  if (key.asymmetricKeyType === 'ed25519') return verify(null, data, key, signature)
  if (key.asymmetricKeyType === 'ec') return verify('sha256', data, { key, dsaEncoding: 'der' }, signature)
  const size = Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8)
  const pss = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
  return signature.length === size && verify('sha256', data, pss, signature)
}

function keyOf({ verificationMethodType: type, verificationMaterial: material }: Method): Key {
  if (type === 'Ed25519VerificationKey2018')
    return edwardsKey(fromShortBase58(material) ?? 'invalid base58 digit')
  return type === 'Ed25519VerificationKey2020' ? multibaseKey(material) : jsonWebKey(material)
}

function fromShortBase58(text: string): Buffer | undefined {
  return text.length < 100 ? fromBase58(text) : Buffer.from(text)
}

function multibaseKey(material: string): Key {
  if (!material.startsWith('z')) return 'selected encoding not supported'
  const bytes = fromShortBase58(material.slice(1))
  if (!bytes) return 'Invalid base58 digit'
  if (bytes[0] !== 0xed && bytes[1] !== 0x01) {
    return `invalid two-byte prefix for Ed25519VerificationKey2020. expected: 0xed01 actual: 0x${bytes.toString('hex', 0, 2)}`
  }
  return edwardsKey(bytes.subarray(2))
}

function edwardsKey(bytes: Buffer | string): Key {
  if (typeof bytes === 'string') return bytes
  if (bytes.length !== 32) return `ed25519: bad public key length: ${bytes.length}`
  try {
    ed25519.Point.fromBytes(bytes, true)
  } catch {
    return 'edwards25519: invalid point encoding'
  }
  return { jwk: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') } }
}

const NUMBERS: Partial<Record<string, string[]>> = { OKP: ['x'], EC: ['x', 'y'], RSA: ['n', 'e'] }

/** What the node's reader makes of a JWK: the first JSON object of the text, every member by itself. */
function jsonWebKey(material: string): Key {
  const members = scanMembers(Buffer.from(material))?.members ?? []
  const types = members.filter(({ name }) => name.toLowerCase() === 'kty')
  const kty =
    types
      .filter(({ value }) => isText(value))
      .map(textOf)
      .at(-1) ?? ''
  const numbers = NUMBERS[kty]
  if (!numbers || types.some(isNoText)) return "can't parse jwk: invalid key type from JSON"
  if (members.some(({ name }) => name.toLowerCase() === 'd')) {
    return 'unsupported jwk type: PrivateKey. supported types are: rsa/pub, ecdsa/pub, ed25519/pub'
  }
  const broken = members.find((member) => !fits(member, kty, numbers))
  if (broken) return `can't parse jwk: failed to decode value for key ${broken.name}`
  const read = new Map(members.map((member) => [member.name, textOf(member)]))
  const absent = [...(kty === 'RSA' ? [] : ['crv']), ...numbers].find((name) => !read.has(name))
  if (absent !== undefined) return `can't parse jwk: required field ${absent} is missing`
  const [first, second] = numbers.map((name) => looseBase64(read.get(name) ?? '') ?? Buffer.alloc(0))
  const crv = read.get('crv') ?? ''
  if (kty === 'OKP')
    return crv === 'Ed25519' ? edwardsKey(first ?? '') : `can't parse jwk: invalid curve algorithm ${crv}`
  return kty === 'EC' ? pointKey(crv, first, second) : rsaKey(first, second)
}

const textOf = ({ value }: JsonMember) => (isText(value) ? decodeText(value) : '')
const isNoText = ({ value }: JsonMember) => !isText(value) && value.toString() !== 'null'

function fits(member: JsonMember, kty: string, numbers: string[]): boolean {
  const { name, value } = member
  if (name === 'kty') return textOf(member) === kty
  if (numbers.includes(name)) return !isNoText(member) && looseBase64(textOf(member)) !== undefined
  if (['alg', 'kid', 'use', 'x5t', 'x5t#S256', 'x58'].includes(name)) return !isNoText(member)
  if (name === 'crv' && kty !== 'RSA') return !isNoText(member)
  if (name !== 'key_ops' && name !== 'x5c') return hasFiniteNumbers(value)
  const list: unknown = JSON.parse(value.toString())
  if (list !== null && !Array.isArray(list)) return false
  const texts: unknown[] = list ?? []
  return (
    texts.every((one) => one === null || typeof one === 'string') &&
    (name === 'key_ops' || texts.every(isCertificate))
  )
}

/** What stands in 64 bits. */
function hasFiniteNumbers(value: Buffer): boolean {
  let isFinite = true
  JSON.parse(value.toString(), (_, member: unknown) => {
    if (typeof member === 'number' && !Number.isFinite(member)) isFinite = false
    return member
  })
  return isFinite
}

function isCertificate(text: unknown): boolean {
  try {
    return new X509Certificate(looseBase64(String(text)) ?? '').raw.length > 0
  } catch {
    return false
  }
}

/** Any of the four forms of base64, but not two of them at once; line breaks count for nothing. */
function looseBase64(text: string): Buffer | undefined {
  const digits = text.replaceAll(/[\r\n]/g, '')
  const bare = text.endsWith('=') ? digits.replace(/={1,2}$/, '') : digits
  const isWhole = text.endsWith('=') ? digits.length % 4 === 0 && bare.length % 4 > 1 : bare.length % 4 !== 1
  const isOfOneKind = /^[\w-]*$/.test(bare) || /^[a-zA-Z0-9+/]*$/.test(bare)
  return isWhole && isOfOneKind ? Buffer.from(bare, 'base64') : undefined
}

const numberOf = (bytes: Buffer | undefined) => BigInt(`0x0${bytes?.toString('hex') ?? ''}`)
const SIZES: Partial<Record<string, number>> = { 'P-256': 32, 'P-384': 48, 'P-521': 66 }

function pointKey(crv: string, x: Buffer | undefined, y: Buffer | undefined): Key {
  const size = SIZES[crv]
  if (size === undefined) return `can't parse jwk: invalid curve algorithm ${crv}`
  const [left, right] = [x, y].map((bytes) =>
    numberOf(bytes)
      .toString(16)
      .padStart(2 * size, '0'),
  )
  if (left?.length !== 2 * size || right?.length !== 2 * size) return { jwk: undefined }
  const encoded = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')
  return { jwk: { kty: 'EC', crv, x: encoded(left), y: encoded(right) } }
}

function rsaKey(n: Buffer | undefined, e: Buffer | undefined): Key {
  const exponent = BigInt.asIntN(64, numberOf(e))
  if (exponent < 3n || exponent >= 2n ** 31n || exponent % 2n === 0n) return { jwk: undefined }
  const encoded = (number: bigint) => {
    const hex = number.toString(16)
    return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url')
  }
  return { jwk: { kty: 'RSA', n: encoded(numberOf(n)), e: encoded(exponent) } }
}
