import type { DIDResolutionResult, IAgentContext, IAgentPlugin, IIdentifier } from '@veramo/core-types'
import { currentAccount, isAgentError, runInAccountScope, type IDIDCreation } from '@vidimus/core-types'
import { AccountDIDStore, checkedIdentifier } from './account-did-store.js'
import {
  insertIntent,
  mayBeUnderWay,
  newOwner,
  selectIntents,
  undoIntent,
  type Intent,
} from './did-creation-intents.js'
import { noteCreation } from './creation-marks.js'
import { didCreationSchema } from './did-creation-schema.js'
import type { WritableIdentifier } from './identifier-writes.js'
import { namesOneOf } from './public-key-in-document.js'
import { requireUnitOfWork } from './require-parts.js'
import type { FailureHook } from './unit.js'
import type { UnitOfWork } from './unit-of-work.js'

/** What became of the creations that were left half-done. */
export interface DIDCreationRecovery {
  /** the DID exists with our keys, and is now in its account */
  completed: number
  /** the DID does not exist; its keys and the reservation of its alias are gone */
  undone: number
  /** not to be told now, or another process is at it */
  left: number
}

export interface IDIDCreationPlugin extends IDIDCreation {
  /**
   * Completes or undoes what earlier processes have left half-done, each in the scope of its account. For the start of
   * a server: it needs no scope, and may resolve DIDs.
   */
  didCreationRecover(): Promise<DIDCreationRecovery>
  /**
   * The same for one DID of the account in scope; without an unfinished creation nothing happens.
   *
   * @param args - `abandoned`: whoever began it is known to be done, so that nobody can be at it any more
   */
  didCreationSettle(args: { did: string; abandoned?: boolean }): Promise<DIDCreationRecovery>
}

type Context = IAgentContext<{}>

/** After these a DID is certainly not on the ledger. Not so after `did_taken`: a repeated submission meets itself. */
const REFUSALS = new Set(['ledger_rule', 'insufficient_funds', 'invalid_input'])

/**
 * Keeps ledger and database in step: the keys of a DID and the intent to create it are durable before the ledger is
 * asked, and whatever happens then is completed or undone.
 */
export class DIDCreationPlugin implements IAgentPlugin {
  readonly methods = {
    didCreationRecord: (args: { identifier: Omit<IIdentifier, 'provider'> }, context: Context) =>
      this.record(args, context),
    didCreationRecover: (_args: {}, context: Context) => this.recover(context),
    didCreationSettle: (args: { did: string; abandoned?: boolean }, context: Context) =>
      this.settleOne(args, context),
  }

  readonly schema = didCreationSchema()
  private readonly didStore: AccountDIDStore

  constructor(private readonly unit: UnitOfWork) {
    requireUnitOfWork(unit)
    this.didStore = new AccountDIDStore(unit)
  }

  private async record(args: { identifier: Omit<IIdentifier, 'provider'> }, context: Context): Promise<void> {
    const account = currentAccount().id
    const request = this.unit.current?.creationRequest()
    const identifier = intended(args.identifier, request?.alias)
    await this.settleForgotten(account, identifier, context)
    const origin = { provider: request?.provider, owner: newOwner() }
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
        await this.unit.quotas.dids.check(transaction.connection, account)
      },
      () => undefined,
    )
    await this.unit.flush()
  }

  private async recover(context: Context): Promise<DIDCreationRecovery> {
    const outcome: DIDCreationRecovery = { completed: 0, undone: 0, left: 0 }
    for (const intent of await selectIntents(this.unit)) {
      const settled = await this.settle(intent, context).catch((error: unknown) => {
        // One creation that cannot be completed must not keep the others, and the server, from starting.
        if (isAgentError(error)) return 'left' as const
        throw error
      })
      outcome[settled] += 1
    }
    return outcome
  }

  private async settleOne(
    { did, abandoned = false }: { did: string; abandoned?: boolean },
    context: Context,
  ): Promise<DIDCreationRecovery> {
    const outcome: DIDCreationRecovery = { completed: 0, undone: 0, left: 0 }
    const intents = await selectIntents(this.unit, { account: currentAccount().id, did })
    for (const intent of intents) outcome[await this.settle(intent, context, abandoned)] += 1
    return outcome
  }

  /** An intent that holds the DID or the alias, but whose creation nobody is at any more, must not block a new one. */
  private async settleForgotten(
    account: string,
    { did, alias }: WritableIdentifier,
    context: Context,
  ): Promise<void> {
    for (const intent of await selectIntents(this.unit, { account, did, alias })) {
      await this.unit.outside(() => this.settle(intent, context))
    }
  }

  private async settle(
    intent: Intent,
    context: Context,
    abandoned = false,
  ): Promise<keyof DIDCreationRecovery> {
    if (this.unit.creationsUnderWay.has(intent.owner.creation)) return 'left'
    if (!abandoned && mayBeUnderWay(intent)) return 'left'
    return this.decide(intent, context)
  }

  private afterFailure(account: string, did: string, creation: string, context: Context): FailureHook {
    return async ({ error, during }) => {
      // The outcome is unknown, and the ledger cannot be asked now.
      if (isAgentError(error) && error.code === 'ledger_unavailable') return
      try {
        const [intent] = await selectIntents(this.unit, { account, did })
        if (intent?.owner.creation !== creation) return
        const refused = during === 'work' && isAgentError(error) && REFUSALS.has(error.code)
        if (refused) await this.undo(intent)
        else await this.decide(intent, context)
      } catch {
        // The intent stays for the next start; the caller learns why the creation failed, not this.
      }
    }
  }

  /** Lets the resolver tell what the ledger has. */
  private async decide(intent: Intent, context: Context): Promise<keyof DIDCreationRecovery> {
    const found = await lookUp(intent, context)
    if (found === 'unknown') return 'left'
    if (found === 'ours') {
      await this.complete(intent, context)
      return 'completed'
    }
    await this.undo(intent)
    return 'undone'
  }

  private async complete({ account, identifier, provider }: Intent, context: Context): Promise<void> {
    await runInAccountScope(account, async () => {
      const known = provider ?? (await providerOf(identifier.did, context))
      await this.didStore.importDID({ ...identifier, provider: known })
    })
  }

  private undo(intent: Intent): Promise<void> {
    return this.unit.transaction(({ connection }) => undoIntent(connection, intent))
  }
}

/** The provider does not know its own name yet, nor always the alias that was asked for. */
function intended(identifier: Omit<IIdentifier, 'provider'>, alias: string | undefined): WritableIdentifier {
  const wanted = identifier?.alias ?? alias
  const { provider: _, ...checked } = checkedIdentifier({
    ...identifier,
    provider: 'unknown',
    ...(wanted !== undefined && { alias: wanted }),
  })
  return checked as WritableIdentifier
}

async function lookUp(
  { did, identifier }: Intent,
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
    // Whatever keeps the resolver from answering says nothing of the DID.
    return 'unknown'
  }
}

/** The configured provider of the DID's method. */
async function providerOf(did: string, context: Context): Promise<string> {
  const method = did.split(':', 2).join(':')
  if (!context.agent.availableMethods().includes('didManagerGetProviders')) return method
  const providers = await context.agent.execute<unknown, string[]>('didManagerGetProviders', {})
  return (
    providers.find((provider) => provider === method) ??
    providers.find((provider) => did.startsWith(provider)) ??
    method
  )
}
