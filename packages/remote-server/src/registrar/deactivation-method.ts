import type { ServiceAgent } from '../service-agent.js'

/**
 * The agent method that deactivates DIDs of a method: `<method>Deactivate`, such as `cheqdDeactivate`. It takes
 * `{ did }` and returns how the DID resolves from then on. Veramo has none for all methods.
 *
 * @param didOrProvider - `did:<method>` with whatever follows
 * @returns `undefined` where the agent has none
 */
export function deactivationMethod(didOrProvider: string, agent: ServiceAgent): string | undefined {
  const [, method = ''] = didOrProvider.split(':')
  const name = `${method}Deactivate`
  return agent.availableMethods().includes(name) ? name : undefined
}
