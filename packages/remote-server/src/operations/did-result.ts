import type { IIdentifier } from '@veramo/core-types'
import { didWebUrl } from '@vidimus/core-types'

/** Section 2.5 of the contract: the caller's view of a DID of the account. */
export const didResult = ({ did, controllerKeyId, keys, services }: IIdentifier) => ({
  did,
  ...documentPlace(did),
  ...(controllerKeyId !== undefined && { controllerKeyId }),
  // Listed explicitly, so that additional data of a store or KMS is not exposed.
  keys: keys.map(({ kid, type, publicKeyHex, kms }) => ({ kid, type, publicKeyHex, kms })),
  services,
})

function documentPlace(did: string): { documentUrl?: string } {
  const url = didWebUrl(did)
  return url ? { documentUrl: url.href } : {}
}
