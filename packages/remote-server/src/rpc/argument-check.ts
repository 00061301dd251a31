import { parseUsual, problemsError, schemaSentence } from '@vidimus/core-types'
import { z } from 'zod'
import { MOST_DETAILS } from '../errors/error-body.js'
import { fieldKind, type FieldKind } from '../input/field-kind.js'
import { cutLongLists } from '../input/long-lists.js'
import { problemsOfSchema } from '../input/schema-problems.js'
import { shownProblem } from '../input/shown-text.js'
import { ruleProblems } from './method-rules.js'
import { methodSchema, OPEN_SCHEMA, selfContained, type AgentSchema } from './method-schemas.js'

type Arguments = Record<string, unknown>

/**
 * Prepares validation of a method's arguments against the schema of its plugin.
 *
 * @returns throws AgentError `invalid_input` with every problem, its path relative to the arguments
 * @throws Error if the schema uses unsupported features
 */
export function argumentCheck(method: string, agent: AgentSchema): (args: Arguments) => void {
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
