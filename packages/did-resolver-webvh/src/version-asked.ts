/** The requested version of a DID document; by default the newest. */
export interface VersionAsked {
  versionId?: string
  versionTime?: Date
  versionNumber?: number
}

/**
 * The version in the query of a DID URL.
 *
 * @returns `undefined` if a value cannot be that of any version, or if several request different ones
 * @see DID Resolution section 4.1, and The did:webvh DID Method v1.0, "Read (Resolve)"
 */
export function versionAsked(query = ''): VersionAsked | undefined {
  const parameters = new URLSearchParams(query)
  const asked: VersionAsked = {}
  const [id, time, number] = ['versionId', 'versionTime', 'versionNumber'].map((name) => parameters.get(name))
  if (id) asked.versionId = id
  if (time) asked.versionTime = new Date(time)
  if (number) asked.versionNumber = Number(number)
  const isPossible =
    !Number.isNaN(asked.versionTime?.getTime() ?? 0) && Number.isSafeInteger(asked.versionNumber ?? 1)
  return isPossible && Object.keys(asked).length < 2 ? asked : undefined
}
