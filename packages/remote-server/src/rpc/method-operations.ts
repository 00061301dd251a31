import { z } from 'zod'
import { defineOperation, type Operation } from '../operation.js'
import { scopesOfCall } from '../admission/scope-table.js'
import { requireScopeOf } from '../admission/scopes.js'
import type { ServiceAgent } from '../service-agent.js'
import { argumentCheck } from './argument-check.js'
import { methodChanges } from './method-list.js'
import { methodSchema, satisfiable, type AgentSchema } from './method-schemas.js'
import { inVeramoWords } from './veramo-wording.js'

/** Agent methods are called by name below this path. */
export const AGENT_PATH = '/agent'

/** The methods that remote agents can call, and those that are allowed but cannot be served. */
export interface MethodOperations {
  served: Operation[]
  /** methods whose arguments cannot be validated by their schema */
  unreadable: { method: string; cause: unknown }[]
}

/**
 * An operation for each allowed method, so that calls are processed like every other request: with the same
 * authentication, limits, decoding and account scope. The name in the URL only selects one of these operations.
 */
export function methodOperations(agent: ServiceAgent, methods: readonly string[]): MethodOperations {
  const schema = satisfiable(agent.getSchema())
  const served: Operation[] = []
  const unreadable: MethodOperations['unreadable'] = []
  for (const method of methods) {
    try {
      served.push(methodOperation(method, schema))
    } catch (cause) {
      unreadable.push({ method, cause })
    }
  }
  return { served, unreadable }
}

function methodOperation(method: string, schema: AgentSchema): Operation {
  const check = argumentCheck(method, schema)
  const description = methodSchema(schema, method).description ?? ''
  return defineOperation({
    id: method,
    method: 'post',
    path: `${AGENT_PATH}/${method}`,
    tag: 'Agent methods',
    summary: description,
    description,
    needs: [],
    changes: methodChanges(method),
    jsonOnly: true,
    body: z.looseObject({}),
    response: z.unknown(),
    responseExample: null,
    run: async ({ body, agent, account }) => {
      requireScopeOf(account.grant, scopesOfCall(method, body))
      try {
        check(body)
        // A method without a result must still return JSON: callers parse every response.
        return (await agent.execute<unknown, unknown>(method, body)) ?? null
      } catch (error) {
        throw inVeramoWords(error, method, body)
      }
    },
  })
}
