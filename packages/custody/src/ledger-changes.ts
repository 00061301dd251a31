import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { DIDResolutionResult, IAgentContext } from '@veramo/core-types'
import {
  auditEntryOfChange,
  currentAccount,
  currentActor,
  currentCaller,
  handOverWithin,
  isAgentError,
  log,
  queueName,
  runInAccountScope,
  toldActions,
  asDid,
  type Account,
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
import { workOn, type HeldWork, type Work, type WorkKind, type WorkOutcome } from '@vidimus/work'
import { isDid } from './home-conditions.js'
import { bringInLine } from './identifier-merge.js'
import {
  demandKeys,
  keyOfChange,
  LEDGER_CHANGE,
  notedChange,
  readAccount,
  tellChange,
  type NotedChange,
} from './ledger-change-rows.js'
import { later, unreachable, type RecoveryOptions } from './did-creation-recovery.js'
import { scopedName } from './unit.js'
import type { UnitOfWork } from './unit-of-work.js'

type Context = IAgentContext<{}>
type Together = Parameters<ILedgerChanges['ledgerChangeTogether']>[0]
type Ended = Parameters<ILedgerChanges['ledgerChangeEnd']>[0]

/** How often a request that is repeated looks whether somebody else is at its change still. */
const WAIT_MS = 100
const MOST_WAITS = 20

/**
 * Records ledger changes, and lets audit trail, events and the account's rows follow: in the transaction of the
 * requesting call, or in that of any process that finds the record, which is an item of work.
 */
export class LedgerChanges {
  private readonly work: Work

  constructor(
    private readonly unit: UnitOfWork,
    private readonly options: RecoveryOptions,
  ) {
    this.work = workOn(unit.database)
  }

  /** @throws AgentError `key_not_found`, `unavailable`, `version_conflict`, and what the records throw */
  async record(
    { records = [], ...change }: LedgerChange & { records?: readonly WithVersion[] },
    context: Context,
  ): Promise<{ id: string; handOver: HandOver }> {
    const account = currentAccount().id
    const { kind, did, versionId, kids = [], actions } = change
    const noted = { kind, did, versionId, kids, actions: toldActions(actions), actor: currentActor() }
    const { callers } = this.work
    const held = await callers.begin(LEDGER_CHANGE, {
      ...keyOfChange(account, change),
      owner: account,
      since: new Date(),
      payload: JSON.stringify(noted satisfies NotedChange),
    })
    const unit = this.unit.current
    const unstaged = kids.filter((kid) => !unit?.find('keys', scopedName(account, kid)))
    const { database } = this.unit
    // Records hold the requests of all callers of a version, and this may be that of one of them.
    const { run, work } = currentCaller() ?? {}
    const demands = [work, records.length > 0 ? undefined : run?.changes]
    try {
      await this.unit.transaction(async ({ connection }) => {
        await demandKeys(connection, account, unstaged)
        callers.add(connection, held)
        for (const each of demands) if (each?.database === database) await each.demand(connection)
        for (const record of records) {
          if (record.database === database) await record.handedOver(connection, change)
        }
      })
    } catch (error) {
      // It may be recorded all the same.
      await callers.release(held)
      throw error
    }
    const id = randomUUID()
    this.unit.changesUnderWay.set(id, held)
    unit?.creations.add(id)
    unit?.failureHooks.push(() => this.afterFailure(id, context))
    const isOurs = async (transaction: OpenTransaction) => {
      if (work?.database === database) await work.demand(transaction)
      return held.isHeld(transaction)
    }
    return { id, handOver: handOverWithin(database, isOurs) }
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
    const { current, changesUnderWay } = this.unit
    const held = changesUnderWay.get(id)
    if (!held) return
    if (current?.creations.has(id) && outcome === 'happened') {
      current.told.add(id)
      return this.unit.stage(
        ({ connection }) => this.write(connection, held, resource),
        () => undefined,
      )
    }
    changesUnderWay.delete(id)
    try {
      if (outcome === 'unknown') return await this.work.callers.release(held)
      await this.unit.transaction(async ({ connection }) => {
        if (outcome === 'happened') await this.write(connection, held, resource)
        else await held.drop(connection)
      })
    } catch (error) {
      // The change is done, and its record stays.
      if (!isAgentError(error)) log('error', 'a change of a ledger could not be recorded yet', {}, error)
      await this.work.callers.release(held)
    }
  }

  /** What nobody is at, and its ledger neither has nor is about to get, did not happen. */
  async fate(version: NamedVersion, context: Context): Promise<{ fate: ChangeFate }> {
    const account = currentAccount()
    const key = keyOfChange(account.id, version)
    // From now on, a process that was at it and seems to be gone, but is only frozen, cannot hand it over any more.
    let held = await this.work.callers.claim(LEDGER_CHANGE, key)
    for (let waits = 0; !held && (await this.work.find(LEDGER_CHANGE, key)); waits += 1) {
      // Whoever is at it may be about to find it out, or to give it back.
      if (waits === MOST_WAITS) return { fate: 'open' }
      await setTimeout(WAIT_MS)
      held = await this.work.callers.claim(LEDGER_CHANGE, key)
    }
    try {
      const found = await find(version, account, context)
      if (found === 'unknown') return { fate: 'open' }
      if (found && held) await this.complete(held, account, found, context)
      else if (held)
        await this.unit.transaction(({ connection }) => held.settle(connection, later(held.item)))
      return { fate: found ? 'happened' : 'did not happen' }
    } finally {
      if (held && !held.isSettled) await this.work.callers.release(held)
    }
  }

  /** Finds out what became of those that nobody is at. */
  kind(context: Context): WorkKind {
    return {
      name: LEDGER_CHANGE,
      most: 8,
      share: 4,
      retry: () => this.options.retry,
      handle: (held) => this.settle(held, context),
      onFailure: (error) =>
        log('warn', 'what became of a change of a ledger could not be found out yet', {}, error),
    }
  }

  private async write(
    connection: Connection,
    held: HeldWork,
    resource?: LinkedResourceMetadata,
  ): Promise<void> {
    // Then another process finds it on the ledger, or has found it.
    const { payload = '' } = held.item
    if ((await held.settle(connection, { askedPayload: payload })) === 'lost') return
    const change = notedChange(held.item)
    if (change.isTold) return
    await tellChange(connection, change, { resource, time: held.item.since?.toISOString() })
    this.unit.markChange(connection, change.did, resource)
  }

  private async settle(held: HeldWork, context: Context): Promise<WorkOutcome> {
    const { owner, since = held.begun } = held.item
    const account = await readAccount(this.unit, owner)
    const change = notedChange(held.item)
    const found = change.isTold ? {} : await find(change, account, context)
    if (found === 'unknown') throw unreachable()
    const { keepMs, outcomes } = this.options
    if (found) {
      // The document is read and written down before another call of this process changes it.
      const queue = queueName(owner, 'did', change.did)
      await this.unit.serialized(queue, () => this.complete(held, account, found, context))
      if (!change.isTold) outcomes.completed += 1
      return { isDone: true }
    }
    const age = (await this.unit.database.now()).getTime() - since.getTime()
    if (age >= keepMs) {
      outcomes.undone += 1
      return { isDone: true }
    }
    return { isDone: false, ...later(held.item, age) }
  }

  /** The unit that was to record the change has failed: the change happened anyway. */
  private async afterFailure(id: string, context: Context): Promise<void> {
    const held = this.unit.changesUnderWay.get(id)
    if (!held) return
    this.unit.changesUnderWay.delete(id)
    try {
      const account = currentAccount()
      const found = await find(notedChange(held.item), account, context)
      if (found && found !== 'unknown') return await this.complete(held, account, found, context)
    } catch {
      // The caller learns why the unit failed, not this.
    }
    await this.work.callers.release(held)
  }

  /** One transaction; if another process has recorded the change, only the account's rows are synchronised. */
  private async complete(
    held: HeldWork,
    account: Account,
    { resource }: FoundChange,
    context: Context,
  ): Promise<void> {
    const { did, kind } = notedChange(held.item)
    const complete = async () => {
      await this.unit.stage(
        ({ connection }) => this.write(connection, held, resource),
        () => undefined,
      )
      if (kind === 'document' && (await this.isHeld(account.id, did)))
        await bringInLine(this.unit, did, context)
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

/** Asks the ledger for it; `undefined`: it is not there. */
async function find(
  { kind, did, versionId }: NamedVersion,
  account: Account,
  { agent }: Context,
): Promise<FoundChange | undefined | 'unknown'> {
  const method = kind === 'resource' ? 'linkedResourceGet' : 'resolveDid'
  if (!agent.availableMethods().includes(method)) return 'unknown'
  const scoped = <T>(work: () => Promise<T>) => runInAccountScope(account, work)
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
