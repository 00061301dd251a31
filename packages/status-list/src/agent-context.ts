import type { IAgentContext, IKeyManager, IResolver } from '@veramo/core-types'
import {
  isAgentError,
  type DIDAct,
  type IDIDHolding,
  type IDIDJwt,
  type ILedgerBank,
  type ILinkedResource,
  type StatusListType,
} from '@vidimus/core-types'

/** What reading status lists needs of the agent. */
export type ReadingContext = IAgentContext<ILinkedResource & IDIDJwt & IResolver>

/** And, for them to be written. */
export type WritingContext = IAgentContext<
  ILinkedResource & IDIDJwt & IResolver & IDIDHolding & Pick<IKeyManager, 'keyManagerSign'>
>

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
