import { AgentError, BOUNDS, isLongerThan } from '@vidimus/core-types'
import { compressedHex } from '@vidimus/verification-methods'
import { checkedText, invalidInput } from '@vidimus/accounts'

/** Raw keys, coordinates without the byte in front, and points, compressed or not; 32 to 65 bytes of hex. */
const PUBLIC_KEY = /^(?:0x)?(?:[0-9a-f]{64}|[0-9a-f]{66}|[0-9a-f]{128}|[0-9a-f]{130})$/i

/** Whether a reader of the name would take it for a public key. */
export const readsLikePublicKey = (name: string): boolean => PUBLIC_KEY.test(name)

/** Whether a name is the public key itself, in any spelling. */
export function isOwnPublicKey(name: string, publicKeyHex: string): boolean {
  const hex = name.replace(/^0x/i, '')
  return compressedHex(hex.length === 128 ? `04${hex}` : hex) === compressedHex(publicKeyHex)
}

/**
 * The name of a key, as it may be stored: its public key, or a name that a caller gave it, which never reads like the
 * public key of another. Names are for finding a key; nothing else follows from them.
 *
 * @throws AgentError `invalid_input` at `kid`
 */
export function checkedKeyName(kid: unknown, publicKeyHex: string): string {
  const name = checkedNewName(kid)
  if (!readsLikePublicKey(name) || isOwnPublicKey(name, publicKeyHex)) return name
  throw invalidInput(
    'kid',
    'looks like a public key, but is not that of this key; omit it, or choose another name',
  )
}

/**
 * A name for a key that is yet to be made: no public key is known to be its own.
 *
 * @throws AgentError `invalid_input` at `kid`
 */
export function checkedNameOfNewKey(kid: unknown): string {
  const name = checkedNewName(kid)
  if (!readsLikePublicKey(name)) return name
  throw invalidInput(
    'kid',
    'looks like a public key, but not that of the new key; omit it, or choose another name',
  )
}

/**
 * No key is stored under a name that reads like the public key of another, so such a row was changed behind the service.
 *
 * @throws AgentError `wrong_secret`, as for a private key that does not belong to its public half
 */
export function demandOwnName(kid: string, publicKeyHex: string): void {
  if (!readsLikePublicKey(kid) || isOwnPublicKey(kid, publicKeyHex)) return
  throw new AgentError('wrong_secret', `the stored public key of "${kid}" is not the one that names it`)
}

/**
 * A caller's metadata of a key.
 *
 * @throws AgentError `invalid_input` at `meta`
 */
export function demandSmallMeta(meta: unknown): void {
  const text = meta === undefined ? undefined : JSON.stringify(meta)
  if (text !== undefined && Buffer.byteLength(text) > BOUNDS.keyMetaBytes)
    throw invalidInput('meta', `must have at most ${BOUNDS.keyMetaBytes} bytes`)
}

/** @throws AgentError `invalid_input` at `kid` */
export function checkedNewName(kid: unknown): string {
  const name = checkedText(kid, 'kid')
  if (!isLongerThan(name, BOUNDS.name)) return name
  throw invalidInput('kid', `must have at most ${BOUNDS.name} characters`)
}
