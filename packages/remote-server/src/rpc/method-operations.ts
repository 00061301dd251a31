import { z } from 'zod'
import { defineOperation, type Operation } from '../operation.js'
import { scopesOfCall } from '../admission/scope-table.js'
import { requireScopeOf } from '../admission/scopes.js'
import type { ServiceAgent } from '../service-agent.js'
import { argumentCheck } from './argument-check.js'
import { methodChanges } from './method-list.js'
import { methodSchema, satisfiable, type AgentSchema } from './method-schemas.js'
import { inVeramoWords } from './veramo-wording.js'

/** Below this path agent methods are called by their name. */
export const AGENT_PATH = '/agent'

/** What remote agents can call, and what they cannot although it is allowed. */
export interface MethodOperations {
  served: Operation[]
  /** methods whose arguments cannot be checked by their schema */
  unreadable: { method: string; cause: unknown }[]
}

/**
 * An operation for each allowed method, so that a call takes the way of every other request: the same authentication,
 * limits, decoding and account scope. The name in the URL only finds one of these operations.
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
        // What answers nothing must answer JSON all the same: callers read every answer as such.
        return (await agent.execute<unknown, unknown>(method, body)) ?? null
      } catch (error) {
        throw inVeramoWords(error, method, body)
      }
    },
  })
}
