/** Which version of a DID document is asked for; the newest, where it says nothing. */
export interface VersionAsked {
  versionId?: string
  versionTime?: Date
  versionNumber?: number
}

/**
 * What the query of a DID URL says about versions.
 *
 * @returns `undefined` if a value cannot be that of any version, or if several ask for different ones
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
