import { base58ToBytes } from 'did-jwt'
import { problemsError, type SigningRelationship } from '@vidimus/core-types'
import type { DIDDocument, VerificationMethod } from 'did-resolver'
import { absoluteId } from './allowed-methods.js'
import { verificationMethodsOf } from './public-keys-of-document.js'
import { RSA, rsaBits } from './verifying-key.js'

/** Key types in the registry of multicodecs that are not supported, by their varints in hex. */
const CODECS: Readonly<Record<string, string>> = {
  '8224': 'P-521',
  '8324': 'Ed448',
  '8424': 'X448',
  '8524': 'RSA',
  ea01: 'BLS12-381 G1',
  eb01: 'BLS12-381 G2',
  ee01: 'BLS12-381 G1 and G2',
  '8624': 'SM2',
}

/** Of them, RSA is supported as JWK alone, in the documents of other methods. */
const PREFIX_BYTES = 2

/** Longer texts are no keys of these types; decoding takes quadratic time. */
const MOST_CHARACTERS = 1024
const MOST_NAMED = 40

/** JWK curves that are not supported with any `kty`; others are called by what they say. */
const SUPPORTED = new Set(['Ed25519', 'X25519', 'P-256', 'P-384', 'secp256k1'])

/**
 * What a public key is that is not supported here, in words: its curve or algorithm, or the size of an RSA key.
 *
 * @returns `undefined` for a key that is supported, or that is no key at all
 */
export function unsupportedKeyOf({
  publicKeyJwk,
  publicKeyMultibase,
}: Pick<VerificationMethod, 'publicKeyJwk' | 'publicKeyMultibase'>): string | undefined {
  if (publicKeyJwk) return unsupportedJwk(publicKeyJwk)
  return publicKeyMultibase === undefined ? undefined : unsupportedMultibase(publicKeyMultibase)
}

function unsupportedJwk({ kty, crv, n, e }: { kty?: unknown; crv?: unknown; n?: unknown; e?: unknown }) {
  if (typeof kty !== 'string') return undefined
  if (kty !== 'RSA') {
    const named = typeof crv === 'string' ? crv : kty
    return SUPPORTED.has(named) || (crv === undefined && /^(EC|OKP)$/.test(kty))
      ? undefined
      : JSON.stringify(named).slice(1, -1).slice(0, MOST_NAMED)
  }
  const bits = rsaBits(n)
  if (bits === 0 || typeof e !== 'string') return undefined
  if (bits < RSA.leastBits || bits > RSA.mostBits)
    return `RSA with ${bits} bits (supported: ${RSA.leastBits} to ${RSA.mostBits})`
  return RSA.exponents.some((known) => known === e)
    ? undefined
    : 'RSA with another public exponent than 65537 or 3'
}

/** The name of the key type of a multibase text with a multicodec that is registered and not supported. */
function unsupportedMultibase(text: string): string | undefined {
  if (!text.startsWith('z') || text.length > MOST_CHARACTERS) return undefined
  try {
    const prefix = Buffer.from(base58ToBytes(text.slice(1)).subarray(0, PREFIX_BYTES)).toString('hex')
    return Object.hasOwn(CODECS, prefix) ? CODECS[prefix] : undefined
  } catch {
    return undefined
  }
}

/**
 * Demands that what a document has in place of a suitable key is no key of an algorithm that is not supported.
 *
 * @param kid - the wanted key, as an absolute DID URL; by default each of the relationship
 * @throws AgentError `algorithm_not_supported` at the path `jwt`
 */
export function demandSupportedKeys(
  document: DIDDocument,
  relationship: SigningRelationship,
  kid: string | undefined,
): void {
  const named = (document[relationship] ?? []).map((entry) => (typeof entry === 'string' ? entry : entry.id))
  const wanted = new Set(kid === undefined ? named.map((id) => absoluteId(document.id, id)) : [kid])
  for (const method of verificationMethodsOf(document)) {
    const id = absoluteId(document.id, method.id)
    const unsupported = wanted.has(id) ? unsupportedKeyOf(method) : undefined
    if (unsupported === undefined) continue
    const message = `the key "${id}" is ${unsupported}, which is not supported`
    throw problemsError('algorithm_not_supported', [{ path: 'jwt', message }])
  }
}
