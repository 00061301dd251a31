import type { TKeyType } from '@veramo/core-types'
import { AgentError, type ErrorCode } from '@vidimus/core-types'
import { isKeyType, readPrivateKey } from '@vidimus/verification-methods'
import { nativeKeyType, nativeKeyTypeNames, type NativeKeyType } from './native-keys.js'

/** A private key that was checked. */
export interface CheckedPrivateKey {
  type: TKeyType
  native: NativeKeyType
  /** lower case; for Ed25519 either 32 bytes or 64 */
  privateKeyHex: string
  publicKeyHex: string
}

/**
 * Checks an external private key. No error repeats any part of it.
 *
 * @throws AgentError `invalid_input` if it is not a private key of the type, `key_mismatch` if its public half or the
 *   accompanying public key belongs to another
 */
export function checkPrivateKey(input: {
  type?: TKeyType
  privateKeyHex?: string
  publicKeyHex?: string
}): CheckedPrivateKey {
  const { type, privateKeyHex = '', publicKeyHex } = input
  const native = typeof type === 'string' ? nativeKeyType(type) : undefined
  if (type === undefined || native === undefined || !isKeyType(type)) {
    throw problem('invalid_input', 'type', `must be one of ${nativeKeyTypeNames().join(', ')}`)
  }
  const read = readPrivateKey(type, privateKeyHex)
  if ('problem' in read) {
    throw problem(read.isMismatch ? 'key_mismatch' : 'invalid_input', 'privateKeyHex', read.problem)
  }
  const [derived, ...alternatives] = read.publicKeysHex
  if (publicKeyHex !== undefined && publicKeyHex !== '') {
    const claimed = String(publicKeyHex).toLowerCase()
    if (![derived, ...alternatives].includes(claimed)) {
      throw problem('key_mismatch', 'publicKeyHex', 'does not match the private key')
    }
  }
  return { type, native, privateKeyHex: privateKeyHex.toLowerCase(), publicKeyHex: derived }
}

const problem = (code: ErrorCode, path: string, message: string) =>
  new AgentError(code, `${path}: ${message}`, { details: [{ path, message }] })
