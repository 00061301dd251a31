import { createPublicKey, verify, type KeyObject } from 'node:crypto'
import {
  Cache,
  problemsError,
  SIGNING_ALGORITHMS,
  type AgentError,
  type DetachedSignature,
  type SigningRelationship,
} from '@vidimus/core-types'
import type { DocumentSource } from './did-documents.js'
import { absoluteId, allowedMethods, type AllowedMethod } from './allowed-methods.js'
import type { SigningKey } from './signing-key.js'

const SIGNATURE_BYTES = 64

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
 * @throws AgentError `invalid_credential`, its detail at the path `jwt`; `did_not_resolvable`, `did_deactivated`
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
  if (kid !== undefined && tried === 0) {
    throw notVerified(`"${kid}" is not a key in the ${relationship} of "${did}"`)
  }
  throw notVerified(`the signature does not match any key in the ${relationship} of "${did}"`)
}

const isSignedBy = ({ algorithm, signed, signature }: DetachedSignature, { publicKey }: AllowedMethod) =>
  fitsAlgorithm(publicKey, algorithm) && verifySignature(publicKey, signed, signature)

function signerNamed({ kid }: DetachedSignature, did: string): string | undefined {
  if (kid === undefined) return undefined
  const id = absoluteId(did, kid)
  if (id.startsWith(`${did}#`)) return id
  throw notVerified(`the kid of the signature is "${kid}", which is not a key of "${did}"`)
}

/** Whether the key can have made a signature with this `alg`. */
export const fitsAlgorithm = ({ type }: SigningKey, algorithm: string): boolean =>
  (SIGNING_ALGORITHMS[type] as readonly string[]).includes(algorithm)

/**
 * Verifies natively, in OpenSSL. ECDSA is over SHA-256.
 *
 * @param signature - 64 bytes: Ed25519's own form, or r and s of 32 bytes each (RFC 7518 section 3.4)
 */
export function verifySignature(
  publicKey: SigningKey,
  signed: string | Uint8Array,
  signature: Uint8Array,
): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false
  try {
    const key = nativeKey(publicKey)
    const digest = publicKey.type === 'Ed25519' ? null : 'sha256'
    const data = typeof signed === 'string' ? Buffer.from(signed) : signed
    return verify(digest, data, { key, dsaEncoding: 'ieee-p1363' }, signature)
  } catch {
    // OpenSSL refuses coordinates that are not a point of the curve: nothing can be signed with such a key
    return false
  }
}

function nativeKey({ jwk }: SigningKey): KeyObject {
  const name = JSON.stringify([jwk.crv, jwk.x, jwk.y])
  const known = KEYS.get(name)
  if (known) return known
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
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
