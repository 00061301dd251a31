import {
  currentCaller,
  deepFrozen,
  hasMethods,
  NETWORKS,
  parseOptions,
  type AccountRows,
  type CheckResult,
  type Finding,
  type HasAccountRows,
  type HasLifecycle,
  type HasMeasurements,
} from '@vidimus/core-types'
import {
  homeOf,
  homeOfDid,
  homeOfResources,
  laneOfDid,
  sql,
  type AccountQuotas,
  type CountsStored,
  type Database,
  type HasCountsStored,
} from '@vidimus/database'
import {
  demandHandOver,
  MeasuredSubmission,
  normaliseDid,
  normaliseUniqueId,
  subjectOf,
  validateMessage,
  type DidDocMetadata,
  type DidDocWithMetadata,
  type FoundResource,
  type Ledger,
  type LedgerBank,
  type LedgerMessage,
  type LedgerParticipation,
  type LedgerReceipt,
  type Network,
  type ResourceQuery,
  type ResourceSummary,
  type ResourceWithMetadata,
  type SubmitOptions,
  type VersionPage,
} from '@vidimus/ledger'
import { z } from 'zod'
import { accountRows } from './account-rows.js'
import { applyMessage, prepareMessage } from './apply-message.js'
import { BankOptions, type EmbeddedBankOptions } from './bank-options.js'
import type { Write } from './block.js'
import { findDidDoc, findDidDocVersionBefore, findDidDocVersions } from './did-doc-table.js'
import { EmbeddedBank } from './embedded-bank.js'
import { toLedgerError } from './ledger-failure.js'
import {
  countNames,
  countVersions,
  findNewestResources,
  findResource,
  findResourceMetadata,
  findResources,
  findVersions,
  type ResourceSelector,
} from './resource-table.js'
import { COUNTS_STORED } from './stored-count.js'

const isDatabase = (value: unknown): value is Database => hasMethods(value, 'query', 'write')

export const Options = z.strictObject({
  network: z.enum(NETWORKS),
  database: z.custom<Database>(isDatabase, 'must be a Database of @vidimus/database'),
  now: z.custom<() => Date>((value) => typeof value === 'function', 'must be a function').optional(),
  bank: BankOptions.optional(),
  quotas: z
    .custom<AccountQuotas>((value) => hasMethods(value, 'count'), 'must be Quotas of @vidimus/accounts')
    .optional(),
})

export interface EmbeddedLedgerOptions {
  network: Network
  /** with the `migrations` of this package; ledgers of several networks may share it */
  database: Database
  /** the clock; default: that of the system */
  now?: () => Date
  /** money on the ledger; absent: nothing can be paid */
  bank?: EmbeddedBankOptions
  /** how much accounts may store; absent: nothing is counted nor limited */
  quotas?: AccountQuotas
}

/**
 * A ledger of did:cheqd in the service's database, which enforces the rules of the real one. DIDs on it mean nothing
 * outside of this installation.
 *
 * Several processes may work on one database: every message is one transaction that reads what it depends on. It
 * changes the row of its DID and locks those of other controllers, so that none of what it has read can change before
 * it commits, whatever the isolation of the transaction; unique constraints make a forked history impossible.
 */
export class EmbeddedLedger
  implements Ledger, HasLifecycle, HasMeasurements, HasAccountRows, HasCountsStored
{
  readonly kind = 'embedded'
  readonly local = true
  readonly network: Network
  readonly bank?: LedgerBank
  readonly participation?: LedgerParticipation
  readonly lifecycle = { check: () => this.check(), diagnose: () => this.diagnose() }

  /** Publications stay. */
  readonly accountRows: readonly AccountRows[]

  private readonly submission: MeasuredSubmission
  private readonly database: Database
  private readonly now: () => Date
  private readonly quotas: AccountQuotas | undefined

  /** @throws AgentError `invalid_configuration` */
  constructor(options: EmbeddedLedgerOptions) {
    const { network, database, now, bank, quotas } = parseOptions(Options, options)
    this.network = network
    this.submission = new MeasuredSubmission(network, this.kind)
    this.database = database
    this.now = now ?? (() => new Date())
    this.quotas = quotas
    this.accountRows = accountRows(database, network)
    this.participation = {
      database,
      prepare: async (message, options) => {
        const step = await this.prepare(message, options)
        return (transaction) => this.submission.run(message.type, () => step(transaction as Write))
      },
    }
    if (bank) this.bank = new EmbeddedBank({ network, database, now: this.now }, bank)
  }

  get measurements() {
    return this.submission.measurements
  }

  /** Recounts the tallies of its rows; does nothing if nothing is tallied. */
  get countsStored(): CountsStored | undefined {
    return this.quotas && COUNTS_STORED
  }

  /**
   * @throws LedgerError of phase `check` or `deliver` with the codes of cheqd-node; of phase `conflict` (`vidimus` 1)
   *   if `expectedPrevious` is no longer the newest version or another process was faster; of phase `transport`
   *   (`vidimus` 2) if the database fails; AgentError `invalid_input` if the account in scope has reached its limits.
   *   The signal's reason if it aborts before the message is applied.
   */
  submit(message: LedgerMessage, options: SubmitOptions = {}): Promise<LedgerReceipt> {
    return this.submission.run(message.type, () => this.apply(message, options))
  }

  remember<T>(uniqueId: string, key: string, read: () => Promise<T>): Promise<T> {
    const id = normaliseUniqueId(uniqueId)
    return this.database.remember([homeOf(id), homeOfResources(id)], `${this.network} ${key}`, read)
  }

  getDidDoc(did: string, versionId?: string): Promise<DidDocWithMetadata | undefined> {
    const [wanted, version] = [normaliseDid(did), versionId?.toLowerCase()]
    // what verifiers ask again and again
    const key = `document ${this.network} ${wanted} ${version ?? ''}`
    return this.database.remember([homeOfDid(wanted)], key, async (reader) =>
      deepFrozen(await findDidDoc(reader, this.network, wanted, version)),
    )
  }

  listDidDocVersions(did: string, page: VersionPage): Promise<DidDocMetadata[]> {
    return findDidDocVersions(this.database, this.network, normaliseDid(did), page)
  }

  findDidDocVersion(did: string, before: Date): Promise<DidDocMetadata | undefined> {
    return findDidDocVersionBefore(this.database, this.network, normaliseDid(did), before)
  }

  getResource(collectionId: string, id: string): Promise<ResourceWithMetadata | undefined> {
    return findResource(this.database, this.network, byId(collectionId, id))
  }

  getResourceMetadata(collectionId: string, id: string): Promise<ResourceSummary | undefined> {
    return findResourceMetadata(this.database, this.network, byId(collectionId, id))
  }

  getLatestResource(
    collectionId: string,
    name: string,
    type: string,
  ): Promise<ResourceWithMetadata | undefined> {
    return findResource(this.database, this.network, byName(collectionId, name, type))
  }

  getLatestResourceMetadata(
    collectionId: string,
    name: string,
    type: string,
  ): Promise<ResourceSummary | undefined> {
    const wanted = { collectionId: normaliseUniqueId(collectionId), name, type }
    const key = `newest resource ${this.network} ${JSON.stringify(wanted)}`
    return this.database.remember([homeOfResources(wanted.collectionId)], key, async (reader) =>
      deepFrozen(await findResourceMetadata(reader, this.network, wanted)),
    )
  }

  findResources(collectionId: string, query: ResourceQuery): Promise<FoundResource[]> {
    return findNewestResources(this.database, this.network, normaliseUniqueId(collectionId), query)
  }

  listResources(collectionId: string, page: VersionPage): Promise<ResourceSummary[]> {
    return findResources(this.database, this.network, normaliseUniqueId(collectionId), page)
  }

  listResourceVersions(
    collectionId: string,
    name: string,
    type: string,
    page: VersionPage,
  ): Promise<ResourceSummary[]> {
    const resource = { collectionId: normaliseUniqueId(collectionId), name, type }
    return findVersions(this.database, this.network, resource, page)
  }

  countResources(
    collectionId: string,
    types: readonly string[] | undefined,
    most: number,
  ): Promise<{ seen: number; fitting: number }> {
    return countNames(this.database, this.network, normaliseUniqueId(collectionId), types, most)
  }

  countVersions(collectionId: string, name: string, type: string): Promise<number> {
    const resource = { collectionId: normaliseUniqueId(collectionId), name, type }
    return countVersions(this.database, this.network, resource)
  }

  async check(): Promise<CheckResult[]> {
    const about = { name: `ledger:${this.network}`, local: true as const }
    try {
      await this.database.probe(sql`SELECT "height" FROM "ledger_state" WHERE "network" = ${this.network}`)
      return [{ ...about, ok: true, message: 'embedded: its DIDs are local to this installation' }]
    } catch {
      return [{ ...about, ok: false, message: 'embedded: its tables cannot be read from the database' }]
    }
  }

  /** Its times only grow: after a clock was set back it dates everything by its last time. */
  private async diagnose(): Promise<Finding[]> {
    const name = `ledger:${this.network}`
    const [last] = await this.database.query<{ time: string | null }>(
      sql`SELECT MAX("last_time") AS "time" FROM "ledger_did" WHERE "network" = ${this.network}`,
    )
    const newest = last?.time ?? undefined
    const message = `embedded${newest === undefined ? ', empty' : ''}; its DIDs are local to this installation`
    const ahead = newest === undefined ? 0 : Date.parse(newest) - this.now().getTime()
    if (ahead <= CLOCK_TOLERANCE_MS) return [{ name, level: 'ok', message }]
    return [
      {
        name,
        level: 'warn',
        message: `${message}; its newest block is ${Math.round(ahead / 1000)} s in the future`,
        advice: 'the clock of this machine was ahead, or is behind: synchronise it with NTP',
      },
    ]
  }

  private async apply(message: LedgerMessage, options: SubmitOptions): Promise<LedgerReceipt> {
    try {
      const step = await this.prepare(message, options)
      const work = async (write: Write) => {
        await demandHandOver(options, this.database, write)
        return step(write)
      }
      return await this.database.write(work, {
        lane: laneOfDid(subjectOf(this.network, message)),
        guarded: 'each message changes the row of its DID, and locks those of other controllers',
      })
    } catch (error) {
      throw toLedgerError(error)
    }
  }

  private async prepare(
    message: LedgerMessage,
    { signal, expectedPrevious, documentVersion, resourceKind = 'resource' }: SubmitOptions = {},
  ): Promise<(write: Write) => Promise<LedgerReceipt>> {
    signal?.throwIfAborted()
    validateMessage(this.network, message)
    // A transaction may run in the scope of its first caller.
    const account = currentCaller()?.account.id ?? ''
    const writer = { account, quotas: this.quotas, resourceKind }
    const prepared = await prepareMessage(this.database, this.network, message, {
      expectedPrevious,
      documentVersion,
      writer,
    })
    return (write) => {
      signal?.throwIfAborted()
      return applyMessage(write, prepared, this.now())
    }
  }
}

/** Clocks of several machines on one database differ by so much without harm. */
const CLOCK_TOLERANCE_MS = 2_000

const byId = (collectionId: string, id: string): ResourceSelector => ({
  collectionId: normaliseUniqueId(collectionId),
  id: id.toLowerCase(),
})

const byName = (collectionId: string, name: string, type: string): ResourceSelector => ({
  collectionId: normaliseUniqueId(collectionId),
  name,
  type,
})
