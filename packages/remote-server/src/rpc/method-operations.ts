import { z } from 'zod'
import { parseUsual, problemsError, schemaSentence } from '@vidimus/core-types'
import { defineOperation, type Operation } from '../operation.js'
import { scopesOfCall } from '../admission/scope-table.js'
import { requireScopeOf } from '../admission/scopes.js'
import type { ServiceAgent } from '../service-agent.js'
import { MOST_DETAILS } from '../errors/error-body.js'
import { fieldKind, type FieldKind } from '../input/field-kind.js'
import { cutLongLists } from '../input/long-lists.js'
import { problemsOfSchema } from '../input/schema-problems.js'
import { shownProblem } from '../input/shown-text.js'
import { methodChanges } from './method-list.js'
import { methodSchema, satisfiable, type AgentSchema, OPEN_SCHEMA, selfContained } from './method-schemas.js'
import { inVeramoWords } from './veramo-wording.js'
import { ruleProblems } from './method-rules.js'

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

type Arguments = Record<string, unknown>

/**
 * Prepares validation of a method's arguments against the schema of its plugin.
 *
 * @returns throws AgentError `invalid_input` with every problem, its path relative to the arguments
 * @throws Error if the schema uses unsupported features
 */
function argumentCheck(method: string, agent: AgentSchema): (args: Arguments) => void {
  const schema = readSchema(selfContained(methodSchema(agent, method).arguments ?? OPEN_SCHEMA, agent))
  const kinds = kindsOf(schema)
  return (args) => {
    const problems = ruleProblems(method, args)
    const cut = cutLongLists(args, kinds)
    const result = parseUsual(schema, cut.fields, schemaSentence)
    problems.push(...cut.problems)
    if (!result.success) problems.push(...problemsOfSchema(result.error.issues, kinds, MOST_DETAILS))
    if (problems.length > 0)
      throw problemsError('invalid_input', problems.slice(0, MOST_DETAILS).map(shownProblem))
  }
}

function readSchema(schema: Parameters<typeof z.fromJSONSchema>[0]): z.ZodType {
  // A separate registry: metadata of third-party schemas is not needed elsewhere.
  return z.fromJSONSchema(schema, { defaultTarget: 'draft-4', registry: z.registry() })
}

/** The members, as far as they help to suggest a name for an unknown one. */
function kindsOf(schema: z.ZodType): ReadonlyMap<string, FieldKind> {
  if (!(schema instanceof z.ZodObject)) return new Map()
  const shape = schema.shape as Readonly<Record<string, z.core.$ZodType>>
  return new Map(Object.entries(shape).map(([name, member]) => [name, kindOrFree(member)]))
}

function kindOrFree(schema: z.core.$ZodType): FieldKind {
  try {
    return fieldKind(schema)
  } catch (error) {
    // A form field cannot have this type, but there are no forms here.
    if (error instanceof TypeError) return { kind: 'free' }
    throw error
  }
}
