import type { IIdentifier } from '@veramo/core-types'

/** Section 2.5 of the contract: what a caller sees of a DID of the account. */
export const didResult = ({ did, controllerKeyId, keys, services }: IIdentifier) => ({
  did,
  ...(controllerKeyId !== undefined && { controllerKeyId }),
  // Named one by one: whatever else a store or a KMS puts there stays inside.
  keys: keys.map(({ kid, type, publicKeyHex, kms }) => ({ kid, type, publicKeyHex, kms })),
  services,
})
