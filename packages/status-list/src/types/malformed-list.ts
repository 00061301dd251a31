import {
  AgentError,
  isAgentError,
  parseForeignJson,
  parseUsual,
  type Problem,
  schemaProblems,
  schemaSentence,
} from '@vidimus/core-types'
import type { z } from 'zod'

/** @param reason - continues "the resource is not a readable status list: " */
export const malformedList = (
  reason: string,
  options: { cause?: unknown; details?: readonly Problem[] } = {},
): AgentError =>
  new AgentError('malformed_list', `the resource is not a readable status list: ${reason}`, options)

/**
 * Reads JSON of a known form and keeps it unchanged, including unknown members and their order.
 *
 * @param schema - only checks: no defaults, no transformations
 * @param what - names the JSON in errors
 * @throws AgentError `malformed_list`
 */
export function parseJsonAs<T>(schema: z.ZodType<T>, json: Uint8Array, what: string): T {
  let value: unknown
  try {
    value = parseForeignJson(new TextDecoder('utf-8', { fatal: true }).decode(json))
  } catch (cause) {
    throw malformedList(`${what} is not JSON, or is nested too deeply`, { cause })
  }
  return checkedAs(schema, value, what)
}

/**
 * A value of a known form, unchanged.
 *
 * @param schema - only checks: no defaults, no transformations
 * @throws AgentError `malformed_list`
 */
export function checkedAs<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = parseUsual(schema, value, schemaSentence)
  if (result.success) return value as T
  const problems = schemaProblems(result.error.issues)
  const [first] = problems
  throw malformedList(first?.path ? `${first.path}: ${first.message}` : `${what} has an unexpected form`, {
    details: problems,
  })
}

/** @returns `undefined` if it is not a readable list */
export function unlessMalformed<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (isAgentError(error) && error.code === 'malformed_list') return undefined
    throw error
  }
}
