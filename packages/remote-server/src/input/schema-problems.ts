import { formatPath, type Problem } from '@vidimus/core-types'
import type { z } from 'zod'
import type { FieldKind } from './field-kind.js'
import { nearMiss } from './near-miss.js'

/**
 * Schema errors as problems; each unknown field is a separate one.
 *
 * @param most - maximum number of problems reported; finding suggestions for an unknown field takes time
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

const UNKNOWN = 'is not a known field'

export function unknownField(name: string, known: readonly string[]): string {
  const meant = nearMiss(name, known)
  return meant === undefined ? UNKNOWN : `${UNKNOWN}; did you mean "${meant}"?`
}

/** Whether it is a result of {@link unknownField}. */
export const isUnknownField = (message: string): boolean => message.startsWith(UNKNOWN)

function knownFields(kinds: ReadonlyMap<string, FieldKind>, path: readonly PropertyKey[]): string[] {
  let kind: FieldKind | undefined = { kind: 'object', fields: kinds }
  for (const step of path) {
    if (kind?.kind === 'list') kind = kind.entry
    else if (kind?.kind === 'object') kind = kind.fields.get(String(step))
    else return []
  }
  return kind?.kind === 'object' ? [...kind.fields.keys()] : []
}
