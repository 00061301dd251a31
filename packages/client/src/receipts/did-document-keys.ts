import { base58 } from '@scure/base'
import { base64UrlBytes, isObject } from './encodings.js'
import { Refused } from './refused.js'

export interface PublicKey {
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
export function assertionKey(document: unknown, did: string, kid: string): PublicKey {
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
