import { isJsonObject, type Problem } from '@vidimus/core-types'
import { z } from 'zod'
import type { FieldKind } from './field-kind.js'

/** Shorter lists are passed to their schema unchanged, however bad their entries are. */
const LONG = 100
/** Maximum number of bad entries reported per list. */
const MOST_BAD_ENTRIES = 20

/**
 * Truncates lists that would keep a schema busy only to be refused, since a schema checks every entry and describes
 * every error: a list longer than its schema allows is reported and reduced to its first entry; a long list with many
 * bad entries ends with the last one reported. Good lists stay whole.
 */
export function cutLongLists(
  fields: Record<string, unknown>,
  kinds: ReadonlyMap<string, FieldKind>,
): { fields: Record<string, unknown>; problems: Problem[] } {
  const problems: Problem[] = []
  return { fields: cutMembers(fields, kinds, '', problems), problems }
}

function cut(value: unknown, kind: FieldKind, path: string, problems: Problem[]): unknown {
  if (kind.kind === 'choice') {
    const wanted = Array.isArray(value) ? 'list' : 'object'
    const option = kind.options.find((one) => one.kind === wanted)
    return option ? cut(value, option, path, problems) : value
  }
  if (kind.kind === 'list' && Array.isArray(value)) return cutList(value, kind, path, problems)
  if (kind.kind === 'object' && isJsonObject(value))
    return cutMembers(value, kind.fields, `${path}.`, problems)
  return value
}

function cutMembers(
  object: Record<string, unknown>,
  kinds: ReadonlyMap<string, FieldKind>,
  prefix: string,
  problems: Problem[],
): Record<string, unknown> {
  let members = object
  for (const [name, kind] of kinds) {
    if (!Object.hasOwn(object, name)) continue
    const value = cut(object[name], kind, `${prefix}${name}`, problems)
    if (value !== object[name]) members = { ...members, [name]: value }
  }
  return members
}

function cutList(
  list: readonly unknown[],
  { entry, entrySchema, most = Infinity }: FieldKind & { kind: 'list' },
  path: string,
  problems: Problem[],
): readonly unknown[] {
  // A list that must be empty costs its schema nothing, and the schema has the better message.
  if (most > 0 && list.length > most) {
    problems.push({ path, message: `must have at most ${most} ${most === 1 ? 'entry' : 'entries'}` })
    return list.slice(0, 1)
  }
  const shorter = list.map((one, n) => cut(one, entry, `${path}[${n}]`, problems))
  const entries = shorter.some((one, n) => one !== list[n]) ? shorter : list
  if (entries.length <= LONG) return entries
  let bad = 0
  const end = entries.findIndex((one) => {
    if (!z.safeParse(entrySchema, one).success) bad += 1
    return bad === MOST_BAD_ENTRIES
  })
  return end === -1 ? entries : entries.slice(0, end + 1)
}
