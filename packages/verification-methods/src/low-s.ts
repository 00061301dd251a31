/** Order of secp256k1 (SEC 2, 2.4.1). */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const HALF_ORDER = ORDER >> 1n

/**
 * Of the two valid signatures, the one whose s is at most half the order. OpenSSL returns either, but strict
 * verifiers only accept this one.
 *
 * @param signature - r and s, 32 bytes each, over secp256k1; changed in place
 */
export function toLowS(signature: Buffer): Buffer {
  const s = BigInt(`0x${signature.toString('hex', 32, 64)}`)
  if (s > HALF_ORDER) signature.write((ORDER - s).toString(16).padStart(64, '0'), 32, 'hex')
  return signature
}
