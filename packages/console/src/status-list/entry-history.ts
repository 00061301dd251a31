/** A version of a list with its values. */
export interface VersionValues {
  resourceId: string
  created: string
  values: Uint8Array
}

/** A change of an entry. */
export interface EntryChange {
  resourceId: string
  created: string
  before: number | undefined
  after: number
}

/**
 * The changes of an entry, newest first.
 *
 * @param versions - newest first, without a gap
 * @param complete - whether the last one is the very first version
 */
export function entryHistory(
  versions: readonly VersionValues[],
  index: number,
  complete: boolean,
): EntryChange[] {
  const changes: EntryChange[] = []
  versions.forEach(({ resourceId, created, values }, n) => {
    const after = values[index]
    if (after === undefined) return
    const older = versions[n + 1]
    const before = older?.values[index]
    if (older ? before !== after : complete) changes.push({ resourceId, created, before, after })
  })
  return changes
}
