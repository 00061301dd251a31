import type { IAgentContext, IKeyManager, IResolver } from '@veramo/core-types'
import {
  isAgentError,
  type DIDAct,
  type DIDHolding,
  type IDIDHolding,
  type IDIDJwt,
  type ILedgerBank,
  type ILinkedResource,
  type StatusListType,
} from '@vidimus/core-types'

/** What reading status lists needs of the agent, and the holding of the publisher if the call has obtained it already. */
export type ReadingContext = IAgentContext<ILinkedResource & IDIDJwt & IResolver> & {
  readonly holding?: DIDHolding
}

/** And, for them to be written. */
export type WritingContext = IAgentContext<
  ILinkedResource & IDIDJwt & IResolver & IDIDHolding & Pick<IKeyManager, 'keyManagerSign'>
> & { readonly holding?: DIDHolding }

/** And what unlocking encrypted lists of others needs. An agent may lack the methods of the bank. */
export type UnlockingContext = IAgentContext<
  ILinkedResource & IDIDJwt & IResolver & IDIDHolding & ILedgerBank
>

/** Publishing the next version of a list requires holding its DID. */
export const publishingAct = (type: Pick<StatusListType, 'secure'>): DIDAct =>
  type.secure ? 'assertionMethod' : 'publish'

/**
 * Makes sure that the account in scope holds the DID that publishes a list. One that exists for others only reads like
 * an unknown one.
 *
 * @throws AgentError as `didHeldKey` does; `did_not_found` and `key_not_found` with a detail at the path `did`
 */
export async function demandHeldDid(
  did: string,
  act: DIDAct,
  { agent }: IAgentContext<IDIDHolding>,
): Promise<void> {
  await agent.didHeldKey({ did, act })
}

/**
 * As {@link demandHeldDid}, with the holding for everything that the call then reads, signs and publishes.
 *
 * @throws AgentError as {@link demandHeldDid}
 */
export async function withHolding<Context extends WritingContext>(
  did: string,
  purpose: DIDAct,
  context: Context,
): Promise<Context & { readonly holding: DIDHolding }> {
  const holding = await context.agent.didHolding({ did, purpose })
  return { ...context, holding }
}

/** Whether the account in scope holds a DID. */
export async function holdsDid(
  did: string,
  act: DIDAct,
  context: IAgentContext<IDIDHolding>,
): Promise<boolean> {
  try {
    await demandHeldDid(did, act, context)
    return true
  } catch (error) {
    // Any other failure must not read as "not held".
    if (!isAgentError(error) || !NOT_HELD.has(error.code)) throw error
    return false
  }
}

const NOT_HELD: ReadonlySet<string> = new Set(['did_not_found', 'key_not_found', 'did_deactivated'])
