import { isDeepStrictEqual } from 'node:util'
import type { IIdentifier } from '@veramo/core-types'
import type { WritableIdentifier } from './identifier-writes.js'

/**
 * What a call has changed of a DID, in what others have made of it meanwhile: the ledger has taken both changes already,
 * so that neither may be refused or lost. The alias, which no document has, is theirs.
 *
 * @param base - what the call has read before it made `next` of it
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
