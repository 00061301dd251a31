import { createHash, randomBytes } from 'node:crypto'
import type { JwtSigner } from '../jwt/sign-jwt.js'
import { DEFAULT_HASH, DIGEST_ALGORITHM } from './parse-sd-jwt.js'
import { SEPARATOR } from './sd-jwt-form.js'

/** In the form that the library requires, which does no cryptography itself. */
const HASH = {
  alg: DEFAULT_HASH,
  hasher: (data: string | ArrayBuffer): Uint8Array => {
    const bytes = typeof data === 'string' ? data : new Uint8Array(data)
    return createHash('sha256').update(bytes).digest()
  },
}

/** Salt length in bytes: at least 128 bits (RFC 9901 section 9.3). */
const newSalt = (bytes: number): string => randomBytes(Math.max(bytes, 16)).toString('base64url')

/**
 * Signs claims as an SD-JWT with all of its disclosures.
 *
 * @param frame - the claims that can be withheld; already checked
 */
export async function signSdJwt(
  claims: Record<string, unknown>,
  frame: Record<string, unknown> | undefined,
  typ: Record<string, unknown>,
  sign: JwtSigner,
): Promise<string> {
  // Loaded on first use: most services issue no SD-JWTs.
  const { pack } = await import('@sd-jwt/core')
  const { packedClaims, disclosures } = await pack(claims, frame as Parameters<typeof pack>[1], HASH, newSalt)
  const payload = { ...packedClaims, ...(frame && { [DIGEST_ALGORITHM]: DEFAULT_HASH }) }
  const jwt = await sign(payload, typ)
  return [jwt, ...disclosures.map((disclosure) => disclosure.encode()), ''].join(SEPARATOR)
}
