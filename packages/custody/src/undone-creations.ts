import { randomUUID } from 'node:crypto'
import type { IKey } from '@veramo/core-types'
import type { Account, Kid } from '@vidimus/core-types'
import { type Connection, homeOf, joinSql, sql, type Sql, inAccount } from '@vidimus/database'
import { didOfAlias } from './did-aliases.js'
import { isDid } from './home-conditions.js'
import { removeDid } from './identifier-writes.js'
import { deleteKey, restoreKey, selectKey, type StoredKey } from './key-rows.js'
import { deletePrivateKey } from './account-private-key-store.js'
import { insertIntent, stateOfCreation, type Intent } from './did-creation-intents.js'
import { scopedName } from './unit.js'

/** An undone creation, with what is needed to complete it if the ledger has the DID after all. */
export interface UndoneCreation {
  account: Account
  did: string
  creation: string
  identifier: Intent['identifier']
  undoneAt: Date
}

interface UndoneRow {
  creation: string
  account_id: string
  account_name: string
  account_created_at: string
  did: string
  provider: string | null
  identifier: string
  keys: string
  undone_at: string
}

/** Creations that are looked at in one go. */
const LOOKED_AT_TOGETHER = 200

/**
 * Takes an intent back, with the keys that were created for the DID and that no other DID uses by now.
 *
 * @param noted - when, and when to ask the ledger again; absent if it certainly never gets the DID
 * @returns whether the intent still existed
 */
export async function undoIntent(
  connection: Connection,
  intent: Intent,
  noted?: { at: Date; nextLookAt: Date },
): Promise<boolean> {
  const { account, did, identifier, made, owner } = intent
  const { creation } = owner
  if ((await stateOfCreation(connection, { account: account.id, did, creation })) !== 'pending') return false
  // The intent goes with it.
  await removeDid(connection, account.id, did, identifier.alias)
  const used = await usedKeys(connection, account.id, made.keys)
  const kids = made.keys.filter((kid) => !used.has(kid))
  const aliases = made.privateKeys.filter((alias) => !used.has(alias))
  if (noted) await note(connection, intent, kids, noted)
  for (const alias of aliases) {
    if (noted) await hidePrivateKey(connection, { account: account.id, alias, creation })
    else await deletePrivateKey(connection, account.id, alias)
  }
  for (const kid of kids) await deleteKey(connection, account.id, kid)
  return true
}

/** Those whose time has come to be looked at again, the longest waiting first. */
export async function selectUndone(
  connection: Pick<Connection, 'query'>,
  { now }: { now: Date },
): Promise<UndoneCreation[]> {
  const rows = await connection.query<UndoneRow>(
    sql`SELECT u.creation, u.account_id, a.name AS account_name, a.created_at AS account_created_at, u.did,
        u.identifier, u.undone_at
      FROM undone_did_creation u JOIN account a ON a.id = u.account_id
      WHERE u.next_look_at <= ${now.toISOString()} ORDER BY u.next_look_at, u.creation LIMIT ${LOOKED_AT_TOGETHER}`,
  )
  return rows.map((row) => ({
    account: { id: row.account_id, name: row.account_name, createdAt: row.account_created_at },
    did: row.did,
    creation: row.creation,
    identifier: JSON.parse(row.identifier) as Intent['identifier'],
    undoneAt: new Date(row.undone_at),
  }))
}

/**
 * Turns it into an intent again, of no process, with its keys. Its alias is lost if another DID has it by now. An
 * account that holds the DID meanwhile only gets the keys.
 *
 * @returns whether there is an intent for it now; not if another creation wants the DID
 */
export async function redoCreation(
  connection: Connection,
  account: string,
  creation: string,
): Promise<boolean> {
  const [row] = await connection.query<UndoneRow>(
    sql`SELECT creation, account_id, did, provider, identifier, keys FROM undone_did_creation
      WHERE ${isUndone(account, creation)}`,
  )
  if (!row) return false
  const { did } = row
  const [there] = await connection.query<{ pending: number }>(
    sql`SELECT pending FROM account_did WHERE ${isDid(account, did)}`,
  )
  if (there?.pending === 1) return false
  const keys = JSON.parse(row.keys) as StoredKey[]
  for (const key of keys) await restoreKey(connection, account, key)
  const privateKeys = await showPrivateKeys(connection, account, creation)
  await connection.run(sql`DELETE FROM undone_did_creation WHERE ${isUndone(account, creation)}`)
  if (there) return false
  const identifier = await withFreeAlias(
    connection,
    account,
    JSON.parse(row.identifier) as Intent['identifier'],
  )
  const made = {
    keys: new Set(keys.map(({ kid }) => scopedName(account, kid))),
    privateKeys: new Set(privateKeys.map((alias) => scopedName(account, alias))),
  }
  const origin = { provider: row.provider ?? undefined, owner: { creation } }
  await insertIntent({ connection, made }, account, identifier, origin)
  return true
}

/** Forgets it with its keys. */
export async function forgetUndone(connection: Connection, account: string, creation: string): Promise<void> {
  const home = homeOf(account)
  await connection.run(
    sql`DELETE FROM "private-key" WHERE home = ${home} AND alias IN
      (SELECT stored_alias FROM undone_private_key WHERE ${isUndone(account, creation)})`,
  )
  await connection.run(sql`DELETE FROM undone_did_creation WHERE ${isUndone(account, creation)}`)
}

export async function postponeLook(
  connection: Connection,
  { account, creation }: UndoneCreation,
  until: Date,
): Promise<void> {
  await connection.run(
    sql`UPDATE undone_did_creation SET next_look_at = ${until.toISOString()}
      WHERE ${isUndone(account.id, creation)}`,
  )
}

/** They have the home of the account, as the keys do: the account does not hold the DID. */
const isUndone = (account: string, creation: string): Sql =>
  sql`home = ${homeOf(account)} AND creation = ${creation}`

async function note(
  connection: Connection,
  { account, did, provider, identifier, owner }: Intent,
  kids: readonly Kid[],
  { at, nextLookAt }: { at: Date; nextLookAt: Date },
): Promise<void> {
  const keys: StoredKey[] = []
  for (const kid of kids) {
    const key = await selectKey(connection, account.id, kid)
    if (key) keys.push(key)
  }
  await connection.run(
    sql`INSERT INTO undone_did_creation
        (home, creation, account_id, did, provider, identifier, keys, undone_at, next_look_at)
      VALUES (${homeOf(account.id)}, ${owner.creation}, ${account.id}, ${did}, ${provider ?? null}, ${JSON.stringify(identifier)},
        ${JSON.stringify(keys)}, ${at.toISOString()}, ${nextLookAt.toISOString()})`,
  )
}

/** Its name in Veramo's table is in no account any more; its sealing context is still its own. */
async function hidePrivateKey(
  connection: Connection,
  { account, alias, creation }: { account: string; alias: string; creation: string },
): Promise<void> {
  const hidden = `undone:${randomUUID()}`
  const home = homeOf(account)
  const ofKey = sql`${inAccount(account)} AND alias = ${alias}`
  const renamed = await connection.run(
    sql`UPDATE "private-key" SET alias = ${hidden} WHERE home = ${home} AND alias IN
      (SELECT stored_alias FROM account_private_key WHERE ${ofKey})`,
  )
  if (renamed === 0) return
  await connection.run(sql`DELETE FROM account_private_key WHERE ${ofKey}`)
  await connection.run(
    sql`INSERT INTO undone_private_key (home, stored_alias, creation, account_id, alias)
      VALUES (${home}, ${hidden}, ${creation}, ${account}, ${alias})`,
  )
}

/** @returns the aliases of those that the account does not have otherwise by now */
async function showPrivateKeys(connection: Connection, account: string, creation: string): Promise<string[]> {
  const home = homeOf(account)
  const hidden = await connection.query<{ stored_alias: string; alias: string }>(
    sql`SELECT stored_alias, alias FROM undone_private_key WHERE ${isUndone(account, creation)}`,
  )
  const shown: string[] = []
  for (const { stored_alias: name, alias } of hidden) {
    const stored = scopedName(account, alias)
    const inserted = await connection.run(
      sql`INSERT INTO account_private_key (home, account_id, alias, stored_alias)
        VALUES (${home}, ${account}, ${alias}, ${stored}) ON CONFLICT (home, account_id, alias) DO NOTHING`,
    )
    const isHidden = sql`home = ${home} AND alias = ${name}`
    if (inserted === 0) {
      await connection.run(sql`DELETE FROM "private-key" WHERE ${isHidden}`)
      continue
    }
    await connection.run(sql`UPDATE "private-key" SET alias = ${stored} WHERE ${isHidden}`)
    shown.push(alias)
  }
  return shown
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
