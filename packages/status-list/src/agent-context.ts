import type { IAgentContext, IDIDManager, IResolver } from '@veramo/core-types'
import { isAgentError, problemsError, type IDIDJwt, type ILinkedResource } from '@vidimus/core-types'

/** What the agent has to be able to do, for status lists to be read. */
export type ReadingContext = IAgentContext<ILinkedResource & IDIDJwt & IResolver>

/** And, for them to be written. */
export type WritingContext = IAgentContext<ILinkedResource & IDIDJwt & IResolver & IDIDManager>

/**
 * Makes sure that the account in scope holds the DID that publishes a list. One that exists for others only reads like
 * an unknown one.
 *
 * @throws AgentError `did_not_found`, its detail at the path `did`
 */
export async function demandHeldDid(did: string, context: IAgentContext<IDIDManager>): Promise<void> {
  if (await holdsDid(did, context)) return
  const message = `"${did}" is unknown, or the account does not hold it`
  throw problemsError('did_not_found', [{ path: 'did', message }])
}

/** Whether the account in scope holds a DID. */
export async function holdsDid(did: string, context: IAgentContext<IDIDManager>): Promise<boolean> {
  try {
    await context.agent.didManagerGet({ did })
    return true
  } catch (error) {
    if (!tellsNotFound(error)) throw error
    return false
  }
}

/** Veramo's stores tell by text alone; any other failure of a store must not read as "not held". */
const tellsNotFound = (error: unknown): boolean =>
  isAgentError(error)
    ? error.code === 'did_not_found'
    : error instanceof Error && /^(not_found:|identifier not found)/i.test(error.message)
