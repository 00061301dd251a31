import { formatPath, type Problem } from '@vidimus/core-types'
import type { z } from 'zod'
import type { FieldKind } from './field-kind.js'
import { nearMiss } from './near-miss.js'

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/**
 * The sentences for what a schema finds, where the schema has none of its own; never repeating the value, which may
 * be a secret.
 */
export function schemaSentence(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required'
      return `has to be ${TYPE_NAMES[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      if (issue.input === undefined) return 'is required'
      return `has to be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
    case 'too_small':
      return `has to ${bound(issue.origin, 'at least', issue.minimum)}`
    case 'too_big':
      return `has to ${bound(issue.origin, 'at most', issue.maximum)}`
    case 'invalid_format':
      return 'has a wrong format'
    default:
      return undefined
  }
}

function bound(origin: string, side: string, limit: number | bigint): string {
  if (origin === 'string') return `have ${side} ${limit} characters`
  if (origin === 'array') return `have ${side} ${limit} ${Number(limit) === 1 ? 'entry' : 'entries'}`
  return `be ${side} ${limit}`
}

/**
 * What a schema found, as problems; each unknown field is one of its own.
 *
 * @param kinds - of the schema, for suggestions
 */
export const problemsOfSchema = (
  issues: readonly z.core.$ZodIssue[],
  kinds: ReadonlyMap<string, FieldKind>,
): Problem[] =>
  issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [{ path: formatPath(issue.path), message: issue.message }]
    const known = knownFields(kinds, issue.path)
    return issue.keys.map((key) => ({ path: formatPath([...issue.path, key]), message: unknownField(key, known) }))
  })

export function unknownField(name: string, known: readonly string[]): string {
  const meant = nearMiss(name, known)
  return meant === undefined ? 'is not a known field' : `is not a known field; did you mean "${meant}"?`
}

function knownFields(kinds: ReadonlyMap<string, FieldKind>, path: readonly PropertyKey[]): string[] {
  let kind: FieldKind | undefined = { kind: 'object', fields: kinds }
  for (const step of path) {
    if (kind?.kind === 'list') kind = kind.entry
    else if (kind?.kind === 'object') kind = kind.fields.get(String(step))
    else return []
  }
  return kind?.kind === 'object' ? [...kind.fields.keys()] : []
}
