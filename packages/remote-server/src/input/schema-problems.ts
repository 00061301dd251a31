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
export function schemaSentence(issue: z.core.$ZodRawIssue): string {
  const { code } = issue
  if (code === 'invalid_type' || code === 'invalid_value') {
    return issue.input === undefined ? 'is required' : `has to be ${expected(issue)}`
  }
  if (code === 'too_small') return `has to ${bound(issue.origin, 'at least', issue.minimum)}`
  if (code === 'too_big') return `has to ${bound(issue.origin, 'at most', issue.maximum)}`
  if (code === 'invalid_union')
    return issue.input === undefined ? 'is required' : 'has none of the allowed forms'
  if (code === 'invalid_format') return 'has a wrong format'
  if (code === 'not_multiple_of') return `has to be a multiple of ${issue.divisor}`
  if (code === 'invalid_key' || code === 'invalid_element') return 'has a member that is not allowed'
  return code === 'unrecognized_keys' ? 'has unknown fields' : 'is not allowed'
}

function expected(issue: z.core.$ZodRawIssue & { code: 'invalid_type' | 'invalid_value' }): string {
  if (issue.code === 'invalid_type') return TYPE_NAMES[issue.expected] ?? issue.expected
  const values = issue.values.map((value) => JSON.stringify(value)).join(', ')
  return issue.values.length > 1 ? `one of ${values}` : values
}

function bound(origin: string, side: string, limit: number | bigint): string {
  if (side === 'at least' && Number(limit) === 1) {
    if (origin === 'string') return 'be a non-empty string'
    if (origin === 'array') return 'have at least one entry'
  }
  if (origin === 'string') return `have ${side} ${limit} ${Number(limit) === 1 ? 'character' : 'characters'}`
  if (origin === 'array') return `have ${side} ${limit} ${Number(limit) === 1 ? 'entry' : 'entries'}`
  return `be ${side} ${limit}`
}

/**
 * What a schema found, as problems; each unknown field is one of its own.
 *
 * @param most - problems that are told; looking for what an unknown field may have meant takes a while for each
 * @param kinds - of the schema, for suggestions
 */
export function problemsOfSchema(
  issues: readonly z.core.$ZodIssue[],
  kinds: ReadonlyMap<string, FieldKind>,
  most: number,
): Problem[] {
  const problems: Problem[] = []
  for (const issue of issues) {
    const room = most - problems.length
    if (room <= 0) break
    if (issue.code !== 'unrecognized_keys') {
      problems.push({ path: formatPath(issue.path), message: issue.message })
      continue
    }
    const known = knownFields(kinds, issue.path)
    for (const key of issue.keys.slice(0, room)) {
      problems.push({ path: formatPath([...issue.path, key]), message: unknownField(key, known) })
    }
  }
  return problems
}

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
