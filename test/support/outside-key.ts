import { createPublicKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto'
import {
  newKeyPair,
  privateKeyObject,
  publicKeyOfBytes,
  type KeyPair,
  type KeyType,
  type PublicJwk,
} from '@vidimus/verification-methods'

/** A key pair made outside of the service. */
export interface OutsideKey extends KeyPair {
  type: KeyType
  privateKey: KeyObject
  jwk: PublicJwk
}

export function outsideKey(type: KeyType = 'Ed25519'): OutsideKey {
  const pair = newKeyPair(type)
  const jwk = publicKeyOfBytes(type, Buffer.from(pair.publicKeyHex, 'hex'))?.jwk
  if (!jwk) throw new Error(`no key of type ${type}`)
  return { ...pair, type, jwk, privateKey: privateKeyObject(type, Buffer.from(pair.privateKeyHex, 'hex')) }
}

/** The JWK of a key of a type that the service knows none of. */
export function jwkOf(publicKey: KeyObject): JsonWebKey {
  const readAgain = createPublicKey({
    key: publicKey.export({ type: 'spki', format: 'der' }),
    type: 'spki',
    format: 'der',
  })
  // eslint-disable-next-line no-restricted-syntax -- no job of generateKeyPair made this object
  return readAgain.export({ format: 'jwk' })
}

/**
 * A key pair of a type that is not created by the service, in DER (SPKI and PKCS #8), as no key that was just made may be
 * exported as a JWK.
 *
 * @param kind - a curve, or the number of bits of an RSA key
 */
export function pairInDer(
  kind: string | number,
  publicExponent = 65537,
): { publicKey: Buffer; privateKey: Buffer } {
  if (typeof kind === 'string')
    return generateKeyPairSync('ec', {
      namedCurve: kind,
      publicKeyEncoding: { type: 'spki', format: 'der' },
      privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    })
  return generateKeyPairSync('rsa', {
    modulusLength: kind,
    publicExponent,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  })
}
