import {
  AgentError,
  isJsonObject,
  type StatusListEntry,
  type StatusListLayout,
  type StatusListLocation,
  type StatusListType,
} from '@vidimus/core-types'
import type { ListAddresses } from '../addresses/list-addresses.js'
import { widthConflict } from '../versions/decoded-list.js'

/** A status entry of a configured type, read from a credential. */
export interface KnownEntry extends StatusListEntry {
  type: StatusListType
  /** `credentialStatus`, `credentialStatus[1]` or `status` */
  path: string
}

/** One that names a list which may be published here. */
export interface LocatedEntry extends KnownEntry {
  location: StatusListLocation
}

/**
 * Reads the status entries of a credential whose types are configured; others are omitted.
 *
 * @throws AgentError `invalid_credential` for one that cannot be read
 */
export function knownEntries(
  credential: { credentialStatus?: unknown; status?: unknown },
  types: readonly StatusListType[],
): KnownEntry[] {
  const { credentialStatus, status } = credential
  const listed = Array.isArray(credentialStatus)
  const entries: unknown[] = listed ? credentialStatus : [credentialStatus]
  const read = entries.flatMap((entry, n) => {
    const type = types.find((one) => isEntryOf(one, entry))
    if (!type || !isJsonObject(entry)) return []
    return [{ ...type.readEntry(entry), type, path: listed ? `credentialStatus[${n}]` : 'credentialStatus' }]
  })
  const ofStatus = types.filter(
    ({ entryMember, entryType }) =>
      entryMember === 'status' && isJsonObject(status) && Object.hasOwn(status, entryType),
  )
  return [
    ...read,
    ...ofStatus.map((type) => ({
      ...type.readEntry(isJsonObject(status) ? status : {}),
      type,
      path: 'status',
    })),
  ]
}

/**
 * The entry with the location of its list, or `undefined` for a list that is not a DID-Linked Resource of its type.
 */
export async function locatedEntry(
  entry: KnownEntry,
  addresses: ListAddresses,
): Promise<LocatedEntry | undefined> {
  const location = await addresses.locate(entry.listUrl)
  if (!location || !entry.type.resourceTypes().includes(location.resourceType)) return undefined
  return { ...entry, location }
}

/**
 * Makes sure that an entry fits the list that it names.
 *
 * @throws AgentError `purpose_mismatch`, `invalid_credential`
 */
export function demandFit({ purpose, statusSize }: StatusListEntry, layout: StatusListLayout): void {
  if (purpose !== undefined && !layout.purposes.includes(purpose)) {
    const message = `the list is for ${layout.purposes.join(', ')}, not ${purpose}`
    throw new AgentError('purpose_mismatch', message)
  }
  // What is written here has the width of the list, even if the list does not state it.
  const conflict = widthConflict({ statusSize: layout.statusSize }, statusSize)
  if (conflict !== undefined) {
    throw new AgentError('invalid_credential', `the entry has a statusSize of ${conflict}`)
  }
}

const isEntryOf = ({ entryMember, entryType }: StatusListType, entry: unknown): boolean =>
  entryMember !== 'status' && isJsonObject(entry) && [entry.type].flat().includes(entryType)
