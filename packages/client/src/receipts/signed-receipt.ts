import { ed25519 } from '@noble/curves/ed25519'
import { p256 } from '@noble/curves/nist'
import { secp256k1 } from '@noble/curves/secp256k1'
import { sha256 } from '@noble/hashes/sha2'
import { base58 } from '@scure/base'
import type { components } from '../api-types.js'
import { base64UrlBytes, jsonObjectIn, isObject } from './encodings.js'
import { Refused } from './refused.js'

/** `typ` used by receipts only. */
const TYP = 'status-receipt+jwt'

/** The content of a receipt for a status list update. */
export type StatusReceipt = NonNullable<components['schemas']['ReceiptVerification']['receipt']>

const CURVE_OF: Record<string, PublicKey['curve']> = { EdDSA: 'Ed25519', ES256: 'P-256', ES256K: 'secp256k1' }

/** A parsed, unverified receipt. */
export interface ParsedReceipt {
  claims: StatusReceipt
  curve: PublicKey['curve']
  kid: string
  signed: Uint8Array
  signature: Uint8Array
}

/** @throws Refused if it is not a receipt */
export function parseReceipt(receipt: unknown): ParsedReceipt {
  if (typeof receipt !== 'string') throw new Refused('a receipt must be a string')
  const [first = '', second = '', third = '', ...rest] = receipt.split('.')
  if (rest.length > 0 || first === '' || second === '' || third === '')
    throw new Refused('it is not a compact JWS of three parts')
  const header = jsonObjectIn(first, 'header')
  if (header.typ !== TYP) throw new Refused(`its typ must be ${TYP}`)
  if ('crit' in header) throw new Refused('it demands extensions (crit) that are not supported')
  const curve =
    typeof header.alg === 'string' && Object.hasOwn(CURVE_OF, header.alg) ? CURVE_OF[header.alg] : undefined
  if (!curve) throw new Refused('its alg must be EdDSA, ES256 or ES256K')
  if (typeof header.kid !== 'string') throw new Refused('its kid must name a verification method')
  const claims = receiptClaims(jsonObjectIn(second, 'payload'))
  const signed = new TextEncoder().encode(`${first}.${second}`)
  return { claims, curve, kid: header.kid, signed, signature: base64UrlBytes(third, 'signature') }
}

/**
 * Verifies the signature with a key listed under `assertionMethod` in the document, on the curve of the algorithm.
 *
 * @throws Refused
 */
export function demandSignature(
  { claims, curve, kid, signed, signature }: ParsedReceipt,
  document: unknown,
): void {
  const key = assertionKey(document, claims.iss, kid)
  if (key.curve !== curve) throw new Refused(`its alg is not for a key of the type ${key.curve}`)
  if (!isSignature(key, signed, signature)) throw new Refused('its signature is invalid')
}

function isSignature({ curve, bytes }: PublicKey, signed: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== 64) return false
  try {
    if (curve === 'Ed25519') return ed25519.verify(signature, signed, bytes, { zip215: false })
    const ecdsa = curve === 'P-256' ? p256 : secp256k1
    // JOSE accepts both of the equivalent ECDSA signature values.
    return ecdsa.verify(signature, sha256(signed), bytes, { lowS: false })
  } catch {
    return false
  }
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const isText = (value: unknown): value is string => typeof value === 'string'

const CLAIMS: { [Name in keyof StatusReceipt]: (value: unknown) => boolean } = {
  iss: (value) => isText(value) && /^did:[a-z0-9]+:\S+$/.test(value),
  iat: isWhole,
  list: (value) => isText(value) && value !== '',
  indices: (value) => Array.isArray(value) && value.length > 0 && value.every(isWhole),
  action: (value) => isText(value) && value !== '',
  status: (value) => isWhole(value) && value <= 255,
  resourceId: isText,
  resourceVersion: isText,
  checksum: (value) => isText(value) && /^[0-9a-f]{64}$/.test(value),
}

function receiptClaims(payload: Record<string, unknown>): StatusReceipt {
  const names = Object.keys(CLAIMS) as (keyof StatusReceipt)[]
  const wrong = names.filter((name) => !CLAIMS[name](payload[name]))
  if (wrong.length > 0) throw new Refused(`its payload has no valid ${wrong.join(', ')}`)
  return Object.fromEntries(names.map((name) => [name, payload[name]])) as unknown as StatusReceipt
}

interface PublicKey {
  curve: 'Ed25519' | 'P-256' | 'secp256k1'
  /** compressed, or as 0x04 with both coordinates */
  bytes: Uint8Array
}

/** Multicodec prefixes of keys (varint), with the length of the key. */
const MULTICODEC: readonly {
  prefix: readonly [number, number]
  curve: PublicKey['curve']
  length: number
}[] = [
  { prefix: [0xed, 0x01], curve: 'Ed25519', length: 32 },
  { prefix: [0x80, 0x24], curve: 'P-256', length: 33 },
  { prefix: [0xe7, 0x01], curve: 'secp256k1', length: 33 },
]

/** Longer texts cannot be keys, and base58 decoding takes quadratic time. */
const MOST_CHARACTERS = 256

/**
 * The key of a verification method listed under `assertionMethod` in a DID document.
 *
 * @throws Refused
 */
function assertionKey(document: unknown, did: string, kid: string): PublicKey {
  if (!isObject(document) || document.id !== did)
    throw new Refused('the DID document is not that of its issuer')
  const absolute = (id: unknown) => (typeof id === 'string' && id.startsWith('#') ? did + id : id)
  const asserting: unknown[] = [document.assertionMethod ?? []].flat()
  const named = asserting.find((entry) => absolute(isObject(entry) ? entry.id : entry) === kid)
  const methods: unknown[] = [document.verificationMethod ?? []].flat()
  const method = isObject(named)
    ? named
    : methods.find((one) => isObject(one) && named !== undefined && absolute(one.id) === kid)
  if (!isObject(method)) throw new Refused('its kid is not an assertion method in the DID document')
  const key = importMethodKey(method)
  if (!key) throw new Refused('the key of its verification method cannot be read')
  return key
}

function importMethodKey({
  type,
  publicKeyJwk,
  publicKeyMultibase,
  publicKeyBase58,
}: Record<string, unknown>): PublicKey | undefined {
  if (isObject(publicKeyJwk)) return keyOfJwk(publicKeyJwk)
  if (typeof publicKeyMultibase === 'string' && publicKeyMultibase.startsWith('z'))
    return keyOfMulticodec(base58Bytes(publicKeyMultibase.slice(1)))
  if (typeof publicKeyBase58 !== 'string') return undefined
  const bytes = base58Bytes(publicKeyBase58)
  if (!bytes) return undefined
  if (type === 'Ed25519VerificationKey2018' && bytes.length === 32) return { curve: 'Ed25519', bytes }
  if (type === 'EcdsaSecp256k1VerificationKey2019' && bytes.length === 33)
    return { curve: 'secp256k1', bytes }
  return undefined
}

function keyOfJwk({ kty, crv, x, y }: Record<string, unknown>): PublicKey | undefined {
  const coordinate = (value: unknown) => {
    const bytes =
      typeof value === 'string' && value.length <= MOST_CHARACTERS ? base64UrlBytes(value, 'JWK') : undefined
    return bytes?.length === 32 ? bytes : undefined
  }
  const [first, second] = [coordinate(x), coordinate(y)]
  if (kty === 'OKP' && crv === 'Ed25519' && first) return { curve: crv, bytes: first }
  if (kty !== 'EC' || (crv !== 'P-256' && crv !== 'secp256k1') || !first || !second) return undefined
  return { curve: crv, bytes: Uint8Array.of(4, ...first, ...second) }
}

function keyOfMulticodec(bytes: Uint8Array | undefined): PublicKey | undefined {
  const found = MULTICODEC.find(
    ({ prefix, length }) => bytes?.length === length + 2 && bytes[0] === prefix[0] && bytes[1] === prefix[1],
  )
  return found && bytes ? { curve: found.curve, bytes: bytes.slice(2) } : undefined
}

function base58Bytes(text: string): Uint8Array | undefined {
  try {
    return text.length <= MOST_CHARACTERS ? base58.decode(text) : undefined
  } catch {
    return undefined
  }
}
