import { base58ToBytes, bytesToBase58 } from 'did-jwt'

/** Multibase prefix of base58btc. */
const PREFIX = 'z'

/** Of an Ed25519 or P-256 signature, and of one with P-384. */
const BYTES: readonly number[] = [64, 96]

/** Maximum length of 96 bytes in base58; decoding takes quadratic time. */
const MOST_CHARACTERS = 132

export const base58Of = (bytes: Uint8Array): string => PREFIX + bytesToBase58(bytes)

/** The bytes of a `proofValue`; `undefined` if it cannot be a signature. */
export function signatureInBase58(text: string): Uint8Array | undefined {
  if (!text.startsWith(PREFIX) || text.length > PREFIX.length + MOST_CHARACTERS) return undefined
  try {
    const bytes = base58ToBytes(text.slice(PREFIX.length))
    return BYTES.includes(bytes.length) ? bytes : undefined
  } catch {
    return undefined
  }
}
