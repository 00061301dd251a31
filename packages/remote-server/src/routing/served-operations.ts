import type { Operation } from '../operation.js'
import type { ServerSettings } from '../options.js'

/** The operations that an agent supports, and those that lack methods. */
export interface ServedOperations {
  served: Operation[]
  missing: { operation: Operation; methods: string[] }[]
}

/** Splits the enabled operations by whether the agent has the methods that they need. */
export function servedOperations(
  operations: readonly Operation[],
  { agent, ...switches }: Pick<ServerSettings, 'agent' | 'vcApi'>,
): ServedOperations {
  const methods = new Set(agent.availableMethods())
  const wanted = operations.filter((operation) => !operation.switch || switches[operation.switch])
  const judged = wanted.map((operation) => ({
    operation,
    methods: operation.needs.filter((method) => !methods.has(method)),
  }))
  return {
    served: judged.filter((one) => one.methods.length === 0).map(({ operation }) => operation),
    missing: judged.filter((one) => one.methods.length > 0),
  }
}
