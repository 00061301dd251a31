import type { VersionPage } from '@vidimus/ledger'

/** The chain has no pages in a meaningful order: its results are cut here. */
export function versionsPage<T>(
  all: readonly T[],
  { after, offset = 0, limit }: VersionPage,
  idOf: (one: T) => string,
): T[] {
  if (after === undefined) return all.slice(offset, offset + limit)
  const place = all.findIndex((one) => idOf(one) === after.toLowerCase())
  return place < 0 ? [] : all.slice(place + 1, place + 1 + limit)
}
