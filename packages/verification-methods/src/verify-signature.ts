import { constants, createPublicKey, verify, type KeyObject } from 'node:crypto'
import {
  Cache,
  problemsError,
  VERIFYING_ALGORITHMS,
  type AgentError,
  type DetachedSignature,
  type SigningRelationship,
} from '@vidimus/core-types'
import type { DocumentSource } from './did-documents.js'
import { absoluteId, allowedMethods, type AllowedMethod } from './allowed-methods.js'
import { memberTexts, type VerifyingKey } from './verifying-key.js'
import { demandSupportedKeys } from './unsupported-key.js'

/** Keys as OpenSSL has them, by their coordinates: to make one of a JWK costs a tenth of a verification. */
const KEYS = new Cache<KeyObject>('key')

/** The most signature checks for something that does not name its key. */
const MOST_TRIED = 20

/**
 * Verifies a signature against the DID document of the required signer. The `kid`, absolute or as `#fragment`, must
 * name a verification method that the relationship allows; without a `kid` each of them is tried, up to {@link
 * MOST_TRIED}.
 *
 * @returns the absolute id of the verification method that signed
 * @throws AgentError `invalid_credential`, its detail at the path `jwt`; `algorithm_not_supported`,
 *   `did_not_resolvable`, `did_deactivated`
 */
export async function signerOfDid(
  signature: DetachedSignature,
  did: string,
  relationship: SigningRelationship,
  documentOf: DocumentSource,
): Promise<string> {
  const kid = signerNamed(signature, did)
  const document = await documentOf(did)
  let tried = 0
  for (const method of allowedMethods(document, relationship, kid)) {
    if (tried === MOST_TRIED)
      throw notVerified(`it has no kid, and "${did}" has more than ${MOST_TRIED} keys`)
    tried += 1
    if (isSignedBy(signature, method)) return method.id
  }
  if (tried === 0) demandSupportedKeys(document, relationship, kid)
  if (kid !== undefined && tried === 0) {
    throw notVerified(`"${kid}" is not a key in the ${relationship} of "${did}"`)
  }
  throw notVerified(`the signature does not match any key in the ${relationship} of "${did}"`)
}

const isSignedBy = (signature: DetachedSignature, { publicKey }: AllowedMethod): boolean =>
  isSignatureOfKey(publicKey, signature)

function signerNamed({ kid }: DetachedSignature, did: string): string | undefined {
  if (kid === undefined) return undefined
  const id = absoluteId(did, kid)
  if (id.startsWith(`${did}#`)) return id
  throw notVerified(`the kid of the signature is "${kid}", which is not a key of "${did}"`)
}

/** Whether the key can have made a signature with this `alg`. */
export const fitsAlgorithm = ({ type }: Pick<VerifyingKey, 'type'>, algorithm: string): boolean =>
  (VERIFYING_ALGORITHMS[type] as readonly string[]).includes(algorithm)

/** Whether a signature was made with the key, by its algorithm. */
export const isSignatureOfKey = (
  publicKey: VerifyingKey,
  { algorithm, signed, signature }: Pick<DetachedSignature, 'algorithm' | 'signed' | 'signature'>,
): boolean => fitsAlgorithm(publicKey, algorithm) && verifySignature(publicKey, signed, signature, algorithm)

/** OpenSSL's digests, and bytes of signatures: two coordinates of the size of the curve (RFC 7518 section 3.4). */
const FORMS = {
  Ed25519: { digest: null, bytes: 64 },
  Secp256r1: { digest: 'sha256', bytes: 64 },
  Secp256k1: { digest: 'sha256', bytes: 64 },
  Secp384r1: { digest: 'sha384', bytes: 96 },
  // OpenSSL compares the length with that of the modulus.
  RSA: { digest: 'sha256', bytes: undefined },
} as const

/** The salt of PS256 has the length of its hash (RFC 7518 section 3.5). */
const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
const PKCS1 = { padding: constants.RSA_PKCS1_PADDING }

/**
 * Verifies natively, in OpenSSL.
 *
 * @param signature - Ed25519's own form, r and s beside each other, or that of RSA
 * @param algorithm - of RSA keys `PS256` or `RS256`; others have one
 */
export function verifySignature(
  publicKey: VerifyingKey,
  signed: string | Uint8Array,
  signature: Uint8Array,
  algorithm?: string,
): boolean {
  const { digest, bytes } = FORMS[publicKey.type]
  if (bytes !== undefined && signature.length !== bytes) return false
  try {
    const key = nativeKey(publicKey)
    const data = typeof signed === 'string' ? Buffer.from(signed) : signed
    if (publicKey.type !== 'RSA') return verify(digest, data, { key, dsaEncoding: 'ieee-p1363' }, signature)
    return verify(digest, data, { key, ...(algorithm === 'PS256' ? PSS : PKCS1) }, signature)
  } catch {
    // OpenSSL refuses coordinates that are not a point of the curve: nothing can be signed with such a key
    return false
  }
}

function nativeKey(publicKey: VerifyingKey): KeyObject {
  const name = JSON.stringify(memberTexts(publicKey))
  const known = KEYS.get(name)
  if (known) return known
  const key = createPublicKey({ key: { ...publicKey.jwk }, format: 'jwk' })
  KEYS.set(name, key)
  return key
}

const notVerified = (message: string): AgentError =>
  problemsError('invalid_credential', [{ path: 'jwt', message }])

/** The signing input of a JWT. */
export const signingInputOf = (header: Record<string, unknown>, payload: Record<string, unknown>): string =>
  `${encodeObject(header)}.${encodeObject(payload)}`

const encodeObject = (value: Record<string, unknown>): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url')
