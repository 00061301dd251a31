import type { IKey } from '@veramo/core-types'
import { type Connection, homeOf, inAccount, joinSql, sql } from '@vidimus/database'
import type { HeldWork, NewWork, WorkItem } from '@vidimus/work'
import { didOfAlias } from './did-aliases.js'
import { isDid } from './home-conditions.js'
import { DID_CREATION, removeDid } from './identifier-writes.js'
import { deleteKey, restoreKey, selectKey, type StoredKey } from './key-rows.js'
import { deletePrivateKey } from './account-private-key-store.js'
import { insertIntent, readIntent, type Intent } from './did-creation-intents.js'
import { hiddenName } from './private-key-seal.js'
import { scopedName } from './unit.js'

/** A creation that was undone, with what is needed to complete it if the ledger has the DID after all. */
interface Undone extends Omit<Intent, 'made'> {
  /** what was taken from the account */
  keys: StoredKey[]
  privateKeys: string[]
}

/** Of an undone creation; in the home of the account, as its keys are: the account does not hold the DID. */
export const keyOfUndone = (account: string, did: string, creation: string): string =>
  JSON.stringify([did, account, creation])

export const isUndone = (key: string): boolean => (JSON.parse(key) as string[]).length === 3

/** The same of the column `key`. */
export const IS_UNDONE = sql`key LIKE ${'["%","%","%"]'}`

/**
 * Takes an intent back, with the keys that were created for the DID and that no other DID uses by now.
 *
 * @param note - takes an item of work, if the ledger may get the DID still
 */
export async function undoIntent(
  connection: Connection,
  held: HeldWork,
  note?: (item: Pick<NewWork, 'home' | 'key' | 'owner' | 'payload'>) => void,
): Promise<void> {
  // Then it was completed, or another process is at it.
  if ((await held.settle(connection)) === 'lost') return
  const { owner: account } = held.item
  const { made, ...intent } = readIntent(held.item)
  const { creation, identifier } = intent
  await removeDid(connection, account, identifier.did, identifier.alias)
  const used = await usedKeys(connection, account, made.keys)
  const kids = made.keys.filter((kid) => !used.has(kid))
  const aliases = made.privateKeys.filter((alias) => !used.has(alias))
  const hidden: string[] = []
  for (const alias of aliases) {
    if (!note) await deletePrivateKey(connection, account, alias)
    else if (await hidePrivateKey(connection, account, creation, alias)) hidden.push(alias)
  }
  if (note) {
    const keys: StoredKey[] = []
    for (const kid of kids) {
      const key = await selectKey(connection, account, kid)
      if (key) keys.push(key)
    }
    const undone: Undone = { ...intent, keys, privateKeys: hidden }
    const key = keyOfUndone(account, identifier.did, creation)
    note({ home: homeOf(account), key, owner: account, payload: JSON.stringify(undone) })
  }
  for (const kid of kids) await deleteKey(connection, account, kid)
}

/**
 * Turns it into an intent again, with its keys. Its alias is lost if another DID has it by now. An account that holds the DID meanwhile
 * only gets the keys.
 *
 * @param add - takes the item of work of the intent
 * @returns whether it is over, as it must wait while another creation wants the DID
 */
export async function redoCreation(
  connection: Connection,
  held: HeldWork,
  add: Parameters<typeof insertIntent>[3],
): Promise<boolean> {
  const { owner: account } = held.item
  const { keys, privateKeys, ...intent } = readUndone(held.item)
  const { creation, identifier } = intent
  const [there] = await connection.query<{ pending: number }>(
    sql`SELECT pending FROM account_did WHERE ${isDid(account, identifier.did)}`,
  )
  if (there?.pending === 1) return false
  if ((await held.settle(connection)) === 'lost') return true
  for (const key of keys) await restoreKey(connection, account, key)
  const shown: string[] = []
  for (const alias of privateKeys)
    if (await showPrivateKey(connection, account, creation, alias)) shown.push(alias)
  if (there) return true
  const made = {
    keys: new Set(keys.map(({ kid }) => scopedName(account, kid))),
    privateKeys: new Set(shown.map((alias) => scopedName(account, alias))),
  }
  const free = await withFreeAlias(connection, account, identifier)
  await insertIntent({ connection, made }, account, { ...intent, identifier: free }, add)
  return true
}

/** Its keys are gone for good with it. @param key - of its item of work */
export async function forgetUndone(connection: Connection, account: string, key: string): Promise<void> {
  const home = homeOf(account)
  const [item] = await connection.query<{ payload: string }>(
    sql`DELETE FROM work_item WHERE home = ${home} AND kind = ${DID_CREATION} AND key = ${key} RETURNING payload`,
  )
  if (item) await deleteHidden(connection, account, readUndone(item))
}

/** As {@link forgetUndone}, unless another process is at it. */
export async function endUndone(connection: Connection, held: HeldWork): Promise<void> {
  if ((await held.settle(connection)) === 'lost') return
  await deleteHidden(connection, held.item.owner, readUndone(held.item))
}

const readUndone = ({ payload = '' }: Pick<WorkItem, 'payload'>) => JSON.parse(payload) as Undone

async function deleteHidden(
  connection: Connection,
  account: string,
  { creation, privateKeys }: Undone,
): Promise<void> {
  if (privateKeys.length === 0) return
  const names = privateKeys.map((alias) => hiddenName(account, creation, alias))
  await connection.run(
    sql`DELETE FROM "private-key" WHERE home = ${homeOf(account)} AND alias IN (${joinSql(names)})`,
  )
}

/** Its sealing context is still its own. @returns whether the account had it */
async function hidePrivateKey(
  connection: Connection,
  account: string,
  creation: string,
  alias: string,
): Promise<boolean> {
  const ofKey = sql`${inAccount(account)} AND alias = ${alias}`
  const renamed = await connection.run(
    sql`UPDATE "private-key" SET alias = ${hiddenName(account, creation, alias)} WHERE home = ${homeOf(account)}
      AND alias IN (SELECT stored_alias FROM account_private_key WHERE ${ofKey})`,
  )
  await connection.run(sql`DELETE FROM account_private_key WHERE ${ofKey}`)
  return renamed > 0
}

/** @returns whether the account does not have it otherwise by now */
async function showPrivateKey(
  connection: Connection,
  account: string,
  creation: string,
  alias: string,
): Promise<boolean> {
  const home = homeOf(account)
  const stored = scopedName(account, alias)
  const isHidden = sql`home = ${home} AND alias = ${hiddenName(account, creation, alias)}`
  const inserted = await connection.run(
    sql`INSERT INTO account_private_key (home, account_id, alias, stored_alias)
      VALUES (${home}, ${account}, ${alias}, ${stored}) ON CONFLICT (home, account_id, alias) DO NOTHING`,
  )
  await connection.run(
    inserted === 0
      ? sql`DELETE FROM "private-key" WHERE ${isHidden}`
      : sql`UPDATE "private-key" SET alias = ${stored} WHERE ${isHidden}`,
  )
  return inserted > 0
}

async function withFreeAlias(
  connection: Connection,
  account: string,
  identifier: Intent['identifier'],
): Promise<Intent['identifier']> {
  const { alias, ...without } = identifier
  if (!alias) return identifier
  return (await didOfAlias(connection, account, alias)) ? without : identifier
}

async function usedKeys(
  connection: Connection,
  account: string,
  kids: readonly IKey['kid'][],
): Promise<Set<string>> {
  if (kids.length === 0) return new Set()
  const rows = await connection.query<{ kid: string }>(
    sql`SELECT kid FROM account_did_key WHERE ${inAccount(account)} AND kid IN (${joinSql(kids)})`,
  )
  return new Set(rows.map(({ kid }) => kid))
}
