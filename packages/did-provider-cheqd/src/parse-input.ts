import { formatPath, parseUsual, problemsError, schemaSentence, type Problem } from '@vidimus/core-types'
import type { z } from 'zod'

/**
 * Checks an argument of an agent method.
 *
 * @param nameOf - the caller's name for the first step of a path, if it is another one
 * @throws AgentError `invalid_input` with every problem
 */
export function parseInput<T extends z.ZodType>(
  schema: T,
  value: unknown,
  nameOf: (firstStep: PropertyKey) => PropertyKey = (step) => step,
): z.output<T> {
  const result = parseUsual(schema, value, schemaSentence)
  if (result.success) return result.data
  throw problemsError(
    'invalid_input',
    result.error.issues.flatMap((issue) => problemsOfIssue(issue, nameOf)),
  )
}

function problemsOfIssue(issue: z.core.$ZodIssue, nameOf: (step: PropertyKey) => PropertyKey): Problem[] {
  const [first, ...others] = issue.path
  const path = first === undefined ? [] : [nameOf(first), ...others]
  if (issue.code !== 'unrecognized_keys') return [{ path: formatPath(path), message: issue.message }]
  return issue.keys.map((key) => ({ path: formatPath([...path, key]), message: 'is unknown' }))
}
