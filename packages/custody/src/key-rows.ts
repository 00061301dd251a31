import type { IKey, KeyMetadata, TKeyType } from '@veramo/core-types'
import { indexedText } from '@vidimus/accounts'
import { AgentError, asKid, type Kid } from '@vidimus/core-types'
import { type Connection, homeOf, isUniqueViolation, sql, tally, inAccount } from '@vidimus/database'
import { demandOwnName } from './key-names.js'
import { scopedName, type Transaction } from './unit.js'

export interface KeyRow {
  kid: Kid
  kms: string
  type: TKeyType
  publicKeyHex: string
  meta: string | null
}

/** A key of an account with its label. */
export interface StoredKey extends KeyRow {
  alias: string | null
}

/**
 * A key as Veramo's tables have it.
 *
 * @throws AgentError `wrong_secret` as {@link demandOwnName}
 */
export function toKey({ kid, kms, type, publicKeyHex, meta }: KeyRow): IKey {
  if (kid !== publicKeyHex) demandOwnName(kid, publicKeyHex)
  return { kid, kms, type, publicKeyHex, ...(meta !== null && { meta: JSON.parse(meta) as KeyMetadata }) }
}

export const keyNotFound = (kid: string) =>
  new AgentError('key_not_found', `the account holds no key "${kid}"`, {
    details: [{ path: 'kid', message: `the account holds no key "${kid}"` }],
  })

/** @returns how many keys the account held under the kid: 0 or 1 */
export async function deleteKey(connection: Connection, account: string, kid: Kid): Promise<number> {
  const home = homeOf(account)
  await connection.run(
    sql`DELETE FROM "key" WHERE home = ${home} AND kid IN
      (SELECT stored_kid FROM account_key WHERE ${inAccount(account)} AND kid = ${kid})`.changing(home),
  )
  const ofKey = sql`${inAccount(account)} AND kid = ${kid}`
  await connection.run(sql`DELETE FROM account_did_key WHERE ${ofKey}`.changing(home))
  const deleted = await connection.run(sql`DELETE FROM account_key WHERE ${ofKey}`.changing(home))
  tally(connection, account, 'keys', -deleted)
  return deleted
}

/**
 * @param isMade - just now, so that no row can have it
 * @returns whether the account did not hold it before
 */
export async function writeKey(
  { connection, made, presumesNew }: Transaction,
  account: string,
  key: IKey,
  isMade: boolean,
): Promise<boolean> {
  const label = indexedText(key.meta?.alias, 'alias')
  const { kms, type, publicKeyHex } = key
  const kid = asKid(key.kid)
  const name = scopedName(account, kid)
  const isNew = presumesNew && isMade && !made.keys.has(name)
  const before = isNew ? undefined : await selectHeldKey(connection, account, kid, made.keys.has(name))
  const labelTaken = (error: unknown) =>
    !isNew && isUniqueViolation(error, 'account_key')
      ? aliasTaken('alias', `the account already uses "${label}" for another key`)
      : error
  if (before) {
    rewriteKey(connection, account, { key, label, before }, labelTaken)
    return false
  }
  const row = { kid, kms, type, publicKeyHex, meta: metaText(key), alias: label ?? null }
  insertKey(connection, account, row, labelTaken)
  made.keys.add(name)
  return true
}

/** Stores a key that the account does not hold. */
function insertKey(
  connection: Connection,
  account: string,
  key: StoredKey,
  refused?: (error: unknown) => unknown,
): void {
  const stored = scopedName(account, key.kid)
  const home = homeOf(account)
  connection.send(
    sql`INSERT INTO account_key (home, account_id, kid, stored_kid, alias, created_at, kms)
      VALUES (${home}, ${account}, ${key.kid}, ${stored}, ${key.alias}, ${new Date().toISOString()}, ${key.kms})`.changing(
      home,
    ),
    refused,
  )
  tally(connection, account, 'keys', 1)
  connection.send(
    sql`INSERT INTO "key" (home, kid, kms, type, "publicKeyHex", meta)
      VALUES (${home}, ${stored}, ${key.kms}, ${key.type}, ${key.publicKeyHex}, ${key.meta})`.changing(home),
  )
}

/** A key as it is stored, to be put back by {@link restoreKey}. */
export async function selectKey(
  connection: Pick<Connection, 'query'>,
  account: string,
  kid: Kid,
): Promise<StoredKey | undefined> {
  const [row] = await connection.query<StoredKey>(
    sql`SELECT a.kid, a.alias, k.kms, k.type, k."publicKeyHex", k.meta
      FROM account_key a JOIN "key" k ON k.home = a.home AND k.kid = a.stored_kid
      WHERE ${inAccount(account, sql`a.`)} AND a.kid = ${kid}`,
  )
  return row
}

/** Restores a key, unless the account holds it; it loses its label if another key has that by now. */
export async function restoreKey(connection: Connection, account: string, key: StoredKey): Promise<void> {
  if (await selectHeldKey(connection, account, key.kid, true)) return
  const taken = await connection.query(
    sql`SELECT kid FROM account_key WHERE ${inAccount(account)} AND alias = ${key.alias}`,
  )
  insertKey(connection, account, taken.length === 0 ? key : { ...key, alias: null })
}

type HeldKey = StoredKey & { stored_kid: string }

/** @param wasSent - whether the transaction may have sent the key itself */
async function selectHeldKey(
  connection: Connection,
  account: string,
  kid: Kid,
  wasSent: boolean,
): Promise<HeldKey | undefined> {
  const statement = sql`SELECT a.kid, a.stored_kid, a.alias, k.kms, k.type, k."publicKeyHex", k.meta
    FROM account_key a LEFT JOIN "key" k ON k.home = a.home AND k.kid = a.stored_kid
    WHERE ${inAccount(account, sql`a.`)} AND a.kid = ${kid}`
  const [row] = await (wasSent
    ? connection.query<HeldKey>(statement)
    : connection.queryApart<HeldKey>(statement))
  return row
}

function rewriteKey(
  connection: Connection,
  account: string,
  { key, label, before }: { key: IKey; label: string | undefined; before: HeldKey },
  refused: (error: unknown) => unknown,
): void {
  if (before.type !== key.type || before.publicKeyHex !== key.publicKeyHex) {
    throw aliasTaken('kid', `the account already holds another key under "${key.kid}"`)
  }
  // Importing a key again without its label does not remove the label.
  const kept = label ?? before.alias
  const meta = metaText(kept === null ? key : { ...key, meta: { ...key.meta, alias: kept } })
  const home = homeOf(account)
  connection.send(
    sql`UPDATE account_key SET alias = ${kept}, kms = ${key.kms}
      WHERE ${inAccount(account)} AND kid = ${key.kid}`.changing(home),
    refused,
  )
  connection.send(
    sql`UPDATE "key" SET kms = ${key.kms}, meta = ${meta} WHERE home = ${home} AND kid = ${before.stored_kid}`.changing(
      home,
    ),
  )
}

const metaText = ({ meta }: IKey) => (meta ? JSON.stringify(meta) : null)

export const aliasTaken = (path: string, message: string) =>
  new AgentError('alias_taken', `${path}: ${message}`, { details: [{ path, message }] })
