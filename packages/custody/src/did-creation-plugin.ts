import type { IAgentPlugin, IIdentifier } from '@veramo/core-types'
import {
  currentAccount,
  handOverWithin,
  isAgentError,
  log,
  parseOptions,
  RepeatedPasses,
  type HasLifecycle,
  type HasMeasurements,
  type Measurement,
  type IDIDCreation,
  type ILedgerChanges,
  type HandOver,
  type NamedVersion,
  type LedgerPart,
} from '@vidimus/core-types'
import { z } from 'zod'
import type { Connection } from '@vidimus/database'
import { noteCreation } from '@vidimus/idempotency'
import { workOn, type RunningKind, type Work } from '@vidimus/work'
import { checkedIdentifier } from './account-did-store.js'
import { insertIntent, selectIntents, stateOfCreation, takeIntent } from './did-creation-intents.js'
import { CreationRecovery, type Context, type DIDCreationRecovery } from './did-creation-recovery.js'
import { didCreationSchema } from './did-creation-schema.js'
import { demandIdentifierBounds } from './identifier-bounds.js'
import type { WritableIdentifier } from './identifier-writes.js'
import { countLeft, LEDGER_CHANGE } from './ledger-change-rows.js'
import { LedgerChanges } from './ledger-changes.js'
import { forgetUndone } from './undone-creations.js'
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
  didCreationSettle(args: { did: string; abandoned?: boolean }): Promise<DIDCreationRecovery>
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
  /** how often this process recovers interrupted creations: 0.01 to 3600, default 60 */
  recoverEverySeconds?: number
  /**
   * how long an undone creation is kept, with its sealed keys, and a change that the ledger does not have, in case
   * the ledger still gets it: 1 to 8760, default 24
   */
  keepUndoneHours?: number
}

/** How soon after something went wrong the next pass follows: this part of the time between two passes. */
const SOON = 1 / 60

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
export class DIDCreationPlugin implements IAgentPlugin, HasLifecycle, HasMeasurements {
  readonly methods = {
    didCreationRecord: (args: CreationArgs, context: Context) => this.record(args, context),
    didCreationRecover: (_args: {}, context: Context) => this.recover(context),
    didCreationSettle: (args: { did: string; abandoned?: boolean }, context: Context) =>
      this.settleOne(args, context),
    ledgerChangeRecord: (args: Parameters<ILedgerChanges['ledgerChangeRecord']>[0], context: Context) => {
      this.run(context)
      return this.changes.record(args, context)
    },
    ledgerChangeTogether: (args: Parameters<ILedgerChanges['ledgerChangeTogether']>[0]) =>
      this.changes.together(args),
    ledgerChangeEnd: (args: Parameters<ILedgerChanges['ledgerChangeEnd']>[0]) => this.changes.end(args),
    ledgerChangeFate: (args: NamedVersion, context: Context) => this.changes.fate(args, context),
  }

  readonly schema = didCreationSchema()
  readonly lifecycle = {
    stop: () => this.stop(),
    check: () => Promise.resolve([this.recovery.health.check()]),
  }
  readonly measurements: readonly Measurement[]
  private readonly changes: LedgerChanges
  private readonly recovery: CreationRecovery
  private readonly passes: RepeatedPasses
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
    this.passes = new RepeatedPasses({ work: 'recovery of DIDs', pauseMs, soonMs: pauseMs * SOON })
    this.work = workOn(unit.database)
    const retry = { firstMs: pauseMs * SOON, mostMs: pauseMs }
    this.changes = new LedgerChanges(unit, { keepMs, retry, outcomes: this.outcomes })
    this.recovery = new CreationRecovery(unit, keepMs)
    this.measurements = this.recovery.health.measurements
  }

  private async record(args: CreationArgs, context: Context): ReturnType<IDIDCreation['didCreationRecord']> {
    const request = this.unit.current?.creationRequest()
    const identifier = intended(args.identifier, request?.alias)
    demandIdentifierBounds(identifier, undefined, this.unit.maxServices)
    this.repeat(context)
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
    const origin = { provider: request?.provider, owner: await this.recovery.newOwner() }
    const { creation } = origin.owner
    this.unit.creationsUnderWay.add(creation)
    this.unit.current?.creations.add(creation)
    this.unit.current?.failureHooks.push(this.afterFailure(account, identifier.did, creation, context))
    await this.unit.stage(
      async (transaction) => {
        await insertIntent(transaction, account, identifier, origin)
        if (request?.mark) {
          await noteCreation(transaction.connection, request.mark, account, { did: identifier.did })
        }
        await this.unit.quotas.check(transaction.connection, account, 'dids')
      },
      () => undefined,
    )
    const written = await this.unit.flush()
    const { did } = identifier
    if (this.unit.current) await this.stageAgain(written, { account, did, creation })
    const intent = { account, did, owner: origin.owner }
    return handOverWithin(this.unit.database, (transaction) => takeIntent(transaction as Connection, intent))
  }

  /**
   * A process that froze, or was cut off from the database, may find that another one has undone its creation, and
   * still submit to the ledger: then the completing code writes everything again.
   */
  private stageAgain(
    written: readonly Step[],
    creation: { account: string; did: string; creation: string },
  ): Promise<void> {
    return this.unit.stage(
      async (transaction) => {
        const { connection } = transaction
        if ((await stateOfCreation(connection, creation)) !== 'gone') return
        await forgetUndone(connection, creation.account, creation.creation)
        for (const step of written) await step(transaction)
      },
      () => undefined,
    )
  }

  private async recover(context: Context): Promise<DIDCreationRecovery> {
    this.repeat(context)
    const running = this.run(context)
    const creations = await this.recovery.recover(context)
    const { completed, undone } = this.outcomes
    await this.work.releaseGone()
    await running?.drain()
    return {
      completed: creations.completed + this.outcomes.completed - completed,
      undone: creations.undone + this.outcomes.undone - undone,
      left: creations.left + (await countLeft(this.unit)),
    }
  }

  private async stop(): Promise<void> {
    const passes = this.passes.stop()
    await this.work.stop(LEDGER_CHANGE)
    await this.recovery.stop()
    await this.unit.erasures?.stop()
    await passes
  }

  private repeat(context: Context): void {
    if (this.unit.database.isReadOnly) return
    this.unit.erasures?.begin()
    this.passes.begin(async () => {
      try {
        return (await this.recovery.recover(context)).left === 0
      } catch (error) {
        // Nothing waits for it, and the next pass finds the same.
        if (!isAgentError(error)) log('error', 'interrupted DID creations could not be checked', {}, error)
        return false
      }
    })
  }

  /** @returns `undefined` on a standby */
  private run(context: Context): RunningKind | undefined {
    return this.unit.database.isReadOnly ? undefined : this.work.run(this.changes.kind(context))
  }

  private async settleOne(
    { did, abandoned = false }: { did: string; abandoned?: boolean },
    context: Context,
  ): Promise<DIDCreationRecovery> {
    const outcome: DIDCreationRecovery = { completed: 0, undone: 0, left: 0 }
    const intents = await selectIntents(this.unit, { account: currentAccount().id, did })
    for (const intent of intents) outcome[await this.recovery.settle(intent, context, abandoned)] += 1
    return outcome
  }

  /**
   * An intent that occupies the DID or the alias, but whose creation has no process any more, must not block a new
   * one.
   */
  private async settleForgotten(
    account: string,
    { did, alias }: IntendedIdentifier,
    context: Context,
  ): Promise<void> {
    for (const intent of await selectIntents(this.unit, { account, did, alias })) {
      await this.unit.outside(() => this.recovery.settle(intent, context))
    }
  }

  private afterFailure(account: string, did: string, creation: string, context: Context): FailureHook {
    return async ({ error, during }) => {
      if (isAgentError(error) && UNKNOWN.has(error.code)) return this.passes.soon()
      try {
        const [intent] = await selectIntents(this.unit, { account, did })
        if (intent?.owner.creation !== creation) return
        const refused = during === 'work' && isAgentError(error) && REFUSALS.has(error.code)
        if (refused) await this.recovery.undo(intent)
        else await this.recovery.decide(intent, context)
      } catch {
        // The intent stays for recovery; the caller learns why the creation failed, not this.
        this.passes.soon()
      }
    }
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
