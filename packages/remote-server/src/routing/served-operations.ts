import type { Operation } from '../operation.js'
import type { ServiceAgent } from '../service-agent.js'

/** What an agent can do, and what it cannot for want of methods. */
export interface ServedOperations {
  served: Operation[]
  missing: { operation: Operation; methods: string[] }[]
}

/** Parts the operations by whether the agent has the methods that they need. */
export function servedOperations(operations: readonly Operation[], agent: ServiceAgent): ServedOperations {
  const methods = new Set(agent.availableMethods())
  const judged = operations.map((operation) => ({
    operation,
    methods: operation.needs.filter((method) => !methods.has(method)),
  }))
  return {
    served: judged.filter((one) => one.methods.length === 0).map(({ operation }) => operation),
    missing: judged.filter((one) => one.methods.length > 0),
  }
}
