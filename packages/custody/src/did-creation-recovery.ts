import type { DIDResolutionResult, IAgentContext } from '@veramo/core-types'
import { AgentError, log, outsideOfRequests, runInAccountScope, queueName } from '@vidimus/core-types'
import { AccountDIDStore } from './account-did-store.js'
import {
  newOwner,
  selectIntents,
  selectIntentsFairly,
  stateOfCreation,
  takeIntent,
  type Intent,
  type Owner,
} from './did-creation-intents.js'
import { RecoveryHealth } from './recovery-health.js'
import { namesOneOf } from './public-key-in-document.js'
import {
  forgetUndone,
  postponeLook,
  redoCreation,
  selectUndone,
  undoIntent,
  type UndoneCreation,
} from './undone-creations.js'
import type { UnitOfWork } from './unit-of-work.js'

/** The outcome of half-done creations, and changes. */
export interface DIDCreationRecovery {
  /** the DID exists with our keys, and is now in its account; the ledger has the change, which is written down now */
  completed: number
  /** the DID does not exist; its keys and the reservation of its alias are gone; the change was never made */
  undone: number
  /** cannot be determined now, or another process works on it */
  left: number
}

export type Context = IAgentContext<{}>

/** How long after it was undone a creation is looked at for the first time; then each time after twice as long. */
const FIRST_LOOK_MS = 60_000
const LONGEST_PAUSE_MS = 60 * 60 * 1000

/**
 * Completes or undoes creations without a process, depending on whether the ledger has the DID.
 *
 * The ledger may still get a DID whose creation was undone: from a process that seemed to be gone, or from its own
 * queue. So undone creations are checked again for a while.
 */
export class CreationRecovery {
  private readonly didStore: AccountDIDStore
  /** that of this process, once it has begun a creation */
  private presence: string | undefined
  private passing: Promise<DIDCreationRecovery> | undefined
  private stopping = false
  /** how passes went */
  readonly health = new RecoveryHealth()

  constructor(
    private readonly unit: UnitOfWork,
    private readonly keepUndoneMs: number,
  ) {
    this.didStore = new AccountDIDStore(unit)
  }

  /** A creation of this process. @throws AgentError `unavailable` */
  async newOwner(): Promise<Owner> {
    this.presence = await this.unit.database.presence()
    return newOwner(this.presence)
  }

  /**
   * One pass over everything that is left, by one process at a time: the others leave it to that one.
   *
   * @throws AgentError `unavailable`
   */
  recover(context: Context): Promise<DIDCreationRecovery> {
    this.passing ??= outsideOfRequests(() => this.health.of(this.pass(context))).finally(
      () => (this.passing = undefined),
    )
    return this.passing
  }

  /** Waits for the creation that a pass is at; what comes after that one is left to others. */
  async stop(): Promise<void> {
    this.stopping = true
    // The caller of the pass gets its outcome.
    await this.passing?.catch(() => undefined)
  }

  /**
   * Completes or undoes a creation, unless a process works on it.
   *
   * @param abandoned - the request that began it is known to be over, so that no other process works on it
   */
  async settle(intent: Intent, context: Context, abandoned = false): Promise<keyof DIDCreationRecovery> {
    if (this.unit.creationsUnderWay.has(intent.owner.creation)) return 'left'
    if (!abandoned && (await this.isOfAnother(intent.owner))) return 'left'
    const taken = await this.take(intent)
    return taken ? this.decide(taken, context) : 'left'
  }

  /** Before the ledger is asked: a process that seems to be gone may only be frozen, and cannot submit the DID any more. */
  private async take(intent: Intent): Promise<Intent | undefined> {
    const { account, did } = intent
    const presence = (this.presence = await this.unit.database.presence())
    if (intent.owner.presence === presence) return intent
    const owner = { ...intent.owner, presence }
    const which = { account: account.id, did, owner: intent.owner }
    const taken = await this.unit.transaction(({ connection }) => takeIntent(connection, which, owner), {
      account,
    })
    return taken ? { ...intent, owner } : undefined
  }

  /** Asks the resolver what the ledger has. */
  async decide(intent: Intent, context: Context): Promise<keyof DIDCreationRecovery> {
    const found = await lookUp(intent, context)
    if (found === 'unknown') return 'left'
    if (found === 'ours') {
      await this.complete(intent, context)
      return 'completed'
    }
    const at = await this.unit.database.now()
    const nextLookAt = new Date(at.getTime() + FIRST_LOOK_MS)
    const { account } = intent
    await this.unit.transaction(({ connection }) => undoIntent(connection, intent, { at, nextLookAt }), {
      account,
    })
    return 'undone'
  }

  /** The ledger has refused the DID for good. */
  async undo(intent: Intent): Promise<void> {
    await this.unit.transaction(({ connection }) => undoIntent(connection, intent), {
      account: intent.account,
    })
  }

  private async pass(context: Context): Promise<DIDCreationRecovery> {
    const outcome: DIDCreationRecovery = { completed: 0, undone: 0, left: 0 }
    const now = await this.unit.database.now()
    const intents = await selectIntentsFairly(this.unit)
    const undone = await selectUndone(this.unit, { now })
    if (intents.length + undone.length === 0) return outcome
    const release = await this.unit.database.lock(queueName('did-creation-recovery'))
    if (!release) return { ...outcome, left: intents.length }
    try {
      for (const intent of intents) {
        outcome[this.stopping ? 'left' : await this.leftOnFailure(this.settle(intent, context))] += 1
      }
      for (const creation of undone) {
        if (this.stopping) break
        const settled = await this.leftOnFailure(this.lookAgainOrLater(creation, now, context))
        if (settled === 'completed') outcome.completed += 1
      }
      return outcome
    } finally {
      await release()
    }
  }

  private async isOfAnother({ presence }: Owner): Promise<boolean> {
    // What this process has begun but no longer works on, it must settle itself.
    if (presence === undefined || presence === this.presence) return false
    return this.unit.database.isPresent(presence)
  }

  /** A failed one is not the first again in the next pass. */
  private async lookAgainOrLater(
    undone: UndoneCreation,
    now: Date,
    context: Context,
  ): Promise<keyof DIDCreationRecovery> {
    try {
      return await this.lookAgain(undone, now, context)
    } catch (error) {
      const until = new Date(now.getTime() + LONGEST_PAUSE_MS)
      await this.unit.transaction(({ connection }) => postponeLook(connection, undone, until), {
        account: undone.account,
      })
      throw error
    }
  }

  private async lookAgain(
    undone: UndoneCreation,
    now: Date,
    context: Context,
  ): Promise<keyof DIDCreationRecovery> {
    const { account, did, creation, undoneAt } = undone
    const found = await lookUp(undone, context)
    if (found === 'ours') {
      const redone = await this.unit.transaction(
        ({ connection }) => redoCreation(connection, account.id, creation),
        { account },
      )
      const intents = redone ? await selectIntents(this.unit, { account: account.id, did }) : []
      for (const intent of intents) if (intent.did === did) await this.complete(intent, context)
      return redone ? 'completed' : 'left'
    }
    const age = now.getTime() - undoneAt.getTime()
    const isOver = found === 'not ours' && age >= this.keepUndoneMs
    const pause = Math.min(Math.max(age, FIRST_LOOK_MS), LONGEST_PAUSE_MS)
    await this.unit.transaction(
      ({ connection }) =>
        isOver
          ? forgetUndone(connection, account.id, creation)
          : postponeLook(connection, undone, new Date(now.getTime() + pause)),
      { account },
    )
    return isOver ? 'undone' : 'left'
  }

  /** One creation that cannot be settled must not block those of others. */
  private async leftOnFailure(
    settled: Promise<keyof DIDCreationRecovery>,
  ): Promise<keyof DIDCreationRecovery> {
    try {
      return await settled
    } catch (error) {
      this.health.couldNotSettle()
      log('error', 'an interrupted creation could not be recovered; it will be retried', {}, error)
      return 'left'
    }
  }

  private async complete({ account, did, identifier, provider, owner }: Intent, context: Context) {
    const known = provider ?? (await findProvider(did, context))
    const complete = async () => {
      await this.unit.stage(
        async ({ connection }) => {
          const state = await stateOfCreation(connection, {
            account: account.id,
            did,
            creation: owner.creation,
          })
          if (state !== 'pending') throw settledMeanwhile(did)
        },
        () => undefined,
      )
      await this.didStore.importDID({ ...identifier, provider: known })
    }
    await runInAccountScope(account, () => this.unit.outside(() => this.unit.run(complete)))
  }
}

async function lookUp(
  { did, identifier }: Pick<Intent, 'did' | 'identifier'>,
  context: Context,
): Promise<'ours' | 'not ours' | 'unknown'> {
  if (!context.agent.availableMethods().includes('resolveDid')) return 'unknown'
  try {
    const { didDocument, didResolutionMetadata } = await context.agent.execute<unknown, DIDResolutionResult>(
      'resolveDid',
      { didUrl: did },
    )
    if (didDocument) return namesOneOf(didDocument, identifier.keys) ? 'ours' : 'not ours'
    return didResolutionMetadata.error === 'notFound' ? 'not ours' : 'unknown'
  } catch {
    // A failure of the resolver says nothing about the DID.
    return 'unknown'
  }
}

/** The configured provider of the DID's method. */
async function findProvider(did: string, context: Context): Promise<string> {
  const method = did.split(':', 2).join(':')
  if (!context.agent.availableMethods().includes('didManagerGetProviders')) return method
  const providers = await context.agent.execute<unknown, string[]>('didManagerGetProviders', {})
  return (
    providers.find((provider) => provider === method) ??
    providers.find((provider) => did.startsWith(provider)) ??
    method
  )
}

const settledMeanwhile = (did: string) =>
  new AgentError(
    'version_conflict',
    `did: the creation of ${did} was completed or undone by another process in the meantime`,
  )
