import { isDeepStrictEqual } from 'node:util'
import type { IIdentifier } from '@veramo/core-types'
import { invalidInput } from '@vidimus/accounts'
import { isAgentError, runInAccountScope, type Account } from '@vidimus/core-types'
import type { AccountDIDStore } from './account-did-store.js'
import type { AccountKeyStore } from './account-key-store.js'
import type { AccountPrivateKeyStore } from './account-private-key-store.js'
import type { UnitOfWork } from './unit-of-work.js'
import type { VeramoHoldings } from './veramo-holdings.js'

/** Where the keys and DIDs of an installation are. */
export interface CustodyStores {
  unit: UnitOfWork
  privateKeyStore: AccountPrivateKeyStore
  keyStore: AccountKeyStore
  didStore: AccountDIDStore
}

/**
 * Gives an account what another database has: everything in one transaction, with private keys sealed anew. What the account
 * has already, with the same content, is left as it is.
 *
 * @returns how many keys and DIDs were added
 * @throws AgentError `invalid_input`, `alias_taken` for a key or DID that is there with other content, or could not be stored
 */
export const importVeramo = (
  account: Account,
  { unit, privateKeyStore, keyStore, didStore }: CustodyStores,
  { keys, privateKeys, identifiers }: VeramoHoldings,
): Promise<{ keys: number; dids: number }> =>
  runInAccountScope(account, () =>
    unit.run(async () => {
      const added = { keys: 0, dids: 0 }
      for (const key of privateKeys) await privateKeyStore.importKey(key)
      for (const key of keys) {
        const held = await orNone(keyStore.getKey({ kid: key.kid }), 'key_not_found')
        if (held !== undefined) mustBeSame(`the key ${key.kid}`, held, key)
        else {
          await keyStore.importKey(key)
          added.keys += 1
        }
      }
      for (const identifier of identifiers) {
        const held = await orNone(didStore.getDID({ did: identifier.did }), 'did_not_found')
        if (held !== undefined) mustBeSame(`the DID ${identifier.did}`, inOrder(held), inOrder(identifier))
        else {
          await didStore.importDID(identifier)
          added.dids += 1
        }
      }
      return added
    }),
  )

async function orNone<T>(reading: Promise<T>, none: string): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (isAgentError(error) && error.code === none) return undefined
    throw error
  }
}

function mustBeSame(what: string, held: unknown, other: unknown): void {
  if (isDeepStrictEqual(plain(held), plain(other))) return
  throw invalidInput('from-veramo', `${what} is in the account already, with other content`)
}

/** Without members that are undefined. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Veramo keeps no order. */
const inOrder = ({ keys, services, ...identifier }: IIdentifier) => ({
  ...identifier,
  keys: [...keys].sort((one, other) => (one.kid < other.kid ? -1 : 1)),
  services: [...services].sort((one, other) => (one.id < other.id ? -1 : 1)),
})
