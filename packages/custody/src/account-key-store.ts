import type { IKey, KeyMetadata, ManagedKeyInfo, TKeyType } from '@veramo/core-types'
import type { AbstractKeyStore } from '@veramo/key-manager'
import {
  AgentError,
  currentAccount,
  currentActor,
  mustFitAnswer,
  readWholeOrPage,
  type WholeOrPage,
} from '@vidimus/core-types'
import { type Connection, homeOf, isUniqueViolation, sql, tally } from '@vidimus/database'
import { checkedText, indexedText, insertAuditEvent, invalidInput } from '@vidimus/accounts'
import { checkedKeyName, demandSmallMeta } from './key-names.js'
import { demandNetworksOfKey } from './networks-of-keys.js'
import { scopedName, unscopedName, type Transaction } from './unit.js'
import type { UnitOfWork } from './unit-of-work.js'
import { requireUnitOfWork } from './require-unit-of-work.js'

export interface KeyRow {
  kid: string
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
 * The public halves of the keys that the account in scope holds.
 *
 * `meta.alias` of an imported key is its label: unique within the account.
 */
export class AccountKeyStore implements AbstractKeyStore {
  constructor(private readonly unit: UnitOfWork) {
    requireUnitOfWork(unit)
  }

  /** @throws AgentError `key_not_found`; `forbidden` as {@link mustBeFree} says */
  async getKey({ kid }: { kid: string }): Promise<IKey> {
    const account = currentAccount().id
    const name = scopedName(account, checkedText(kid, 'kid'))
    await this.mustBeFree(account, kid)
    const staged = this.unit.current?.find('keys', name)
    if (staged) return structuredClone(staged)
    if (staged === null) throw keyNotFound(kid)
    const [row] = await this.unit.query<KeyRow>(
      sql`SELECT a.kid, k.kms, k.type, k."publicKeyHex", k.meta
        FROM account_key a JOIN "key" k ON k.kid = a.stored_kid WHERE a.account_id = ${account} AND a.kid = ${kid}`,
    )
    if (!row) throw keyNotFound(kid)
    return toKey(row)
  }

  /**
   * Stores a key; storing it again changes its KMS and metadata alone.
   *
   * @throws AgentError `invalid_input` for a kid that reads like a public key and is not this one's; `alias_taken` where
   * the account holds another key of this kid or label
   */
  async importKey(args: Partial<IKey>): Promise<boolean> {
    const account = currentAccount().id
    const key = checkedKey(args)
    const event = this.eventOfNewKey()
    // One that is made by itself may be what a DID is to have in place of another.
    const onReserve = event === 'key-created'
    const actor = currentActor()
    await this.unit.stage(
      async (transaction) => {
        const isNew = await writeKey(transaction, account, key)
        if (isNew) await this.unit.quotas.check(transaction.connection, account, 'keys', onReserve)
        if (isNew && event) await insertAuditEvent(transaction.connection, { event, subject: key.kid }, actor)
      },
      ({ keys }) => keys.set(scopedName(account, key.kid), key),
    )
    return true
  }

  /** @throws AgentError `key_not_found`; `invalid_input` for a key of a DID; `forbidden` as {@link mustBeFree} says */
  async deleteKey({ kid }: { kid: string }): Promise<boolean> {
    const account = currentAccount().id
    const name = scopedName(account, checkedText(kid, 'kid'))
    await this.mustBeFree(account, kid)
    const actor = currentActor()
    await this.unit.stage(
      async ({ connection }) => {
        await demandUnlinked(connection, account, kid)
        if ((await deleteKey(connection, account, kid)) === 0) throw keyNotFound(kid)
        await insertAuditEvent(connection, { event: 'key-deleted', subject: kid }, actor)
      },
      ({ keys }) => keys.set(name, null),
    )
    return true
  }

  /**
   * The keys of the account in the order of their kids.
   *
   * @param args - `limit` and `after`, a kid: a page; without either, all
   * @throws AgentError `invalid_input`, also where there are too many for one answer
   */
  async listKeys(args: WholeOrPage = {}): Promise<ManagedKeyInfo[]> {
    const account = currentAccount().id
    const { limit, isWhole, after } = readWholeOrPage(args ?? {})
    const staged = this.unit.current?.all('keys') ?? new Map<string, IKey | null>()
    const rows = await this.unit.query<KeyRow>(
      sql`SELECT a.kid, k.kms, k.type, k."publicKeyHex", k.meta
        FROM account_key a JOIN "key" k ON k.kid = a.stored_kid WHERE a.account_id = ${account}
        ${after === undefined ? sql`` : sql`AND a.kid > ${after}`} ORDER BY a.kid LIMIT ${limit + staged.size}`,
    )
    const keys = new Map(rows.map((row) => [row.kid, toKey(row)]))
    for (const [scoped, key] of staged) {
      const kid = unscopedName(account, scoped)
      if (kid === undefined || (after !== undefined && kid <= after)) continue
      if (key) keys.set(kid, structuredClone(key))
      else keys.delete(kid)
    }
    const listed = [...keys.values()].sort((one, other) => (one.kid < other.kid ? -1 : 1))
    if (!isWhole) listed.splice(limit)
    mustFitAnswer(listed, 'keys')
    return listed
  }

  /** @throws AgentError `forbidden` as {@link demandNetworksOfKey} says */
  private async mustBeFree(account: string, kid: string): Promise<void> {
    try {
      await demandNetworksOfKey(this.unit, account, kid)
    } catch (error) {
      this.unit.fail(error)
      throw error
    }
  }

  /** A key that is made for a DID is part of that event; the DID may still be refused. */
  private eventOfNewKey(): 'key-created' | 'key-imported' | undefined {
    const unit = this.unit.current
    if (unit?.creationRequest()) return undefined
    return unit?.method === 'keyManagerCreate' ? 'key-created' : 'key-imported'
  }
}

/** A key as Veramo's tables have it. */
export function toKey({ kid, kms, type, publicKeyHex, meta }: KeyRow): IKey {
  return { kid, kms, type, publicKeyHex, ...(meta !== null && { meta: JSON.parse(meta) as KeyMetadata }) }
}

export const keyNotFound = (kid: string) =>
  new AgentError('key_not_found', `the account holds no key "${kid}"`, {
    details: [{ path: 'kid', message: `the account holds no key "${kid}"` }],
  })

/**
 * A DID without its keys could never be changed or deactivated again.
 *
 * @throws AgentError `invalid_input` where a DID of the account has the key, or one that is being created or changed
 */
export async function demandUnlinked(
  reader: Pick<Connection, 'query'>,
  account: string,
  kid: string,
): Promise<void> {
  const linked = await reader.query<{ did: string }>(
    sql`SELECT did FROM account_did_key WHERE account_id = ${account} AND kid = ${kid} ORDER BY did LIMIT 1`,
  )
  const pending = await reader.query<{ did: string; identifier: string }>(
    sql`SELECT did, identifier FROM did_creation WHERE account_id = ${account}`,
  )
  const creating = pending.find(({ identifier }) => namesKey(identifier, kid))
  const changes = await reader.query<{ did: string; kids: string }>(
    sql`SELECT did, kids FROM ledger_change WHERE account_id = ${account} AND kind = 'document'`,
  )
  const changing = changes.find(({ kids }) => (JSON.parse(kids) as string[]).includes(kid))
  const did = linked[0]?.did ?? creating?.did ?? changing?.did
  if (did !== undefined) {
    throw invalidInput('kid', `is a key of ${did}; take it out of the DID, or delete the DID, before the key`)
  }
}

function namesKey(identifier: string, kid: string): boolean {
  const { keys } = JSON.parse(identifier) as { keys?: { kid: string }[] }
  return keys?.some((key) => key.kid === kid) === true
}

/** @returns how many keys the account held under the kid: 0 or 1 */
export async function deleteKey(connection: Connection, account: string, kid: string): Promise<number> {
  await connection.run(
    sql`DELETE FROM "key" WHERE kid IN
      (SELECT stored_kid FROM account_key WHERE account_id = ${account} AND kid = ${kid})`,
  )
  await connection.run(sql`DELETE FROM account_did_key WHERE account_id = ${account} AND kid = ${kid}`)
  const deleted = await connection.run(
    sql`DELETE FROM account_key WHERE account_id = ${account} AND kid = ${kid}`,
  )
  await tally(connection, account, 'keys', -deleted)
  return deleted
}

function checkedKey(args: Partial<IKey>): IKey {
  const { meta } = args
  const publicKeyHex = indexedText(checkedText(args.publicKeyHex, 'publicKeyHex'), 'publicKeyHex') ?? ''
  demandSmallMeta(meta)
  return {
    kid: checkedKeyName(args.kid, publicKeyHex),
    kms: checkedText(args.kms, 'kms'),
    type: checkedText(args.type, 'type'),
    publicKeyHex,
    ...(meta && { meta: structuredClone(meta) }),
  }
}

/** @returns whether the account did not hold it before */
async function writeKey({ connection, made }: Transaction, account: string, key: IKey): Promise<boolean> {
  const label = indexedText(key.meta?.alias, 'alias')
  const { kid, kms, type, publicKeyHex } = key
  try {
    const row = { kid, kms, type, publicKeyHex, meta: metaText(key), alias: label ?? null }
    if (!(await insertKey(connection, account, row))) {
      await rewriteKey(connection, account, key, label)
      return false
    }
    made.keys.add(scopedName(account, kid))
    return true
  } catch (error) {
    if (isUniqueViolation(error, 'account_key')) {
      throw aliasTaken('alias', `the account uses "${label}" for another key already`)
    }
    throw error
  }
}

/** @returns whether the account did not hold a key of this kid before; otherwise nothing was changed */
async function insertKey(connection: Connection, account: string, key: StoredKey): Promise<boolean> {
  const stored = scopedName(account, key.kid)
  const inserted = await connection.run(
    sql`INSERT INTO account_key (account_id, kid, stored_kid, alias, created_at, kms)
      VALUES (${account}, ${key.kid}, ${stored}, ${key.alias}, ${new Date().toISOString()}, ${key.kms})
      ON CONFLICT (account_id, kid) DO NOTHING`.changing(homeOf(account)),
  )
  if (inserted === 0) return false
  await tally(connection, account, 'keys', 1)
  await connection.run(
    sql`INSERT INTO "key" (kid, kms, type, "publicKeyHex", meta)
      VALUES (${stored}, ${key.kms}, ${key.type}, ${key.publicKeyHex}, ${key.meta})`.changing(
      homeOf(account),
    ),
  )
  return true
}

/** A key as it is stored, to be put back by {@link restoreKey}. */
export async function selectKey(
  connection: Pick<Connection, 'query'>,
  account: string,
  kid: string,
): Promise<StoredKey | undefined> {
  const [row] = await connection.query<StoredKey>(
    sql`SELECT a.kid, a.alias, k.kms, k.type, k."publicKeyHex", k.meta
      FROM account_key a JOIN "key" k ON k.kid = a.stored_kid WHERE a.account_id = ${account} AND a.kid = ${kid}`,
  )
  return row
}

/** Puts a key back that the account does not hold; it loses its label where another key has that by now. */
export async function restoreKey(connection: Connection, account: string, key: StoredKey): Promise<void> {
  const taken = await connection.query(
    sql`SELECT kid FROM account_key WHERE account_id = ${account} AND alias = ${key.alias}`,
  )
  await insertKey(connection, account, taken.length === 0 ? key : { ...key, alias: null })
}

async function rewriteKey(
  connection: Connection,
  account: string,
  key: IKey,
  label: string | undefined,
): Promise<void> {
  const [row] = await connection.query<KeyRow & { stored_kid: string; alias: string | null }>(
    sql`SELECT a.kid, a.stored_kid, a.alias, k.kms, k.type, k."publicKeyHex", k.meta
      FROM account_key a JOIN "key" k ON k.kid = a.stored_kid
      WHERE a.account_id = ${account} AND a.kid = ${key.kid}`,
  )
  if (row?.type !== key.type || row.publicKeyHex !== key.publicKeyHex) {
    throw aliasTaken('kid', `the account holds another key under "${key.kid}" already`)
  }
  // Who imports a key again without its label does not take the label away.
  const kept = label ?? row.alias
  const meta = metaText(kept === null ? key : { ...key, meta: { ...key.meta, alias: kept } })
  await connection.run(
    sql`UPDATE account_key SET alias = ${kept}, kms = ${key.kms} WHERE account_id = ${account} AND kid = ${key.kid}`,
  )
  await connection.run(sql`UPDATE "key" SET kms = ${key.kms}, meta = ${meta} WHERE kid = ${row.stored_kid}`)
}

const metaText = ({ meta }: IKey) => (meta ? JSON.stringify(meta) : null)

export const aliasTaken = (path: string, message: string) =>
  new AgentError('alias_taken', `${path}: ${message}`, { details: [{ path, message }] })
