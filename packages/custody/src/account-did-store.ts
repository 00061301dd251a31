import type { IIdentifier, IKey, IService } from '@veramo/core-types'
import type { AbstractDIDStore } from '@veramo/did-manager'
import {
  AgentError,
  currentAccount,
  currentActor,
  didAsKept,
  mustFitAnswer,
  readWholeOrPage,
  requireNetworkOf,
  type AccountRows,
  type HasAccountRows,
  type WholeOrPage,
} from '@vidimus/core-types'
import { sql } from '@vidimus/database'
import {
  checkedList,
  checkedObject,
  checkedText,
  insertAuditEvent,
  invalidInput,
  optionalText,
} from '@vidimus/accounts'
import { accountRows } from './account-rows.js'
import { auditIdentifier } from './audit-identifier.js'
import { didAliasTaken, didOfAlias } from './did-aliases.js'
import { writeAccepted } from './identifier-merge.js'
import { readIdentifiers, rememberedIdentifier, type VersionedIdentifier } from './identifier-rows.js'
import {
  deleteIdentifier,
  writeIdentifier,
  type WritableIdentifier,
  type WrittenIdentifier,
} from './identifier-writes.js'
import { scopedName, unscopedName, type Transaction } from './unit.js'
import type { UnitOfWork } from './unit-of-work.js'
import { requireUnitOfWork } from './require-unit-of-work.js'
import { claimWebDid } from './web-dids.js'

/** DIDs whose services are read at once: they may be long. */
export const READ_TOGETHER = 50

/**
 * The DIDs that the account in scope holds, each in the spelling of its ledger.
 *
 * This is where the networks of an API key are enforced, for operations and agent methods alike: nothing acts as a
 * DID without reading it here first. A DID on another network is `forbidden` to read, store and delete, whether the
 * account holds it or not; the list of DIDs is not restricted.
 */
export class AccountDIDStore implements AbstractDIDStore, HasAccountRows {
  /** including those of keys: they can only be erased in one order */
  readonly accountRows: readonly AccountRows[]

  constructor(private readonly unit: UnitOfWork) {
    requireUnitOfWork(unit)
    this.accountRows = accountRows(unit)
  }

  /**
   * @param args - either of them
   * @throws AgentError `did_not_found`, `forbidden`
   */
  async getDID(args: { did?: string; alias?: string }): Promise<IIdentifier> {
    const account = currentAccount().id
    const { did, alias } = args
    if ((did === undefined) === (alias === undefined)) {
      throw invalidInput('did', 'either did or alias must be given')
    }
    if (did !== undefined) return this.byDID(account, didAsKept(checkedText(did, 'did')))
    return this.byAlias(account, checkedText(alias, 'alias'))
  }

  /**
   * Stores the identifier as a whole; keys and services that it no longer names are unlinked. An omitted alias is
   * unchanged, an empty one is removed.
   *
   * @throws AgentError `invalid_input`; `key_not_found` for a key that the account does not hold; `alias_taken`;
   *   `did_taken` and `did_not_granted` for a did:web under the public URL; `version_conflict` if another call has
   *   changed the DID since this one read it. Within a unit of work all but the first come from its end.
   */
  async importDID(args: IIdentifier): Promise<boolean> {
    const account = currentAccount().id
    const identifier = checkedIdentifier(args)
    this.mustBeAllowed(identifier.did)
    const name = scopedName(account, identifier.did)
    this.mustNotShareAlias(account, identifier)
    const current = this.unit.current
    const expected = current?.versions.get(name)
    if (current && expected !== undefined) current.versions.set(name, expected + 1)
    const writing = {
      actor: currentActor(),
      isDocumentChange: current?.changesDocument === true,
      isCreation: current?.creationRequest() !== undefined,
      isTold: current !== undefined && current.told.size > 0,
    }
    // An intent is a row of the DID.
    const mayBeNew = writing.isCreation && expected === undefined && current?.creations.size === 0
    const base = writing.isTold ? current?.bases.get(name) : undefined
    await this.unit.stage(
      async (transaction) => {
        const written = await (base && expected !== undefined
          ? writeAccepted(this.unit, { transaction, account }, { identifier, expected, base })
          : this.write(transaction, account, identifier, { expected, mayBeNew }))
        await auditIdentifier(transaction.connection, identifier, writing, written)
        this.unit.markDid(transaction.connection, identifier.did)
      },
      ({ identifiers }) => identifiers.set(name, toVisible(identifier)),
    )
    return true
  }

  /** Deleting a missing DID is not an error. Its keys stay in the account. */
  async deleteDID(args: { did: string }): Promise<boolean> {
    const account = currentAccount().id
    const did = didAsKept(checkedText(args.did, 'did'))
    const name = scopedName(account, did)
    this.mustBeAllowed(did)
    this.unit.current?.versions.delete(name)
    const actor = currentActor()
    await this.unit.stage(
      async ({ connection }) => {
        if ((await deleteIdentifier(connection, account, did)) === 0) return
        await insertAuditEvent(connection, { event: 'did-deleted', subject: did }, actor)
        this.unit.markDid(connection, did)
      },
      ({ identifiers }) => identifiers.set(name, null),
    )
    return true
  }

  /**
   * The DIDs of the account ordered by their text, optionally with this alias and of this provider.
   *
   * @param args - `limit` and `after`, a DID: a page; without either, all
   * @throws AgentError `invalid_input`, also if there are too many for one response
   */
  async listDIDs(args: { alias?: string; provider?: string } & WholeOrPage = {}): Promise<IIdentifier[]> {
    const account = currentAccount().id
    const alias = optionalText(args.alias, 'alias')
    const provider = optionalText(args.provider, 'provider')
    const { limit, isWhole, after } = readWholeOrPage(args)
    const fits = ({ did, ...identifier }: IIdentifier) =>
      (alias === undefined || identifier.alias === alias) &&
      (provider === undefined || identifier.provider === provider) &&
      (after === undefined || did > after)
    const staged = this.stagedOf(account)
    const names = await this.unit.query<{ did: string }>(
      sql`SELECT d.did FROM account_did d WHERE d.account_id = ${account} AND d.pending = 0
        ${alias ? sql`AND d.alias = ${alias}` : sql``} ${provider ? sql`AND d.provider = ${provider}` : sql``}
        ${after === undefined ? sql`` : sql`AND d.did > ${after}`} ORDER BY d.did LIMIT ${limit + staged.size}`,
    )
    const dids = names.map(({ did }) => did).filter((did) => !staged.has(did))
    const more = [...staged.values()].filter((identifier) => identifier !== null).filter(fits)
    if (isWhole) mustFitAnswer([...dids, ...more], 'DIDs')
    const read = [...(await this.readMany(account, dids)), ...more].sort(byDid)
    if (isWhole) return read
    return read.slice(0, limit)
  }

  /** @throws AgentError `invalid_input` if they are too long for one response */
  private async readMany(account: string, dids: readonly string[]): Promise<IIdentifier[]> {
    const read: IIdentifier[] = []
    for (let n = 0; n < dids.length; n += READ_TOGETHER) {
      read.push(...(await this.read(account, dids.slice(n, n + READ_TOGETHER))))
      mustFitAnswer(read, 'DIDs')
    }
    return read
  }

  private async write(
    transaction: Transaction,
    account: string,
    identifier: WritableIdentifier,
    { expected, mayBeNew }: { expected: number | undefined; mayBeNew: boolean },
  ): Promise<WrittenIdentifier> {
    const { maxServices, quotas } = this.unit
    await claimWebDid(transaction.connection, currentAccount(), identifier.did, this.unit)
    await quotas.expect(transaction.connection, account, ['dids'])
    const written = await writeIdentifier(transaction, account, identifier, {
      expectedVersion: expected,
      maxServices,
      mayBeNew,
    })
    if (written.before === 'none') await quotas.check(transaction.connection, account, 'dids')
    return written
  }

  private async byDID(account: string, did: string): Promise<IIdentifier> {
    this.mustBeAllowed(did)
    const staged = this.unit.current?.find('identifiers', scopedName(account, did))
    if (staged) return structuredClone(staged)
    const [found] = staged === null ? [] : await this.readOne(account, did)
    if (!found) throw didNotFound('did', `the account holds no DID "${did}"`)
    return found
  }

  private async byAlias(account: string, alias: string): Promise<IIdentifier> {
    const staged = this.stagedOf(account)
    const stagedHolder = [...staged.values()].find((identifier) => identifier?.alias === alias)
    if (stagedHolder) {
      this.mustBeAllowed(stagedHolder.did)
      return stagedHolder
    }
    const did = await didOfAlias(this.unit, account, alias)
    const [found] = did === undefined || staged.has(did) ? [] : await this.read(account, [did])
    if (found?.alias !== alias) throw didNotFound('alias', `the account holds no DID with alias "${alias}"`)
    this.mustBeAllowed(found.did)
    return found
  }

  /** Veramo's DID manager takes a failure to read a DID for "there is none": the unit must not succeed after it. */
  private mustBeAllowed(did: string): void {
    try {
      requireNetworkOf(did)
    } catch (error) {
      this.unit.fail(error)
      throw error
    }
  }

  private async read(account: string, dids: readonly string[]): Promise<IIdentifier[]> {
    return this.seen(account, await readIdentifiers(this.unit, account, dids))
  }

  /** Every call for a status list asks whether the account holds the DID. */
  private async readOne(account: string, did: string): Promise<IIdentifier[]> {
    const found = await rememberedIdentifier(this.unit, account, did)
    return this.seen(account, found ? [found] : [])
  }

  private seen(account: string, found: readonly VersionedIdentifier[]): IIdentifier[] {
    return found.map(({ identifier, version }) => {
      const { current } = this.unit
      const name = scopedName(account, identifier.did)
      // A change is based on what the unit read first.
      if (current && !current.versions.has(name)) {
        current.versions.set(name, version)
        current.bases.set(name, structuredClone(identifier))
      }
      return identifier
    })
  }

  /** The unit's staged DIDs of the account. */
  private stagedOf(account: string): Map<string, IIdentifier | null> {
    const staged = new Map<string, IIdentifier | null>()
    for (const [scoped, identifier] of this.unit.current?.all('identifiers') ?? []) {
      const did = unscopedName(account, scoped)
      if (did !== undefined) staged.set(did, structuredClone(identifier))
    }
    return staged
  }

  private mustNotShareAlias(account: string, { did, alias }: WritableIdentifier): void {
    if (!alias) return
    for (const [other, identifier] of this.stagedOf(account)) {
      if (other !== did && identifier?.alias === alias) throw didAliasTaken(alias)
    }
  }
}

/** Checks the shape of an identifier that comes from outside, and leaves out what does not belong to it, private keys above all. */
export function checkedIdentifier(args: IIdentifier): WritableIdentifier {
  const controllerKeyId = optionalText(args.controllerKeyId, 'controllerKeyId')
  const alias = args.alias === '' ? null : optionalText(args.alias, 'alias')
  const services = checkedList(args.services ?? [], 'services').map((service, n) =>
    checkedService(service, `services[${n}]`),
  )
  const seen = new Set<string>()
  const repeated = services.findIndex(({ id }) => seen.size === seen.add(id).size)
  if (repeated >= 0) throw invalidInput(`services[${repeated}].id`, 'is used by another service of the DID')
  return {
    did: didAsKept(checkedText(args.did, 'did')),
    provider: checkedText(args.provider, 'provider'),
    ...(alias !== undefined && { alias }),
    ...(controllerKeyId !== undefined && { controllerKeyId }),
    keys: checkedList(args.keys, 'keys').map(checkedKeyOfIdentifier),
    services,
  }
}

function checkedKeyOfIdentifier(key: unknown, n: number): IKey {
  const { kid, kms, type, publicKeyHex, meta } = checkedObject<IKey>(key, `keys[${n}]`)
  checkedText(kid, `keys[${n}].kid`)
  return { kid, kms, type, publicKeyHex, ...(meta && { meta }) }
}

/** @throws AgentError `invalid_input` for what could not be stored, at the path of the service or below */
export function checkedService(service: unknown, path: string): IService {
  const { id, type, serviceEndpoint, description } = checkedObject<IService>(service, path)
  checkedText(id, `${path}.id`)
  checkedText(type, `${path}.type`)
  if (typeof serviceEndpoint !== 'object' || serviceEndpoint === null) {
    checkedText(serviceEndpoint, `${path}.serviceEndpoint`)
  }
  const text = optionalText(description, `${path}.description`)
  return { id, type, serviceEndpoint, ...(text !== undefined && { description: text }) }
}

function toVisible({ alias, ...identifier }: WritableIdentifier): IIdentifier {
  return structuredClone({ ...identifier, ...(typeof alias === 'string' && { alias }) })
}

const byDid = (one: IIdentifier, other: IIdentifier) => (one.did < other.did ? -1 : 1)

const didNotFound = (path: string, message: string) =>
  new AgentError('did_not_found', `${path}: ${message}`, { details: [{ path, message }] })
