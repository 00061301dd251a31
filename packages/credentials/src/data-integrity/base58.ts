import { base58ToBytes, bytesToBase58 } from 'did-jwt'
import { problemsError } from '@vidimus/core-types'

/** Multibase's letter for base58btc. */
const PREFIX = 'z'

/** 64 bytes have no more characters in base58; the cost of decoding grows with the square of the length. */
const MOST_CHARACTERS = 88

export const base58Of = (bytes: Uint8Array): string => PREFIX + bytesToBase58(bytes)

/** @throws AgentError `invalid_credential` */
export function bytesOfBase58(text: string): Uint8Array {
  try {
    if (text.startsWith(PREFIX) && text.length <= PREFIX.length + MOST_CHARACTERS) {
      return base58ToBytes(text.slice(PREFIX.length))
    }
  } catch {
    // refused below
  }
  const message = 'the proofValue of its proof is not a base58btc signature'
  throw problemsError('invalid_credential', [{ path: '', message }])
}
