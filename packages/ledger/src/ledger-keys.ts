import { createPublicKey, X509Certificate, type KeyObject } from 'node:crypto'
import { isText, decodeText, scanMembers, type JsonMember } from './json-scanner.js'
import { decodeLooseMultibaseKey, decodeBase58Key, isEd25519Point, MalformedKeyError } from './public-keys.js'

/**
 * A public key as cheqd-node reads it from a verification method; whether its numbers are valid is checked
 * separately.
 */
export type LedgerKey =
  | { kind: 'Ed25519'; bytes: Buffer }
  | { kind: 'EC'; crv: string; x: Buffer; y: Buffer }
  | { kind: 'RSA'; n: Buffer; e: Buffer }

const COORDINATE_BYTES: Readonly<Record<string, number>> = { 'P-256': 32, 'P-384': 48, 'P-521': 66 }
// The reader of the node takes `x58` for `x5u`, of which anything will do.
const TEXT_MEMBERS = ['alg', 'kid', 'use', 'x5t', 'x5t#S256', 'x58', 'crv']
const NUMBERS: Readonly<Record<string, readonly string[]>> = { OKP: ['x'], EC: ['x', 'y'], RSA: ['n', 'e'] }

/**
 * Reads a key as the ledger does, which takes more than anybody should sign for: see `stricter-rules.ts`.
 *
 * @throws MalformedKeyError
 */
export function readLedgerKey(type: string, material: string): LedgerKey {
  switch (type) {
    case 'Ed25519VerificationKey2018':
      return ed25519(decodeBase58Key(material))
    case 'Ed25519VerificationKey2020':
      return ed25519(decodeLooseMultibaseKey(material))
    case 'JsonWebKey2020':
      return readJwk(material)
    default:
      throw new MalformedKeyError(`${type} is not a verification method type that the ledger supports`)
  }
}

function ed25519(bytes: Uint8Array): LedgerKey {
  if (bytes.length !== 32) throw new MalformedKeyError(`ed25519: bad public key length: ${bytes.length}`)
  return { kind: 'Ed25519', bytes: Buffer.from(bytes) }
}

/**
 * The ledger's checks of keys in a new document: checking a point costs more than everything else about a message,
 * and invalid bytes never verify anything.
 *
 * @throws MalformedKeyError
 */
export function assertLedgerKey(key: LedgerKey): void {
  if (key.kind !== 'Ed25519' || isEd25519Point(key.bytes)) return
  throw new MalformedKeyError('edwards25519: invalid point encoding')
}

/** The first JSON value of the text; of members that come twice the last one counts, and every one must fit. */
function readJwk(text: string): LedgerKey {
  const members = scanMembers(Buffer.from(text))?.members
  if (!members) throw new MalformedKeyError("can't parse jwk: it does not begin with a JSON object")
  const kty = keyType(members)
  if (members.some(({ name }) => isCalled(name, 'd'))) {
    throw new MalformedKeyError(
      'unsupported jwk type: PrivateKey. supported types are: rsa/pub, ecdsa/pub, ed25519/pub',
    )
  }
  const values = keyValues(members, kty)
  if (kty === 'RSA') return { kind: 'RSA', n: keyNumber(values, 'n'), e: keyNumber(values, 'e') }
  const crv = values.get('crv')
  if (typeof crv !== 'string') throw missing('crv')
  if (kty === 'OKP') {
    const x = keyNumber(values, 'x')
    if (crv !== 'Ed25519') throw new MalformedKeyError(`can't parse jwk: invalid curve algorithm ${crv}`)
    return ed25519(x)
  }
  const point = { x: keyNumber(values, 'x'), y: keyNumber(values, 'y') }
  if (!Object.hasOwn(COORDINATE_BYTES, crv))
    throw new MalformedKeyError(`can't parse jwk: invalid curve algorithm ${crv}`)
  return { kind: 'EC', crv, ...point }
}

/** This one is found in any case. */
function keyType(members: readonly JsonMember[]): string {
  const types = members.filter(({ name }) => isCalled(name, 'kty'))
  if (types.some(({ value }) => !isTextOrNull(value)))
    throw new MalformedKeyError("can't parse jwk: kty is not a text")
  const kty = types.reduce((last, { value }) => (isText(value) ? decodeText(value) : last), '')
  if (Object.hasOwn(NUMBERS, kty)) return kty
  throw new MalformedKeyError(
    kty === 'oct'
      ? 'unsupported jwk type: . supported types are: rsa/pub, ecdsa/pub, ed25519/pub'
      : `can't parse jwk: invalid key type from JSON (${kty})`,
  )
}

const isCalled = (name: string, wanted: string) => name.toLowerCase() === wanted
const isNull = (value: Buffer) => value[0] === 0x6e
const isTextOrNull = (value: Buffer) => isText(value) || isNull(value)
const readText = (value: Buffer) => (isText(value) ? decodeText(value) : '')

type Values = Map<string, string | Buffer>

function keyValues(members: readonly JsonMember[], kty: string): Values {
  const values: Values = new Map()
  for (const { name, value } of members) {
    const isNumber = NUMBERS[kty]?.includes(name) ?? false
    if (name === 'kty' && readText(value) !== kty)
      throw new MalformedKeyError(`can't parse jwk: invalid kty value (${readText(value)})`)
    const isKnownText = isNumber || name === 'kty' || isTextMember(name, kty)
    if (isKnownText && !isTextOrNull(value))
      throw new MalformedKeyError(`can't parse jwk: ${name} is not a text`)
    if (name === 'key_ops') demandTexts(name, value)
    else if (name === 'x5c') demandCertificates(demandTexts(name, value))
    else if (isNumber) values.set(name, decodeLooseBase64(name, readText(value)))
    else if (isKnownText) values.set(name, readText(value))
    else demandNumbers(name, value)
  }
  return values
}

/** An RSA key has no curve, so that the member may hold anything. */
const isTextMember = (name: string, kty: string) =>
  TEXT_MEMBERS.includes(name) && !(kty === 'RSA' && name === 'crv')

function demandTexts(name: string, value: Buffer): string[] {
  const list: unknown = JSON.parse(value.toString('utf8'))
  if (list === null) return []
  if (Array.isArray(list) && list.every((one) => typeof one === 'string' || one === null)) {
    return list.map((one: string | null) => one ?? '')
  }
  throw new MalformedKeyError(`can't parse jwk: ${name} is not a list of texts`)
}

function demandCertificates(certificates: readonly string[]): void {
  for (const certificate of certificates) {
    try {
      new X509Certificate(decodeLooseBase64('x5c', certificate))
    } catch {
      throw new MalformedKeyError("can't parse jwk: x5c has something else than certificates")
    }
  }
}

/** Whatever else there is, its numbers are of 64 bits. */
function demandNumbers(name: string, value: Buffer): void {
  JSON.parse(value.toString('utf8'), (_, member: unknown) => {
    if (typeof member !== 'number' || Number.isFinite(member)) return member
    throw new MalformedKeyError(`can't parse jwk: could not decode field ${name}`)
  })
}

/** base64 or base64url, padded or not, with line breaks anywhere. */
function decodeLooseBase64(name: string, text: string): Buffer {
  const alphabet = /[+/]/.test(text) ? 'A-Za-z0-9+/' : 'A-Za-z0-9_-'
  const isPadded = text.endsWith('=')
  const digits = text.replace(/[\r\n]/g, '')
  const form = isPadded
    ? `^(?:[${alphabet}]{4})*(?:[${alphabet}]{2}==|[${alphabet}]{3}=)$`
    : `^(?:[${alphabet}]{4})*(?:[${alphabet}]{2,3})?$`
  if (new RegExp(form).test(digits)) return Buffer.from(digits, 'base64')
  throw new MalformedKeyError(
    `can't parse jwk: failed to decode value for key ${name}: expected base64 encoded []byte (string)`,
  )
}

function keyNumber(values: Values, name: string): Buffer {
  const value = values.get(name)
  if (typeof value !== 'object') throw missing(name)
  return value
}

const missing = (name: string) => new MalformedKeyError(`can't parse jwk: required field ${name} is missing`)

/** `undefined` if nothing can be verified with the key. */
export function keyObjectOfLedgerKey(key: LedgerKey): KeyObject | undefined {
  const jwk = usableJwk(key)
  try {
    return jwk && createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    return undefined
  }
}

function usableJwk(key: LedgerKey) {
  const base64url = (bytes: Buffer) => bytes.toString('base64url')
  switch (key.kind) {
    case 'Ed25519':
      return { kty: 'OKP', crv: 'Ed25519', x: base64url(key.bytes) }
    case 'EC': {
      const size = COORDINATE_BYTES[key.crv] ?? 0
      const [x, y] = [withoutZeros(key.x), withoutZeros(key.y)]
      if (x.length > size || y.length > size) return undefined
      const full = (number: Buffer) => base64url(Buffer.concat([Buffer.alloc(size - number.length), number]))
      return { kty: 'EC', crv: key.crv, x: full(x), y: full(y) }
    }
    case 'RSA': {
      // The node has it in 64 bits, and uses odd ones of at most 31.
      const exponent = BigInt.asIntN(64, BigInt(`0x0${key.e.toString('hex')}`))
      if (exponent < 3n || exponent > 0x7fffffffn || exponent % 2n === 0n) return undefined
      const e = Buffer.from(exponent.toString(16).padStart(8, '0'), 'hex')
      return { kty: 'RSA', n: base64url(withoutZeros(key.n)), e: base64url(withoutZeros(e)) }
    }
  }
}

function withoutZeros(number: Buffer): Buffer {
  const first = number.findIndex((byte) => byte !== 0)
  return first < 0 ? Buffer.alloc(0) : number.subarray(first)
}
