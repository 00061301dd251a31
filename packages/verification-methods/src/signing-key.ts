import { SIGNING_ALGORITHMS } from '@vidimus/core-types'
import type { VerificationMethod } from 'did-resolver'
import { publicKeyOfMethod } from './public-key-of-method.js'
import { publicKeyOfBytes, type PublicKey } from './public-key.js'

/** Veramo's names of the key types that can sign a JWT. */
export type SigningKeyType = keyof typeof SIGNING_ALGORITHMS

/** A public key that can verify JWTs. */
export type SigningKey = PublicKey<SigningKeyType>

/**
 * The public key of a verification method, in any encoding.
 *
 * @returns `undefined` if the method contains no readable key that can sign a JWT, or one that is not for signatures
 * @see RFC 7517 section 4.2 (`use`)
 */
export function signingKeyOfMethod(method: VerificationMethod): SigningKey | undefined {
  return isForSignatures(method.publicKeyJwk) ? signingKey(publicKeyOfMethod(method)) : undefined
}

/** @see RFC 7517 section 4.2 (`use`) */
export const isForSignatures = (jwk: VerificationMethod['publicKeyJwk']): boolean => {
  const use: unknown = jwk?.use
  return use === undefined || use === 'sig'
}

/**
 * The public key of a key in custody.
 *
 * @returns `undefined` for types that cannot sign a JWT, and for a row that is not a key of its type
 */
export const signingKeyOfManagedKey = (key: { type: string; publicKeyHex: string }): SigningKey | undefined =>
  signingKey(publicKeyOfBytes(key.type, Buffer.from(key.publicKeyHex, 'hex')))

const signingKey = (publicKey: PublicKey | undefined): SigningKey | undefined =>
  publicKey && canSign(publicKey) ? publicKey : undefined

const canSign = (publicKey: PublicKey): publicKey is SigningKey =>
  Object.hasOwn(SIGNING_ALGORITHMS, publicKey.type)
