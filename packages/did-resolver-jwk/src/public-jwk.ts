import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { BOUNDS, bytesOfBase64Url, isJsonObject, parseForeignJson } from '@vidimus/core-types'
import { hasPrivateMembers, isOfLowOrder, RSA, unsupportedKeyOf } from '@vidimus/verification-methods'
import type { JsonWebKey as PublicJwk } from 'did-resolver'

/** The members of a public key, RFC 7518 sections 6.2.1 and 6.3.1, RFC 8037 section 2. */
const KEY_MEMBERS = ['x', 'y', 'n', 'e']

/** A key of a curve or algorithm that is not known here, or an RSA key of another size. */
export class UnsupportedKey extends Error {}

/**
 * The JWK in the identifier of a did:jwk, with all its members. Its author may have omitted leading zeros of a
 * coordinate, as Veramo does: its DIDs contain such keys for good.
 *
 * @param id - the method-specific identifier; untrusted
 * @throws Error with a sentence that does not repeat the identifier, {@link UnsupportedKey}
 * @see did:jwk Method Specification, "Read"
 */
export function publicJwkOf(id: string): PublicJwk {
  const jwk = parseJwk(id)
  if (hasPrivateMembers(jwk)) throw new Error('it holds a private key')
  if (jwk.use !== undefined && typeof jwk.use !== 'string')
    throw new Error('the use of its key is not a string')
  if (!isPublicKey(jwk)) {
    const unsupported = unsupportedKeyOf({ publicKeyJwk: jwk as unknown as PublicJwk })
    if (unsupported === undefined) throw new Error('its key is not a public key')
    throw new UnsupportedKey(`its key is ${unsupported}, which is not supported`)
  }
  return jwk as PublicJwk
}

function parseJwk(id: string): Record<string, unknown> {
  if (id.length > BOUNDS.did) throw new Error(`its identifier has more than ${BOUNDS.did} characters`)
  const bytes = bytesOfBase64Url(id)
  if (!bytes) throw new Error('its identifier is not base64url without padding')
  let jwk: unknown
  try {
    jwk = parseForeignJson(bytes)
  } catch (cause) {
    throw new Error('its identifier is not JSON in UTF-8, or is nested too deeply', { cause })
  }
  if (!isJsonObject(jwk)) throw new Error('its JWK is not an object')
  return jwk
}

function isPublicKey(jwk: Record<string, unknown>): boolean {
  const isText = (member: string) =>
    jwk[member] === undefined || (typeof jwk[member] === 'string' && bytesOfBase64Url(jwk[member]))
  if (!KEY_MEMBERS.every(isText)) return false
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
    if (jwk.kty === 'RSA') return (asymmetricKeyDetails?.modulusLength ?? 0) >= RSA.leastBits
  } catch {
    // OpenSSL refuses unknown curves, coordinates that are not a point, and missing members
    return false
  }
  return !isOfLowOrder(String(jwk.crv), Buffer.from(String(jwk.x), 'base64url'))
}
