import type { IAgentPlugin, IIdentifier } from '@veramo/core-types'
import {
  currentAccount,
  handOverWithin,
  isAgentError,
  parseOptions,
  type BackOff,
  type HasLifecycle,
  type IDIDCreation,
  type ILedgerChanges,
  type HandOver,
  type NamedVersion,
  type LedgerPart,
} from '@vidimus/core-types'
import { z } from 'zod'
import { noteCreation } from '@vidimus/idempotency'
import { workOn, type HeldWork, type RunningKind, type Work } from '@vidimus/work'
import { checkedIdentifier } from './account-did-store.js'
import { didsInTheWay, insertIntent, isGone, newCreation } from './did-creation-intents.js'
import { CreationRecovery, type Context, type DIDCreationRecovery } from './did-creation-recovery.js'
import { didCreationSchema } from './did-creation-schema.js'
import { demandIdentifierBounds } from './identifier-bounds.js'
import { DID_CREATION, keyOfIntent, type WritableIdentifier } from './identifier-writes.js'
import { countLeft, LEDGER_CHANGE } from './ledger-change-rows.js'
import { LedgerChanges } from './ledger-changes.js'
import { forgetUndone, keyOfUndone } from './undone-creations.js'
import type { CreationRequest, FailureHook, Step } from './unit.js'
import type { UnitOfWork } from './unit-of-work.js'
import { requireUnitOfWork } from './require-unit-of-work.js'

export type { DIDCreationRecovery } from './did-creation-recovery.js'

export interface IDIDCreationPlugin extends IDIDCreation, ILedgerChanges {
  /**
   * Completes or undoes creations that any process left half-done, each in the scope of its account, and repeats this
   * in the background. For the start of a server: it needs no scope, and may resolve DIDs.
   *
   * @throws AgentError `unavailable`
   */
  didCreationRecover(): Promise<DIDCreationRecovery>
  /**
   * The same for one DID of the account in scope; does nothing without an unfinished creation.
   *
   * @param args - `abandoned`: its creator is known to be finished, so that nothing works on it any more
   */
  didCreationSettle(args: { did: string; abandoned?: boolean }): Promise<void>
}

export const Options = z.strictObject({
  recoverEverySeconds: z.number().min(0.01).max(3600).default(60),
  keepUndoneHours: z
    .number()
    .min(1)
    .max(24 * 365)
    .default(24),
})

export interface DIDCreationOptions {
  /** how soon at the latest the ledger is asked again for an interrupted creation or change, while it cannot be: 0.01 to 3600, default 60 */
  recoverEverySeconds?: number
  /**
   * how long an undone creation is kept, with its sealed keys, and a change that the ledger does not have, in case
   * the ledger still gets it: 1 to 8760, default 24
   */
  keepUndoneHours?: number
}

/** How soon after something went wrong the ledger is asked for the first time: this part of the longest pause. */
const SOON = 1 / 60

const KINDS = [DID_CREATION, LEDGER_CHANGE] as const

/** After these a DID is certainly not on the ledger. Not so after `did_taken`: a repeated submission meets itself. */
const REFUSALS: ReadonlySet<string> = new Set([
  'ledger_rule',
  'insufficient_funds',
  'payment_limit',
  'budget_exceeded',
  'quota_exceeded',
  'too_large_for_network',
  'invalid_input',
])

/** After these the outcome is unknown, and cannot be determined now. */
const UNKNOWN: ReadonlySet<string> = new Set(['ledger_unavailable', 'unavailable', 'outcome_unknown'])

/**
 * Keeps ledger and database in step: the keys of a DID and the intent to create it, and every change, are durable before
 * the ledger is asked, and whatever happens then is completed or undone.
 */
export class DIDCreationPlugin implements IAgentPlugin, HasLifecycle {
  readonly methods = {
    didCreationRecord: (args: CreationArgs, context: Context) => this.record(args, context),
    didCreationRecover: (_args: {}, context: Context) => this.recover(context),
    didCreationSettle: ({ did, abandoned }: { did: string; abandoned?: boolean }, context: Context) =>
      this.recovery.settle(currentAccount().id, did, context, abandoned),
    ledgerChangeRecord: (args: Parameters<ILedgerChanges['ledgerChangeRecord']>[0], context: Context) => {
      this.run(LEDGER_CHANGE, context)
      return this.changes.record(args, context)
    },
    ledgerChangeTogether: (args: Parameters<ILedgerChanges['ledgerChangeTogether']>[0]) =>
      this.changes.together(args),
    ledgerChangeEnd: (args: Parameters<ILedgerChanges['ledgerChangeEnd']>[0]) => this.changes.end(args),
    ledgerChangeFate: (args: NamedVersion, context: Context) => this.changes.fate(args, context),
  }

  readonly schema = didCreationSchema()
  readonly lifecycle = { stop: () => this.stop() }
  private readonly changes: LedgerChanges
  private readonly recovery: CreationRecovery
  private readonly retry: BackOff
  private readonly work: Work
  private readonly outcomes = { completed: 0, undone: 0 }

  /** @throws AgentError `invalid_configuration` */
  constructor(
    private readonly unit: UnitOfWork,
    options: DIDCreationOptions = {},
  ) {
    requireUnitOfWork(unit)
    const { recoverEverySeconds, keepUndoneHours } = parseOptions(Options, options)
    const keepMs = keepUndoneHours * 60 * 60 * 1000
    const pauseMs = recoverEverySeconds * 1000
    this.work = workOn(unit.database)
    this.retry = { firstMs: pauseMs * SOON, mostMs: pauseMs }
    const recovery = { keepMs, retry: this.retry, outcomes: this.outcomes }
    this.changes = new LedgerChanges(unit, recovery)
    this.recovery = new CreationRecovery(unit, recovery)
  }

  private async record(args: CreationArgs, context: Context): ReturnType<IDIDCreation['didCreationRecord']> {
    const request = this.unit.current?.creationRequest()
    const identifier = intended(args.identifier, request?.alias)
    demandIdentifierBounds(identifier, undefined, this.unit.maxServices)
    if (args.together && (await this.join(args.together, identifier, context))) return { joined: true }
    return { joined: false, handOver: await this.intend(identifier, request, context) }
  }

  /** The ledger writes in the transaction that ends the unit. @returns whether that is possible */
  private async join(
    { database, write, refused }: LedgerPart,
    identifier: IntendedIdentifier,
    context: Context,
  ): Promise<boolean> {
    const { current } = this.unit
    if (!current || database !== this.unit.database) return false
    // Only a DID with a chosen name can conflict with another's intent.
    if (identifier.alias) await this.settleForgotten(currentAccount().id, identifier, context)
    current.refusals.push(refused)
    await this.unit.stage(
      ({ connection }) => write(connection),
      () => undefined,
    )
    return true
  }

  private async intend(
    identifier: IntendedIdentifier,
    request: CreationRequest | undefined,
    context: Context,
  ): Promise<HandOver> {
    const account = currentAccount().id
    await this.settleForgotten(account, identifier, context)
    this.run(DID_CREATION, context)
    const { did } = identifier
    const origin = newCreation(request?.provider)
    const { callers } = this.work
    const owned = { ...keyOfIntent(account, did), owner: account, since: new Date() }
    const held = await callers.begin(DID_CREATION, owned)
    this.unit.current?.creations.add(origin.creation)
    this.unit.current?.failureHooks.push(this.afterFailure(held, context))
    await this.unit.stage(
      async (transaction) => {
        const { connection } = transaction
        await insertIntent(transaction, account, { ...origin, identifier }, ({ payload }) => {
          // What came into being with it is known only now.
          held.item.payload = payload
          callers.add(connection, held)
        })
        if (request?.mark) await noteCreation(connection, request.mark, account, { did })
        await this.unit.quotas.check(connection, account, 'dids')
      },
      () => undefined,
    )
    const written = await this.unit.flush()
    if (this.unit.current) await this.stageEnd(written, held, { did, creation: origin.creation })
    return handOverWithin(this.unit.database, (transaction) => held.isHeld(transaction))
  }

  /**
   * A process that froze, or was cut off from the database, may find that another one has undone its creation, and
   * still submit to the ledger: then the completing code writes everything again.
   */
  private stageEnd(
    written: readonly Step[],
    held: HeldWork,
    intent: { did: string; creation: string },
  ): Promise<void> {
    const { owner } = held.item
    return this.unit.stage(
      async (transaction) => {
        const { connection } = transaction
        if ((await held.settle(connection)) !== 'lost' || !(await isGone(connection, owner, intent))) return
        await forgetUndone(connection, owner, keyOfUndone(owner, intent.did, intent.creation))
        for (const step of written) await step(transaction)
      },
      () => undefined,
    )
  }

  private async recover(context: Context): Promise<DIDCreationRecovery> {
    const { completed, undone } = this.outcomes
    const running = KINDS.map((kind) => this.run(kind, context))
    await this.work.releaseGone()
    await Promise.all(running.map(async (kind) => kind?.drain()))
    return {
      completed: this.outcomes.completed - completed,
      undone: this.outcomes.undone - undone,
      left: await countLeft(this.unit),
    }
  }

  private async stop(): Promise<void> {
    await Promise.all(KINDS.map((kind) => this.work.stop(kind)))
    await this.unit.erasures?.stop()
  }

  /** @returns `undefined` on a standby */
  private run(kind: (typeof KINDS)[number], context: Context): RunningKind | undefined {
    if (this.unit.database.isReadOnly) return undefined
    this.unit.erasures?.begin()
    return this.work.run((kind === DID_CREATION ? this.recovery : this.changes).kind(context))
  }

  /** What occupies the DID or the alias, but has no process any more, must not block a new creation. */
  private async settleForgotten(
    account: string,
    identifier: IntendedIdentifier,
    context: Context,
  ): Promise<void> {
    for (const did of await didsInTheWay(this.unit, account, identifier))
      await this.unit.outside(() => this.recovery.settle(account, did, context))
  }

  private afterFailure(held: HeldWork, context: Context): FailureHook {
    return async (failure) => {
      try {
        if (await this.isSettled(held, failure, context)) return
      } catch {
        // The caller learns why the creation failed, not this.
      }
      await this.work.callers.release(held, this.retry.firstMs)
    }
  }

  /** Settles a creation that has failed, if its outcome can be known. */
  private async isSettled(
    held: HeldWork,
    { error, during }: Parameters<FailureHook>[0],
    context: Context,
  ): Promise<boolean> {
    const code = isAgentError(error) ? error.code : ''
    if (UNKNOWN.has(code)) return false
    const found = await this.work.find(DID_CREATION, held.item)
    // It was never recorded, or somebody else has it.
    if (found?.fence !== held.item.fence || found.payload !== held.item.payload) return true
    if (during === 'commit' || !REFUSALS.has(code))
      return (await this.recovery.decide(held, context)) !== 'unknown'
    await this.recovery.undo(held)
    return true
  }
}

type CreationArgs = Parameters<IDIDCreation['didCreationRecord']>[0]

type IntendedIdentifier = Omit<WritableIdentifier, 'provider'>

/** The provider does not know its own name yet, nor always the alias that was asked for. */
function intended(identifier: Omit<IIdentifier, 'provider'>, alias: string | undefined): IntendedIdentifier {
  const wanted = identifier?.alias ?? alias
  const { provider: _, ...checked } = checkedIdentifier({
    ...identifier,
    provider: 'unknown',
    ...(wanted !== undefined && { alias: wanted }),
  })
  return checked
}
