import { base58ToBytes, bytesToBase58 } from 'did-jwt'
import { problemsError } from '@vidimus/core-types'

/** Multibase prefix of base58btc. */
const PREFIX = 'z'

/** Maximum length of 64 bytes in base58; decoding takes quadratic time. */
const MOST_CHARACTERS = 88

export const base58Of = (bytes: Uint8Array): string => PREFIX + bytesToBase58(bytes)

/** @throws AgentError `invalid_credential` */
export function bytesOfBase58(text: string): Uint8Array {
  try {
    if (text.startsWith(PREFIX) && text.length <= PREFIX.length + MOST_CHARACTERS) {
      return base58ToBytes(text.slice(PREFIX.length))
    }
  } catch {
    // rejected below
  }
  const message = 'the proofValue of its proof is not a base58btc signature'
  throw problemsError('invalid_credential', [{ path: '', message }])
}
