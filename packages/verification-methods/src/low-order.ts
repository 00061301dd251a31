/**
 * Encodings of the points of low order, in hex, without the sign: the canonical ones, and those with a coordinate of
 * p or p + 1 in place of 0 or 1. The points do not depend on any private key: with such a "public key", signatures
 * verify for texts that nobody signed, and the shared secret is the same for everyone.
 *
 * @see RFC 7748 section 6.1, RFC 8032 section 8.9, and the lists of libsodium
 */
const ZERO_AND_ONE_AND_MINUS_ONE = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]
export const LOW_ORDER = {
  Ed25519: [
    ...ZERO_AND_ONE_AND_MINUS_ONE,
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  ],
  X25519: [
    ...ZERO_AND_ONE_AND_MINUS_ONE,
    'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
    '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  ],
} as const satisfies Record<string, readonly string[]>

/**
 * Whether 32 bytes are a point of low order, which belongs to nobody.
 *
 * @param type - Veramo's name of the key type; types other than Ed25519 and X25519 have none
 */
export function isOfLowOrder(type: string, bytes: Uint8Array): boolean {
  const unsigned = Buffer.from(bytes)
  const last = unsigned.length - 1
  if (last !== 31) return false
  unsigned.writeUInt8(unsigned.readUInt8(last) & 0x7f, last)
  const points: readonly string[] = Object.entries(LOW_ORDER).find(([name]) => name === type)?.[1] ?? []
  return points.includes(unsigned.toString('hex'))
}
