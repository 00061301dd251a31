import type { IIdentifier } from '@veramo/core-types'
import { problemsError } from '@vidimus/core-types'
import type { DIDResolutionResult } from 'did-resolver'
import type { ServiceAgent } from '../service-agent.js'

/**
 * The agent method that deactivates DIDs of a method: `<method>Deactivate`, such as `cheqdDeactivate`. It takes
 * `{ did }` and returns the new resolution result. Veramo has no generic method.
 *
 * @param didOrProvider - `did:<method>` with any suffix
 * @returns `undefined` if the agent has none
 */
export function deactivationMethod(didOrProvider: string, agent: ServiceAgent): string | undefined {
  const [, method = ''] = didOrProvider.split(':')
  const name = `${method}Deactivate`
  return agent.availableMethods().includes(name) ? name : undefined
}

/**
 * Deactivates a DID of the account.
 *
 * @returns its new resolution result
 * @throws AgentError `invalid_input` if the agent has no method for that, and errors of that method
 */
export function deactivate(
  { did, provider }: Pick<IIdentifier, 'did' | 'provider'>,
  agent: ServiceAgent,
): Promise<DIDResolutionResult> {
  const method = deactivationMethod(did, agent)
  if (method !== undefined) return agent.execute<{ did: string }, DIDResolutionResult>(method, { did })
  const message = `cannot be deactivated: the agent cannot deactivate DIDs of ${provider}`
  throw problemsError('invalid_input', [{ path: 'did', message }])
}
