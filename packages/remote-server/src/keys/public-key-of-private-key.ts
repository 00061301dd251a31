import { problemsError } from '@vidimus/core-types'
import { readPrivateKey, type KeyType } from '@vidimus/verification-methods'

/**
 * The public half of a private key, in the hex form of Veramo's KMS, which is also the `kid`.
 *
 * @param privateKeyHex - 32 bytes; for Ed25519 also 64: seed and public key, which must match
 * @param path - of the key in the input, for errors; they contain nothing of the key itself
 * @throws AgentError `invalid_input`, `key_mismatch`
 */
export function publicKeyOfPrivateKey(type: KeyType, privateKeyHex: string, path: string): string {
  const read = readPrivateKey(type, privateKeyHex)
  if (!('problem' in read)) return read.publicKeysHex[0]
  throw problemsError(read.isMismatch ? 'key_mismatch' : 'invalid_input', [{ path, message: read.problem }])
}
