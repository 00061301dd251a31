const BASE64URL = /^[A-Za-z0-9_-]+$/

/**
 * The bytes of a text in base64url without padding, strictly: in its canonical form, where the unused bits of the
 * last character are zero, so that no two texts are the same bytes.
 *
 * @returns `undefined` for every other text, including the empty one
 * @see RFC 4648 sections 3.5 and 5
 */
export function bytesOfBase64Url(text: string): Buffer | undefined {
  if (!BASE64URL.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

/** The same bytes as a Buffer over the same memory. */
export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
