const P256_COORDINATE_BYTES = 32
const SEQUENCE = 0x30
const INTEGER = 0x02

/**
 * Converts an ECDSA signature on P-256 from the form of JOSE (RFC 7518 3.4: r and s, 32 bytes each, big-endian) into
 * the ASN.1 DER form (RFC 3279 2.2.3) that the ledger verifies.
 *
 * @throws RangeError if the signature does not have 64 bytes
 */
export function derSignature(signature: Uint8Array): Uint8Array {
  if (signature.length !== 2 * P256_COORDINATE_BYTES) {
    throw new RangeError(`an ES256 signature has 64 bytes, this one has ${signature.length}`)
  }
  const r = derInteger(signature.subarray(0, P256_COORDINATE_BYTES))
  const s = derInteger(signature.subarray(P256_COORDINATE_BYTES))
  return Uint8Array.of(SEQUENCE, r.length + s.length, ...r, ...s)
}

function derInteger(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0)
  const digits = start === -1 ? Uint8Array.of(0) : bytes.subarray(start)
  // DER integers are signed: a leading one bit would make a negative number.
  const sign = (digits[0] ?? 0) >= 0x80 ? [0] : []
  return Uint8Array.of(INTEGER, sign.length + digits.length, ...sign, ...digits)
}
