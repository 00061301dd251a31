interface Linked {
  previousVersionId: string
}

/**
 * Orders versions by their times, and several of one block by their links: none comes before the one that it follows.
 */
export function inOrderOfLinks<T extends Linked>(
  versions: readonly T[],
  { idOf, timeOf }: { idOf: (version: T) => string; timeOf: (version: T) => Date },
): T[] {
  const places = placesInChains(versions, idOf)
  const place = (version: T) => places.get(idOf(version)) ?? 0
  return [...versions].sort(
    (one, other) =>
      timeOf(one).getTime() - timeOf(other).getTime() ||
      place(one) - place(other) ||
      (idOf(one) < idOf(other) ? -1 : 1),
  )
}

/** How many versions come before each one. */
function placesInChains<T extends Linked>(
  versions: readonly T[],
  idOf: (version: T) => string,
): Map<string, number> {
  const places = new Map<string, number>()
  const followers = new Map<string, string>()
  const known = new Set(versions.map(idOf))
  for (const version of versions) {
    if (known.has(version.previousVersionId)) followers.set(version.previousVersionId, idOf(version))
    else places.set(idOf(version), 0)
  }
  for (const first of [...places.keys()]) {
    let next = followers.get(first)
    for (let place = 1; next !== undefined && !places.has(next); place++) {
      places.set(next, place)
      next = followers.get(next)
    }
  }
  return places
}
