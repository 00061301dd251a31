import { randomUUID } from 'node:crypto'
import type { TKeyType } from '@veramo/core-types'
import type { AbstractPrivateKeyStore, ImportablePrivateKey, ManagedPrivateKey } from '@veramo/key-manager'
import {
  currentAccount,
  type HasLifecycle,
  type HasSealedStores,
  type KeyEnvelope,
  mustFitAnswer,
  readWholeOrPage,
  requireEnvelope,
  type SealedStore,
  type WholeOrPage,
} from '@vidimus/core-types'
import { homeOf, isUniqueViolation, sql, type Connection, inAccount } from '@vidimus/database'
import { checkedText } from '@vidimus/accounts'
import { aliasTaken, keyNotFound } from './key-rows.js'
import { checkedNewName } from './key-names.js'
import { PrivateKeySeal } from './private-key-seal.js'
import { scopedName, unscopedName, type ScopedName, type Transaction } from './unit.js'
import type { UnitOfWork } from './unit-of-work.js'
import { requireUnitOfWork } from './require-unit-of-work.js'

interface PrivateKeyRow {
  alias: string
  type: TKeyType
  privateKeyHex: string
  /** `null` if the public half is not stored, or not yet */
  publicKeyHex: string | null
}

const PRIVATE_KEYS = sql`SELECT a.alias, p.type, p."privateKeyHex", k."publicKeyHex" FROM account_private_key a
  JOIN "private-key" p ON p.home = a.home AND p.alias = a.stored_alias
  LEFT JOIN account_key o ON o.home = a.home AND o.account_id = a.account_id AND o.kid = a.alias
  LEFT JOIN "key" k ON k.home = o.home AND k.kid = o.stored_kid`

/** The private keys of the account in scope, sealed for that account and alias. */
export class AccountPrivateKeyStore implements AbstractPrivateKeyStore, HasLifecycle, HasSealedStores {
  /**
   * `start` runs after the database's own. It throws AgentError `wrong_secret` if the secret is not the one that
   * sealed the stored keys: otherwise they would look broken, and new ones would be sealed with another secret beside
   * them.
   */
  readonly lifecycle = { start: () => this.seal.texts.verify() }
  readonly sealedStores: readonly SealedStore[]

  private readonly seal: PrivateKeySeal

  constructor(
    private readonly unit: UnitOfWork,
    envelope: KeyEnvelope,
  ) {
    requireUnitOfWork(unit)
    requireEnvelope(envelope)
    this.seal = new PrivateKeySeal(unit, envelope)
    this.sealedStores = [this.seal.texts]
  }

  /** @throws AgentError `key_not_found`, `wrong_secret` */
  async getKey({ alias }: { alias: string }): Promise<ManagedPrivateKey> {
    const account = currentAccount().id
    const name = scopedName(account, checkedText(alias, 'alias'))
    const staged = this.unit.current?.find('privateKeys', name)
    if (staged) return { ...staged }
    if (staged === null) throw keyNotFound(alias)
    const [row] = await this.unit.query<PrivateKeyRow>(
      sql`${PRIVATE_KEYS} WHERE ${inAccount(account, sql`a.`)} AND a.alias = ${alias}`,
    )
    if (!row) throw keyNotFound(alias)
    return this.opened(account, row)
  }

  /**
   * Stores a private key; storing it again changes nothing.
   *
   * @throws AgentError `alias_taken` if the account holds another private key of this alias
   */
  async importKey(args: ImportablePrivateKey): Promise<ManagedPrivateKey> {
    const account = currentAccount().id
    const key = {
      alias: args.alias ? checkedNewName(args.alias) : randomUUID(),
      type: checkedText(args.type, 'type'),
      privateKeyHex: checkedText(args.privateKeyHex, 'privateKeyHex'),
    }
    const name = scopedName(account, key.alias)
    const staged = this.unit.current?.find('privateKeys', name)
    if (staged && !isSameKey(staged, key)) throw otherKeyOfThisAlias(key.alias)
    const isMade = this.unit.current?.makesKey === true
    await this.unit.stage(
      (transaction) => this.write(transaction, account, key, isMade),
      ({ privateKeys }) => privateKeys.set(name, key),
    )
    return { ...key }
  }

  /** Deleting a missing key is not an error: a key of another KMS has no private half here. */
  async deleteKey({ alias }: { alias: string }): Promise<boolean> {
    const account = currentAccount().id
    const name = scopedName(account, checkedText(alias, 'alias'))
    await this.unit.stage(
      ({ connection }) => deletePrivateKey(connection, account, alias),
      ({ privateKeys }) => privateKeys.set(name, null),
    )
    return true
  }

  /** As {@link AccountKeyStore.listKeys}, in the order of their aliases. */
  async listKeys(args: WholeOrPage = {}): Promise<ManagedPrivateKey[]> {
    const account = currentAccount().id
    const { limit, isWhole, after } = readWholeOrPage(args ?? {})
    const staged = this.unit.current?.all('privateKeys') ?? new Map<ScopedName, ManagedPrivateKey | null>()
    const rows = await this.unit.query<PrivateKeyRow>(
      sql`${PRIVATE_KEYS} WHERE ${inAccount(account, sql`a.`)}
        ${after === undefined ? sql`` : sql`AND a.alias > ${after}`} ORDER BY a.alias LIMIT ${limit + staged.size}`,
    )
    const keys = new Map<string, ManagedPrivateKey>()
    for (const row of rows) keys.set(row.alias, this.opened(account, row))
    for (const [scoped, key] of staged) {
      const alias = unscopedName(account, scoped)
      if (alias === undefined || (after !== undefined && alias <= after)) continue
      if (key) keys.set(alias, { ...key })
      else keys.delete(alias)
    }
    const listed = [...keys.values()].sort((one, other) => (one.alias < other.alias ? -1 : 1))
    if (!isWhole) listed.splice(limit)
    mustFitAnswer(listed, 'private keys')
    return listed
  }

  /** @param isMade - just now, so that no row can have it */
  private async write(
    { connection, made, presumesNew }: Transaction,
    account: string,
    key: ManagedPrivateKey,
    isMade: boolean,
  ): Promise<void> {
    const stored = scopedName(account, key.alias)
    const wasSent = made.privateKeys.has(stored)
    const isNew = presumesNew && isMade && !wasSent
    const held = isNew ? undefined : await this.selectHeld(connection, account, key.alias, wasSent)
    if (held) {
      if (isSameKey(held, key)) return
      throw otherKeyOfThisAlias(key.alias)
    }
    const home = homeOf(account)
    const sealed = await this.seal.close(connection, { account, ...key }, key.privateKeyHex)
    connection.send(
      sql`INSERT INTO account_private_key (home, account_id, alias, stored_alias)
        VALUES (${home}, ${account}, ${key.alias}, ${stored})`,
      (error) =>
        !isNew && isUniqueViolation(error, 'account_private_key') ? otherKeyOfThisAlias(key.alias) : error,
    )
    connection.send(
      sql`INSERT INTO "private-key" (home, alias, type, "privateKeyHex")
        VALUES (${home}, ${stored}, ${key.type}, ${sealed})`,
    )
    made.privateKeys.add(stored)
  }

  /** @param wasSent - whether the transaction may have sent the key itself */
  private async selectHeld(
    connection: Connection,
    account: string,
    alias: string,
    wasSent: boolean,
  ): Promise<ManagedPrivateKey | undefined> {
    const held = sql`${PRIVATE_KEYS} WHERE ${inAccount(account, sql`a.`)} AND a.alias = ${alias}`
    const [row] = await (wasSent
      ? connection.query<PrivateKeyRow>(held)
      : connection.queryApart<PrivateKeyRow>(held))
    return row && this.opened(account, row)
  }

  private opened(account: string, row: PrivateKeyRow): ManagedPrivateKey {
    const { alias, type, privateKeyHex, publicKeyHex } = row
    const opened = this.seal.open({ account, alias, type }, privateKeyHex, publicKeyHex)
    return { alias, type, privateKeyHex: opened }
  }
}

export async function deletePrivateKey(
  connection: Connection,
  account: string,
  alias: string,
): Promise<void> {
  const ofKey = sql`${inAccount(account)} AND alias = ${alias}`
  await connection.run(
    sql`DELETE FROM "private-key" WHERE home = ${homeOf(account)} AND alias IN
      (SELECT stored_alias FROM account_private_key WHERE ${ofKey})`,
  )
  await connection.run(sql`DELETE FROM account_private_key WHERE ${ofKey}`)
}

/** An Ed25519 key is stored as its 32 bytes, or with the public key behind them. */
function isSameKey(one: ManagedPrivateKey, other: ManagedPrivateKey): boolean {
  const material = ({ type, privateKeyHex }: ManagedPrivateKey) =>
    (type === 'Ed25519' ? privateKeyHex.slice(0, 64) : privateKeyHex).toLowerCase()
  return one.type === other.type && material(one) === material(other)
}

const otherKeyOfThisAlias = (alias: string) =>
  aliasTaken('kid', `the account already holds another key under "${alias}"`)
