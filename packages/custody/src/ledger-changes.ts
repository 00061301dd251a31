import { randomUUID } from 'node:crypto'
import type { DIDResolutionResult, IAgentContext } from '@veramo/core-types'
import {
  auditEntryOfChange,
  currentAccount,
  currentActor,
  currentCaller,
  handOverWithin,
  isAgentError,
  log,
  runInAccountScope,
  asDid,
  type ChangeFate,
  type FoundChange,
  type HandOver,
  type ILedgerChanges,
  type LedgerChange,
  type LinkedResource,
  type LinkedResourceMetadata,
  type NamedVersion,
  type OpenTransaction,
  type WithVersion,
} from '@vidimus/core-types'
import { insertAuditEvent } from '@vidimus/accounts'
import { sql, type Connection } from '@vidimus/database'
import { isDid } from './home-conditions.js'
import {
  completeChange,
  forgetChange,
  insertChange,
  postponeChange,
  selectChanges,
  takeChange,
  type NotedChange,
} from './ledger-change-rows.js'
import { scopedName } from './unit.js'
import type { UnitOfWork } from './unit-of-work.js'

type Context = IAgentContext<{}>
type Together = Parameters<ILedgerChanges['ledgerChangeTogether']>[0]
type Ended = Parameters<ILedgerChanges['ledgerChangeEnd']>[0]

/** The result of asking the ledger. */
export type SettledChange = 'completed' | 'undone' | 'left' | 'postponed'

/** How long after it began a change that is not there is looked for again; then each time after twice as long. */
const FIRST_PAUSE_MS = 60_000
const LONGEST_PAUSE_MS = 60 * 60 * 1000

/**
 * Records ledger changes, and lets audit trail, events and the account's rows follow: in the transaction of the
 * requesting call, or in that of any process that finds the record.
 */
export class LedgerChanges {
  constructor(
    private readonly unit: UnitOfWork,
    private readonly options: {
      /** a ledger may get a change so late */
      keepMs: number
      /** something is to be looked at */
      soon: () => void
    },
  ) {}

  /** @throws AgentError `key_not_found`, `unavailable`, `version_conflict`, and what the records throw */
  async record(
    { records = [], ...change }: LedgerChange & { records?: readonly WithVersion[] },
    context: Context,
  ): Promise<{ id: string; handOver: HandOver }> {
    const row = {
      change,
      id: randomUUID(),
      account: currentAccount().id,
      holder: await this.unit.database.presence(),
      actor: currentActor(),
    }
    const unit = this.unit.current
    const staged = (change.kids ?? []).filter((kid) => unit?.find('keys', scopedName(row.account, kid)))
    const { database } = this.unit
    // Records hold the requests of all callers of a version, and this may be that of one of them.
    const run = records.length > 0 ? undefined : currentCaller()?.run?.changes
    await this.unit.transaction(async ({ connection }) => {
      await insertChange(connection, row, new Set(staged))
      if (run?.database === database) await run.demand(connection)
      for (const record of records) {
        if (record.database === database) await record.handedOver(connection, change)
      }
    })
    this.unit.creationsUnderWay.add(row.id)
    unit?.creations.add(row.id)
    unit?.failureHooks.push(() => this.afterFailure(row.id, context))
    const isOurs = (transaction: OpenTransaction) => takeChange(transaction as Connection, row)
    return { id: row.id, handOver: handOverWithin(database, isOurs) }
  }

  /** Outside of the unit of the caller, whose rows do not depend on it. */
  async together({ change, part }: Together): Promise<{ joined: boolean }> {
    if (part.database !== this.unit.database) return { joined: false }
    const actor = currentActor()
    const work = async (connection: Connection) => {
      const { resource } = await part.write(connection)
      await insertAuditEvent(connection, auditEntryOfChange(change, resource), actor)
      this.unit.markChange(connection, change.did, resource)
    }
    await this.unit.transactionOfDid(asDid(change.did), work, part.spans)
    return { joined: true }
  }

  async end({ id, outcome, resource }: Ended): Promise<void> {
    const { current } = this.unit
    if (current?.creations.has(id) && outcome === 'happened') {
      current.told.add(id)
      await this.unit.stage(
        ({ connection }) => this.write(connection, id, resource),
        () => undefined,
      )
      return
    }
    this.unit.creationsUnderWay.delete(id)
    if (outcome === 'unknown') return this.options.soon()
    try {
      await this.unit.transaction(async ({ connection }) => {
        if (outcome === 'happened') await this.write(connection, id, resource)
        else await forgetChange(connection, id)
      })
    } catch (error) {
      // The change is done, and its record stays.
      if (!isAgentError(error)) log('error', 'a change of a ledger could not be recorded yet', {}, error)
      this.options.soon()
    }
  }

  /** What nobody is at, and its ledger neither has nor is about to get, did not happen. */
  async fate(version: NamedVersion, context: Context): Promise<{ fate: ChangeFate }> {
    const account = currentAccount()
    const [noted] = await selectChanges(this.unit, { ...version, account: account.id })
    if (noted && !(await this.take(noted))) return { fate: 'open' }
    const found = await find({ ...version, account }, context)
    if (found === 'unknown') return { fate: 'open' }
    if (found && noted) await this.complete(noted, found, context)
    return { fate: found ? 'happened' : 'did not happen' }
  }

  private async write(connection: Connection, id: string, resource?: LinkedResourceMetadata): Promise<void> {
    const did = await completeChange(connection, id, resource)
    if (did !== undefined) this.unit.markChange(connection, did, resource)
  }

  due(now: Date): Promise<NotedChange[]> {
    return selectChanges(this.unit, { now })
  }

  /** @throws AgentError, also if another process has settled it meanwhile */
  async settle(change: NotedChange, now: Date, context: Context): Promise<SettledChange> {
    if (!(await this.take(change))) return 'left'
    const found = await find(change, context)
    if (found === 'unknown') return 'left'
    if (found) {
      await this.complete(change, found, context)
      return 'completed'
    }
    const age = now.getTime() - change.createdAt.getTime()
    if (age >= this.options.keepMs) {
      await this.unit.transaction(({ connection }) => forgetChange(connection, change.id), {
        account: change.account,
      })
      return 'undone'
    }
    const pause = Math.min(Math.max(age, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)
    await this.postpone(change, new Date(now.getTime() + pause))
    return 'postponed'
  }

  async postpone({ id, account }: NotedChange, until: Date): Promise<void> {
    await this.unit.transaction(({ connection }) => postponeChange(connection, id, until), { account })
  }

  /**
   * Before the ledger is asked: a process that was at it and seems to be gone may only be frozen, and cannot hand the change over
   * any more.
   *
   * @returns `false`: a process is at it
   */
  private async take(change: NotedChange): Promise<boolean> {
    const { id, holder, account } = change
    if (this.unit.creationsUnderWay.has(id)) return false
    const own = await this.unit.database.presence()
    if (holder === own) return true
    if (await this.unit.database.isPresent(holder)) return false
    return this.unit.transaction(({ connection }) => takeChange(connection, change, own), { account })
  }

  /** The unit that was to record the change has failed: the change happened anyway. */
  private async afterFailure(id: string, context: Context): Promise<void> {
    try {
      const [change] = await selectChanges(this.unit, { id })
      const found = change && (await find(change, context))
      if (found && found !== 'unknown') await this.complete(change, found, context)
      else if (change) this.options.soon()
    } catch {
      this.options.soon()
    }
  }

  /** One transaction; if the change is no longer recorded, only the account's rows are synchronised. */
  private async complete(change: NotedChange, { resource }: FoundChange, context: Context): Promise<void> {
    const { account, id, did, kind } = change
    const complete = async () => {
      this.unit.current?.told.add(id)
      await this.unit.stage(
        ({ connection }) => this.write(connection, id, resource),
        () => undefined,
      )
      if (kind === 'document' && (await this.isHeld(account.id, did))) await bringInLine(did, context)
    }
    await runInAccountScope(account, () => this.unit.outside(() => this.unit.run(complete)))
  }

  private async isHeld(account: string, did: string): Promise<boolean> {
    const rows = await this.unit.query(
      sql`SELECT did FROM account_did WHERE ${isDid(account, did)} AND pending = 0`,
    )
    return rows.length > 0
  }
}

/** The account's rows of the keys and services of a DID follow its document. */
export async function bringInLine(did: string, { agent }: Context): Promise<void> {
  const { didDocument, didDocumentMetadata } = await agent.execute<unknown, DIDResolutionResult>(
    'resolveDid',
    { didUrl: did },
  )
  if (!didDocument || didDocumentMetadata.deactivated) return
  await agent.execute('didManagerUpdate', { did, document: didDocument, options: { localOnly: true } })
}

/** Asks the ledger for it; `undefined`: it is not there. */
async function find(
  change: NamedVersion & Pick<NotedChange, 'account'>,
  { agent }: Context,
): Promise<FoundChange | undefined | 'unknown'> {
  const { kind, did, versionId } = change
  const method = kind === 'resource' ? 'linkedResourceGet' : 'resolveDid'
  if (!agent.availableMethods().includes(method)) return 'unknown'
  const scoped = <T>(work: () => Promise<T>) => runInAccountScope(change.account, work)
  try {
    if (kind === 'resource') {
      const args = { did, resourceId: versionId }
      const resource = await scoped(() => agent.execute<unknown, LinkedResource | null>(method, args))
      return resource ? { resource: resource.metadata } : undefined
    }
    const { didDocument, didResolutionMetadata } = await scoped(() =>
      agent.execute<unknown, DIDResolutionResult>(method, { didUrl: `${did}?versionId=${versionId}` }),
    )
    if (didDocument) return {}
    return didResolutionMetadata.error === 'notFound' ? undefined : 'unknown'
  } catch {
    // A failure of the ledger says nothing about the change.
    return 'unknown'
  }
}
