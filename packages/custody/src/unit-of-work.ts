import { AsyncLocalStorage } from 'node:async_hooks'
import {
  asDid,
  asListName,
  AgentError,
  BOUNDS,
  currentCaller,
  hasMethods,
  isPublicationOutbox,
  KeyedQueue,
  parseOptions,
  type Account,
  type LinkedResourceMetadata,
  type OpenTransaction,
  type PublicationOutbox,
  type PublicUrlOption,
  type QueueName,
  type Did,
} from '@vidimus/core-types'
import { publicUrlField } from '@vidimus/core-types/schemas/public-url'
import {
  type Connection,
  type Database,
  type HasCountsStored,
  isUniqueViolation,
  laneOfAccount,
  laneOfDid,
  type Reader,
  requireDatabase,
  type Sql,
} from '@vidimus/database'
import { z } from 'zod'
import { Quotas } from '@vidimus/accounts'
import type { HeldWork } from '@vidimus/work'
import { COUNTS_HELD } from './counts-held.js'
import { isPublishedDid, PublishedDidRows } from './published-did-rows.js'
import { Unit, type MadeRows, type Rows, type Step } from './unit.js'
import { WebDidGrants } from './web-did-grants.js'

const isQuotas = (value: unknown): value is Quotas => hasMethods(value, 'count', 'check', 'usage')

export const Options = z.strictObject({
  quotas: z.custom<Quotas>(isQuotas, 'must be Quotas of @vidimus/accounts').optional(),
  publicUrl: publicUrlField(),
  publication: z
    .custom<PublicationOutbox>(isPublicationOutbox, 'must be a Publication of @vidimus/publication')
    .optional(),
  maxServicesPerDid: z.int().min(1).max(BOUNDS.documentEntries).default(BOUNDS.documentEntries),
})

export interface UnitOfWorkOptions {
  /** how much each account may hold; absent: what `Quotas` have by default */
  quotas?: Quotas
  /** where the documents of did:web DIDs are served; absent: nowhere */
  publicUrl?: PublicUrlOption
  /** where published DIDs and status lists are also written; absent: nowhere */
  publication?: PublicationOutbox
  /** services that a DID may have, 1 to 100; default 100 */
  maxServicesPerDid?: number
}

/**
 * Makes the changes of an agent call in several stores one transaction.
 *
 * Within {@link run} the stores stage their writes, and reads see them; all of them are written together at the end,
 * or none is. So a key never exists without its private half, nor a private key without an owner. Outside of a unit
 * every store operation is a transaction of its own.
 */
export class UnitOfWork implements HasCountsStored {
  readonly countsStored = COUNTS_HELD
  /** The changes of ledgers whose outcome nobody has reported yet, each with its item of work. */
  readonly changesUnderWay = new Map<string, HeldWork>()

  private readonly units = new AsyncLocalStorage<Unit | undefined>()
  private readonly queues = new KeyedQueue()

  /** how much an account may hold; asked in the transactions that add something */
  readonly quotas: Quotas
  /** without a slash at the end */
  readonly publicUrl: string | undefined
  /** which did:web names under it accounts may have; set by the `WebDidPlugin` */
  webDids = new WebDidGrants()
  /** which deleted keys are still to be erased elsewhere; set by the key manager */
  erasures: { begin(): void; stop(): Promise<void> } | undefined
  /** `keyManagerSign`; set by the key manager */
  keyManagerSign: ((args: unknown, context: unknown) => Promise<unknown>) | undefined
  private readonly publication: PublicationOutbox | undefined
  /** that a DID may have */
  readonly maxServices: number

  /** @throws AgentError `invalid_configuration` */
  constructor(
    readonly database: Database,
    options: UnitOfWorkOptions = {},
  ) {
    requireDatabase(database)
    const { quotas, publicUrl, publication, maxServicesPerDid } = parseOptions(Options, options)
    this.quotas = quotas ?? new Quotas(database)
    this.publicUrl = publicUrl
    this.maxServices = maxServicesPerDid
    this.publication = publication
    publication?.adopt(new PublishedDidRows(database))
  }

  /** Records that the document of a DID must be published again, in the transaction of its change. */
  markDid(transaction: OpenTransaction, did: string): void {
    if (isPublishedDid(did)) this.publication?.mark(transaction, { kind: 'did', did: asDid(did) })
  }

  /** Records the publications affected by a ledger change: the metadata of a DID contain its resources. */
  markChange(transaction: OpenTransaction, did: string, resource?: LinkedResourceMetadata): void {
    this.markDid(transaction, did)
    if (!resource) return
    const { resourceName, resourceType } = resource
    const list = { did: asDid(did), statusListName: asListName(resourceName), resourceType }
    this.publication?.mark(transaction, { kind: 'list', ...list })
  }

  /** The unit that the caller runs in. */
  get current(): Unit | undefined {
    const unit = this.units.getStore()
    return unit?.closed ? undefined : unit
  }

  /**
   * Runs `work` as one unit and resolves when its writes are durable. Inside of another unit it becomes part of that.
   *
   * @throws what `work` throws; then nothing was written, unless `work` flushed
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const parent = this.current
    const unit = new Unit(parent)
    let during: 'work' | 'commit' = 'work'
    try {
      const result = await this.units.run(unit, work)
      during = 'commit'
      if (parent) this.join(unit, parent)
      else await this.commit(unit)
      return result
    } catch (error) {
      unit.closed = true
      for (const hook of unit.failureHooks) await this.outside(() => hook({ error, during }))
      throw error
    } finally {
      unit.closed = true
      if (!parent) for (const id of unit.creations) this.changesUnderWay.delete(id)
    }
  }

  /**
   * Makes the staged writes durable, including those of the enclosing units. Outside of a unit: nothing.
   *
   * @returns what it has written, for code that may have to write it again
   */
  async flush(): Promise<readonly Step[]> {
    return this.current ? this.commit(this.current) : []
  }

  /**
   * Takes a write of a store: staged within a unit, done at once outside.
   *
   * @param step - the statements
   * @param show - enters into the unit what later reads must see
   */
  async stage(step: Step, show: (rows: Rows) => void): Promise<void> {
    const unit = this.current
    if (!unit) return this.transaction(step)
    unit.steps.push(step)
    show(unit.rows)
  }

  /**
   * One transaction, now, whatever unit the caller runs in.
   *
   * @param options - `account`: whose rows it is about, where that is not the caller, as a pass runs for nobody
   */
  transaction<T>(
    work: (transaction: Parameters<Step>[0]) => Promise<T>,
    {
      made = noRows(),
      account = currentCaller()?.account,
    }: { made?: MadeRows; account?: Pick<Account, 'id'> } = {},
  ): Promise<T> {
    return this.database.write((connection) => work({ connection, made, presumesNew: false }), {
      ...(account && { lane: laneOfAccount(account.id), guarded: BY_ACCOUNT }),
      spans: 'what an account holds is in its home, and what happened to a DID in that of the DID',
    })
  }

  /** As {@link transaction}, for a change on a ledger that depends on nothing that the account holds. */
  transactionOfDid<T>(did: Did, work: (connection: Connection) => Promise<T>, spans?: string): Promise<T> {
    const options = { lane: laneOfDid(did), guarded: BY_LEDGER }
    return this.database.write(work, { ...options, ...(spans !== undefined && { spans }) })
  }

  /**
   * Rows as they are in the database. If that fails, the unit cannot succeed any more: Veramo's managers treat every
   * failed read as "there is none".
   */
  query<Row>(statement: Sql): Promise<Row[]> {
    return this.failing(this.database.query<Row>(statement))
  }

  /** As {@link query}, for look-ups that requests repeat; the rows are shared and must not be changed. */
  queryRemembered<Row>(statement: Sql, home: number): Promise<readonly Row[]> {
    return this.failing(this.database.queryRemembered<Row>(statement, home))
  }

  /** See `Database.remember`; failures as in {@link query}. */
  remember<T>(homes: readonly number[], key: string, read: (reader: Reader) => Promise<T>): Promise<T> {
    return this.failing(this.database.remember(homes, key, read))
  }

  /** See `Database.olderTransactionsEnd`. */
  olderTransactionsEnd(): Promise<void> {
    return this.database.olderTransactionsEnd()
  }

  /** Lets the unit of the caller fail at its end even if its work swallows the error. */
  fail(error: unknown): void {
    for (const unit of this.current?.chain() ?? []) unit.failure ??= { error }
  }

  /** Runs `work` outside of the unit of the caller. */
  outside<T>(work: () => T): T {
    return this.units.run(undefined, work)
  }

  /** Runs works of the same name one after the other. */
  serialized<T>(name: QueueName, work: () => Promise<T>): Promise<T> {
    return this.queues.run(name, work)
  }

  private async failing<T>(reading: Promise<T>): Promise<T> {
    try {
      return await reading
    } catch (error) {
      this.fail(error)
      throw error
    }
  }

  private join(unit: Unit, parent: Unit): void {
    if (parent.closed) {
      throw new AgentError('internal_error', 'the work outlived its call')
    }
    unit.mergeInto(parent)
  }

  private async commit(unit: Unit): Promise<readonly Step[]> {
    const chain = unit.chain()
    const failed = chain.find(({ failure }) => failure !== undefined)
    if (failed?.failure) throw failed.failure.error
    const steps = chain.flatMap((each) => each.steps)
    if (steps.length === 0) return []
    for (const each of chain) each.steps = []
    try {
      await this.runSteps(steps, unit)
      return steps
    } catch (failure) {
      const refusals = chain.flatMap((each) => each.refusals)
      const error = refusals.reduce((before, refused) => refused(before), failure)
      // The steps are gone: the unit must not commit what comes after them.
      for (const each of chain) each.failure ??= { error }
      throw error
    }
  }

  /** Only their first run presumes what is new. On PostgreSQL the database runs them again by itself, on SQLite this does. */
  private async runSteps(steps: readonly Step[], unit: Unit): Promise<void> {
    const before = copyMadeRows(unit.made)
    const held = currentCaller()?.work
    let runs = 0
    const run = () =>
      this.transaction(async (transaction) => {
        runs += 1
        // A transaction that is run again may find rows there that it had made the first time.
        reset(unit.made, before)
        if (held?.database === this.database) await held.demand(transaction.connection)
        for (const step of steps) await step({ ...transaction, presumesNew: runs === 1 })
      }, unit)
    try {
      await run()
    } catch (error) {
      if (runs > 1 || !isUniqueViolation(error)) throw error
      await run()
    }
  }
}

const BY_ACCOUNT =
  'what an account holds changes in its lane alone, names are unique, and a ledger guards its rows itself'
const BY_LEDGER = 'a ledger guards its rows itself'

const noRows = (): MadeRows => ({ keys: new Set(), privateKeys: new Set() })

const copyMadeRows = ({ keys, privateKeys }: MadeRows): MadeRows => ({
  keys: new Set(keys),
  privateKeys: new Set(privateKeys),
})

function reset(made: MadeRows, { keys, privateKeys }: MadeRows): void {
  for (const name of made.keys) if (!keys.has(name)) made.keys.delete(name)
  for (const name of made.privateKeys) if (!privateKeys.has(name)) made.privateKeys.delete(name)
}
