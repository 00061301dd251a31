import { extractPublicKeyBytes } from 'did-jwt'
import type { VerificationMethod } from 'did-resolver'

/** The content of a verification method, before it is known to be a key. */
export interface KeyBytes {
  bytes: Uint8Array
  /** of the key, as far as the encoding or the type of the method shows it; Veramo's name if there is one */
  type: string | undefined
}

/** Characters; more than any key has in any base. The cost of decoding base58 grows with the square of the length. */
const LONGEST_TEXT = 1024

/**
 * The bytes in `publicKeyBase58`, `publicKeyBase64`, `publicKeyHex` or `publicKeyMultibase` (with or without
 * multicodec prefix, which is removed); the first one present.
 *
 * @throws what the decoder throws for a text that it cannot read
 */
export function encodedKeyBytes(method: VerificationMethod): KeyBytes | undefined {
  const { publicKeyBase58, publicKeyMultibase } = method
  if ([publicKeyBase58, publicKeyMultibase].some((text) => text && text.length > LONGEST_TEXT))
    return undefined
  // the decoder reads JWKs too, but neither checks them nor keeps anything beyond the curve
  const { publicKeyJwk: _, ...encoded } = method
  const { keyBytes, keyType } = extractPublicKeyBytes(encoded)
  if (keyBytes.length === 0) return undefined
  return { bytes: keyBytes, type: keyType === 'P-256' ? 'Secp256r1' : keyType }
}

/**
 * The bytes of the key of a verification method in hex, lower case, points of a curve compressed, whatever the types
 * of the method and the key. For comparing with known keys, not for use as a key.
 *
 * @returns `undefined` if nothing can be read
 */
export function keyHexOfMethod(method: VerificationMethod): string | undefined {
  try {
    const bytes = jwkBytes(method.publicKeyJwk) ?? encodedKeyBytes(method)?.bytes
    return bytes && compressedHex(Buffer.from(bytes).toString('hex'))
  } catch {
    // a method that cannot be read names no key; the others of the document still count
    return undefined
  }
}

/**
 * Compresses a point by its form, without knowledge of its curve: x, with the parity of y in the first byte.
 * Everything else is only converted to lower case.
 *
 * @see SEC 1 section 2.3.3
 */
export function compressedHex(publicKeyHex: string): string {
  const hex = publicKeyHex.toLowerCase()
  if (hex.length !== 130 || !hex.startsWith('04')) return hex
  const isOdd = Number.parseInt(hex.slice(-1), 16) % 2 === 1
  return (isOdd ? '03' : '02') + hex.slice(2, 66)
}

function jwkBytes(jwk: VerificationMethod['publicKeyJwk']): Uint8Array | undefined {
  if (!jwk?.x) return undefined
  const x = Buffer.from(jwk.x, 'base64url')
  return jwk.y ? Buffer.concat([Buffer.from([4]), padded(x), padded(Buffer.from(jwk.y, 'base64url'))]) : x
}

/** With the zeros in front that a coordinate of 32 bytes may have lost. */
const padded = (coordinate: Buffer): Buffer =>
  coordinate.length < 32 ? Buffer.concat([Buffer.alloc(32 - coordinate.length), coordinate]) : coordinate
