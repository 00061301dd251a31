import type { IIdentifier, IKey } from '@veramo/core-types'
import { isAgentError, type ErrorCode } from '@vidimus/core-types'
import { fromVeramoError } from '../errors/veramo-errors.js'
import type { ServiceAgent } from '../service-agent.js'

/** The key, where the account in scope holds it. */
export const heldKey = (agent: ServiceAgent, kid: string): Promise<IKey | undefined> =>
  orAbsent('key_not_found', () => agent.keyManagerGet({ kid }))

/** The DID, where the account in scope holds it. */
export const heldDid = (agent: ServiceAgent, did: string): Promise<IIdentifier | undefined> =>
  orAbsent('did_not_found', () => agent.didManagerGet({ did }))

/** Only the one code means absence: a database that cannot be reached does not. */
async function orAbsent<T>(absence: ErrorCode, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    const known = isAgentError(error) ? error : fromVeramoError(error)
    if (known?.code === absence) return undefined
    throw error
  }
}
