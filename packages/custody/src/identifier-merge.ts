import { isDeepStrictEqual } from 'node:util'
import type { IIdentifier } from '@veramo/core-types'
import type { WritableIdentifier } from './identifier-writes.js'

/**
 * Merges the changes of a call into those that others have made to the DID meanwhile: the ledger has accepted both,
 * so that neither may be refused or lost. The alias, which no document contains, is that of the others.
 *
 * @param base - the state from which the call derived `next`
 */
export function mergeIdentifier(
  current: IIdentifier,
  base: IIdentifier,
  { alias: _, ...next }: WritableIdentifier,
): WritableIdentifier {
  return {
    ...next,
    keys: mergeList(current.keys, base.keys, next.keys, ({ kid }) => kid),
    services: mergeList(current.services, base.services, next.services, ({ id }) => id),
  }
}

function mergeList<T>(
  current: readonly T[],
  base: readonly T[],
  next: readonly T[],
  nameOf: (item: T) => string,
): T[] {
  const named = (items: readonly T[]) => new Map(items.map((item) => [nameOf(item), item]))
  const [before, after] = [named(base), named(next)]
  const merged = named(current)
  for (const name of before.keys()) if (!after.has(name)) merged.delete(name)
  for (const [name, item] of after) {
    if (!isDeepStrictEqual(before.get(name), item)) merged.set(name, item)
  }
  return [...merged.values()]
}
