import type { DIDResolutionResult, IAgentContext } from '@veramo/core-types'
import { AgentError, log, runInAccountScope, type BackOff } from '@vidimus/core-types'
import type { Connection } from '@vidimus/database'
import {
  workOn,
  type HeldWork,
  type Work,
  type WorkItem,
  type WorkKind,
  type WorkOutcome,
} from '@vidimus/work'
import { AccountDIDStore } from './account-did-store.js'
import { readIntent, type Intent } from './did-creation-intents.js'
import { DID_CREATION, keyOfIntent } from './identifier-writes.js'
import { readAccount } from './ledger-change-rows.js'
import { namesOneOf } from './public-key-in-document.js'
import { endUndone, isUndone, redoCreation, undoIntent } from './undone-creations.js'
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

export interface RecoveryOptions {
  /** a ledger may get a DID, or a change, so late */
  keepMs: number
  /** while the ledger cannot be asked */
  retry: BackOff
  /** what this process has found out so far */
  outcomes: Pick<DIDCreationRecovery, 'completed' | 'undone'>
}

export type Context = IAgentContext<{}>

/** How long after it began, or was undone, what the ledger did not have is looked for again; then each time after twice as long. */
const LATER = { firstMs: 60_000, mostMs: 60 * 60 * 1000 }

/** What the ledger may still get. @param ageMs - how long ago it began, or was undone */
export const later = ({ payload = '' }: WorkItem, ageMs = 0) => ({
  again: { dueAt: new Date(Date.now() + Math.min(Math.max(ageMs, LATER.firstMs), LATER.mostMs)), payload },
})

/**
 * Completes or undoes creations that nobody is at, depending on whether the ledger has the DID.
 *
 * The ledger may still get a DID whose creation was undone: from a process that seemed to be gone, or from its own
 * queue. So undone creations are checked again for a while.
 */
export class CreationRecovery {
  private readonly didStore: AccountDIDStore
  private readonly work: Work

  constructor(
    private readonly unit: UnitOfWork,
    private readonly options: RecoveryOptions,
  ) {
    this.didStore = new AccountDIDStore(unit)
    this.work = workOn(unit.database)
  }

  kind(context: Context): WorkKind {
    return {
      name: DID_CREATION,
      most: 8,
      share: 4,
      retry: ({ key }) => (isUndone(key) ? LATER : this.options.retry),
      handle: (held) =>
        isUndone(held.item.key) ? this.lookAgain(held, context) : this.handle(held, context),
      onFailure: (error) => log('warn', 'an interrupted creation could not be settled yet', {}, error),
    }
  }

  /**
   * Completes or undoes a creation, unless somebody is at it.
   *
   * @param isAbandoned - the request that began it is known to be over, so that no other process works on it
   */
  async settle(account: string, did: string, context: Context, isAbandoned = false): Promise<void> {
    const { callers } = this.work
    // From now on, a process that was at it and seems to be gone, but is only frozen, cannot submit the DID any more.
    const key = keyOfIntent(account, did)
    const claim = () => callers.claim(DID_CREATION, key, isAbandoned)
    const held = (await claim()) ?? ((await this.work.ended(DID_CREATION, key)) ? await claim() : undefined)
    if (!held) return
    let isSettled = false
    try {
      isSettled = (await this.decide(held, context)) !== 'unknown'
    } finally {
      if (!isSettled) await callers.release(held)
    }
  }

  /** Asks the resolver what the ledger has. */
  async decide(held: HeldWork, context: Context): Promise<'ours' | 'not ours' | 'unknown'> {
    const found = await lookUp(readIntent(held.item), context)
    if (found === 'ours') await this.complete(held, context)
    if (found === 'not ours') await this.undo(held, await this.unit.database.now())
    return found
  }

  /** @param at - absent: the ledger has refused the DID for good */
  async undo(held: HeldWork, at?: Date): Promise<void> {
    const now = new Date()
    const { dueAt } = later(held.item).again
    await this.ofOwner(held, (connection) =>
      undoIntent(
        connection,
        held,
        at && ((item) => this.work.add(connection, DID_CREATION, { ...item, since: at, dueAt }, now)),
      ),
    )
  }

  private async handle(held: HeldWork, context: Context): Promise<WorkOutcome> {
    const found = await this.decide(held, context)
    if (found === 'unknown') throw unreachable()
    this.options.outcomes[found === 'ours' ? 'completed' : 'undone'] += 1
    return { isDone: true }
  }

  /** At an undone one. */
  private async lookAgain(held: HeldWork, context: Context): Promise<WorkOutcome> {
    const { item, begun } = held
    const { since = begun } = item
    const found = await lookUp(readIntent(item), context)
    if (found === 'unknown') throw unreachable()
    const now = await this.unit.database.now()
    const age = now.getTime() - since.getTime()
    const isOver = await this.ofOwner(held, async (connection) => {
      if (found === 'ours')
        return redoCreation(connection, held, (intent) =>
          this.work.add(connection, DID_CREATION, { ...intent, since: now, dueAt: begun }, new Date()),
        )
      if (age < this.options.keepMs) return false
      await endUndone(connection, held)
      return true
    })
    return isOver ? { isDone: true } : { isDone: false, ...later(item, age) }
  }

  private async complete(held: HeldWork, context: Context): Promise<void> {
    const { identifier, provider } = readIntent(held.item)
    const account = await readAccount(this.unit, held.item.owner)
    const known = provider ?? (await findProvider(identifier.did, context))
    const complete = async () => {
      await this.unit.stage(
        ({ connection }) => held.demandHeld(connection),
        () => undefined,
      )
      await this.didStore.importDID({ ...identifier, provider: known })
    }
    await runInAccountScope(account, () => this.unit.outside(() => this.unit.run(complete)))
  }

  private ofOwner<T>(held: HeldWork, work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.unit.transaction(({ connection }) => work(connection), { account: { id: held.item.owner } })
  }
}

async function lookUp(
  { identifier }: Pick<Intent, 'identifier'>,
  context: Context,
): Promise<'ours' | 'not ours' | 'unknown'> {
  if (!context.agent.availableMethods().includes('resolveDid')) return 'unknown'
  try {
    const { didDocument, didResolutionMetadata } = await context.agent.execute<unknown, DIDResolutionResult>(
      'resolveDid',
      { didUrl: identifier.did },
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

export const unreachable = () => new AgentError('ledger_unavailable', 'the ledger could not be asked for it')
