import type { TKeyType } from '@veramo/core-types'
import { AgentError, type ErrorCode } from '@vidimus/core-types'
import { nativeKeyType, nativeKeyTypeNames, type NativeKeyType } from './native-keys.js'

/** A private key that was checked. */
export interface CheckedPrivateKey {
  type: TKeyType
  native: NativeKeyType
  /** lower case; for Ed25519 either 32 bytes or 64 */
  privateKeyHex: string
  publicKeyHex: string
}

const PRIVATE_KEY_BYTES = 32

/** The 32 bytes that the key is made of; of the 64-byte form of Ed25519 (seed and public key) the seed. */
export const privateKeyBytes = (privateKeyHex: string) =>
  Buffer.from(privateKeyHex.slice(0, 2 * PRIVATE_KEY_BYTES), 'hex')

/**
 * Checks a private key that comes from outside. No error repeats any part of it.
 *
 * @throws AgentError `invalid_input` for what is no private key of the type, `key_mismatch` where the public half or
 * the public key that comes with it is another's
 */
export function checkPrivateKey(input: {
  type?: TKeyType
  privateKeyHex?: string
  publicKeyHex?: string
}): CheckedPrivateKey {
  const { type, privateKeyHex, publicKeyHex } = input
  const native = typeof type === 'string' ? nativeKeyType(type) : undefined
  if (type === undefined || native === undefined) {
    throw problem('invalid_input', 'type', `has to be one of ${nativeKeyTypeNames().join(', ')}`)
  }
  const lowerCase = checkedHex(privateKeyHex, type)
  const [derived, ...alternatives] = publicKeys(native, lowerCase, type)
  if (lowerCase.length > 2 * PRIVATE_KEY_BYTES && !lowerCase.endsWith(derived)) {
    throw problem('key_mismatch', 'privateKeyHex', 'its public half does not belong to its private half')
  }
  if (publicKeyHex !== undefined && publicKeyHex !== '') {
    const claimed = String(publicKeyHex).toLowerCase()
    if (![derived, ...alternatives].includes(claimed)) {
      throw problem('key_mismatch', 'publicKeyHex', 'does not belong to the private key')
    }
  }
  return { type, native, privateKeyHex: lowerCase, publicKeyHex: derived }
}

function checkedHex(privateKeyHex: unknown, type: TKeyType): string {
  if (typeof privateKeyHex !== 'string' || privateKeyHex === '') {
    throw problem('invalid_input', 'privateKeyHex', 'is required')
  }
  if (!/^[0-9a-f]+$/i.test(privateKeyHex)) {
    throw problem('invalid_input', 'privateKeyHex', 'has to be hex digits, without 0x in front')
  }
  const bytes = privateKeyHex.length / 2
  const allowed = type === 'Ed25519' ? [PRIVATE_KEY_BYTES, 2 * PRIVATE_KEY_BYTES] : [PRIVATE_KEY_BYTES]
  if (!allowed.includes(bytes)) {
    const expected =
      type === 'Ed25519' ? 'the 32 bytes of the seed, or the 64 of seed and public key' : '32 bytes'
    throw problem('invalid_input', 'privateKeyHex', `of type ${type} has to be ${expected}; it has ${bytes}`)
  }
  return privateKeyHex.toLowerCase()
}

function publicKeys(native: NativeKeyType, privateKeyHex: string, type: TKeyType) {
  try {
    return native.publicKeysHex(privateKeyBytes(privateKeyHex))
  } catch (cause) {
    throw problem('invalid_input', 'privateKeyHex', `is no private key of type ${type}`, cause)
  }
}

const problem = (code: ErrorCode, path: string, message: string, cause?: unknown) =>
  new AgentError(code, `${path}: ${message}`, {
    details: [{ path, message }],
    ...(cause !== undefined && { cause }),
  })
