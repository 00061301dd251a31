import type { IKey, ManagedKeyInfo } from '@veramo/core-types'
import type { AbstractKeyStore } from '@veramo/key-manager'
import {
  currentAccount,
  currentActor,
  mustFitAnswer,
  readWholeOrPage,
  asKid,
  type WholeOrPage,
  type Kid,
} from '@vidimus/core-types'
import { homeOf, sql, inAccount } from '@vidimus/database'
import { checkedText, indexedText, insertAuditEvent } from '@vidimus/accounts'
import { checkedKeyName, demandSmallMeta } from './key-names.js'
import { deleteKey, keyNotFound, toKey, writeKey, type KeyRow } from './key-rows.js'
import { demandUnlinked } from './ledger-change-rows.js'
import { demandNetworksOfKey } from './networks-of-keys.js'
import { scopedName, unscopedName, type ScopedName } from './unit.js'
import type { UnitOfWork } from './unit-of-work.js'
import { requireUnitOfWork } from './require-unit-of-work.js'

/**
 * The public halves of the keys that the account in scope holds.
 *
 * `meta.alias` of an imported key is its label: unique within the account.
 */
export class AccountKeyStore implements AbstractKeyStore {
  constructor(private readonly unit: UnitOfWork) {
    requireUnitOfWork(unit)
  }

  /** @throws AgentError `key_not_found`; `forbidden` as in {@link mustBeFree} */
  async getKey(args: { kid: string }): Promise<IKey> {
    const account = currentAccount().id
    const kid = asKid(checkedText(args.kid, 'kid'))
    const name = scopedName(account, kid)
    await this.mustBeFree(account, kid)
    const staged = this.unit.current?.find('keys', name)
    if (staged) return structuredClone(staged)
    if (staged === null) throw keyNotFound(kid)
    // Every signature asks for its key.
    const [row] = await this.unit.queryRemembered<KeyRow>(
      sql`SELECT a.kid, k.kms, k.type, k."publicKeyHex", k.meta
        FROM account_key a JOIN "key" k ON k.home = a.home AND k.kid = a.stored_kid
        WHERE ${inAccount(account, sql`a.`)} AND a.kid = ${kid}`,
      homeOf(account),
    )
    if (!row) throw keyNotFound(kid)
    return toKey(row)
  }

  /**
   * Stores a key; storing it again only changes its KMS and metadata.
   *
   * @throws AgentError `invalid_input` for a kid that reads like a public key and is not this one's; `alias_taken` if
   *   the account holds another key of this kid or label
   */
  async importKey(args: Partial<IKey>): Promise<boolean> {
    const account = currentAccount().id
    const key = checkedKey(args)
    const event = this.eventOfNewKey()
    const isMade = this.unit.current?.makesKey === true
    // A key created by itself may replace another one of a DID.
    const onReserve = event === 'key-created'
    // The quota of a DID that the key is created for is read with it.
    const expected = this.unit.current?.creationRequest() ? OF_NEW_DIDS : (['keys'] as const)
    const actor = currentActor()
    await this.unit.stage(
      async (transaction) => {
        await this.unit.quotas.expect(transaction.connection, account, expected)
        const isNew = await writeKey(transaction, account, key, isMade)
        if (isNew) await this.unit.quotas.check(transaction.connection, account, 'keys', { onReserve })
        if (isNew && event) await insertAuditEvent(transaction.connection, { event, subject: key.kid }, actor)
      },
      ({ keys }) => keys.set(scopedName(account, key.kid), key),
    )
    return true
  }

  /** @throws AgentError `key_not_found`; `invalid_input` for a key of a DID; `forbidden` as in {@link mustBeFree} */
  async deleteKey(args: { kid: string }): Promise<boolean> {
    const account = currentAccount().id
    const kid = asKid(checkedText(args.kid, 'kid'))
    const name = scopedName(account, kid)
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
   * The keys of the account ordered by their kids.
   *
   * @param args - `limit` and `after`, a kid: a page; without either, all
   * @throws AgentError `invalid_input`, also if there are too many for one response
   */
  async listKeys(args: WholeOrPage = {}): Promise<ManagedKeyInfo[]> {
    const account = currentAccount().id
    const { limit, isWhole, after } = readWholeOrPage(args ?? {})
    const staged = this.unit.current?.all('keys') ?? new Map<ScopedName, IKey | null>()
    const rows = await this.unit.query<KeyRow>(
      sql`SELECT a.kid, k.kms, k.type, k."publicKeyHex", k.meta
        FROM account_key a JOIN "key" k ON k.home = a.home AND k.kid = a.stored_kid WHERE ${inAccount(account, sql`a.`)}
        ${after === undefined ? sql`` : sql`AND a.kid > ${after}`} ORDER BY a.kid LIMIT ${limit + staged.size}`,
    )
    const keys = new Map<string, IKey>(rows.map((row) => [row.kid, toKey(row)]))
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

  /** @throws AgentError `forbidden` as in {@link demandNetworksOfKey} */
  private async mustBeFree(account: string, kid: Kid): Promise<void> {
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
    return unit?.makesKey ? 'key-created' : 'key-imported'
  }
}

const OF_NEW_DIDS = ['keys', 'dids', 'bytes'] as const

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
