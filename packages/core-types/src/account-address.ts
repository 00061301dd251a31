import { bech32 } from '@scure/base'

const PREFIX = 'cheqd'
/** of accounts with a key, and of accounts that modules of the ledger keep */
const ADDRESS_BYTES = [20, 32]

/**
 * Whether a text is the address of an account on a cheqd ledger: bech32 (BIP 173) with the prefix `cheqd` and a
 * correct checksum. Only the lower-case form is accepted, so that one account has one name.
 */
export function isAccountAddress(text: string): boolean {
  if (text !== text.toLowerCase()) return false
  const decoded = bech32.decodeUnsafe(text)
  if (decoded?.prefix !== PREFIX) return false
  const bytes = bech32.fromWordsUnsafe(decoded.words)
  return bytes !== undefined && bytes !== null && ADDRESS_BYTES.includes(bytes.length)
}
