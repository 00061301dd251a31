import type { IIdentifier } from '@veramo/core-types'
import { didWebUrl } from '@vidimus/core-types'

/** Section 2.5 of the contract: what a caller sees of a DID of the account. */
export const didResult = ({ did, controllerKeyId, keys, services }: IIdentifier) => ({
  did,
  ...documentPlace(did),
  ...(controllerKeyId !== undefined && { controllerKeyId }),
  // Named one by one: whatever else a store or a KMS puts there stays inside.
  keys: keys.map(({ kid, type, publicKeyHex, kms }) => ({ kid, type, publicKeyHex, kms })),
  services,
})

function documentPlace(did: string): { documentUrl?: string } {
  const url = didWebUrl(did)
  return url ? { documentUrl: url.href } : {}
}
