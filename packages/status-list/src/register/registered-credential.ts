import {
  problemsError,
  type RegisteredEntry,
  type StatusListLocation,
  type StatusListStore,
  type StatusListType,
} from '@vidimus/core-types'
import type { WritingContext } from '../agent-context.js'
import type { LocatedEntry } from '../credentials/entries-of-credential.js'
import { meantEntry, PURPOSE_OF_ACTION, type MeantAction } from '../credentials/meant-entry.js'
import type { PublishedLists } from '../versions/published-lists.js'
import { ownList, type OwnList } from './own-lists.js'

/** Several credentials with the same id are ambiguous. */
const MOST_ENTRIES = 100

interface Sources {
  types: readonly StatusListType[]
  lists: PublishedLists
  store: StatusListStore | undefined
  context: WritingContext
}

/**
 * Finds the entry that an action on a credential of the register refers to, as for a presented one. The register
 * contains what this account has issued, so nothing needs to be verified.
 *
 * @throws AgentError `not_registered`, `invalid_input` if several entries are possible, and as {@link ownList}
 */
export async function registeredEntryToUpdate(
  credentialId: string,
  { action, listType }: MeantAction,
  { store, types, ...sources }: Sources,
): Promise<LocatedEntry & { encrypted: boolean }> {
  const page = { limit: MOST_ENTRIES, offset: 0 }
  const found = await store?.register.find({ credentialId }, page)
  if (!found || found.entries.length === 0) throw notRegistered()
  const asked = types.filter(({ type }) => listType === undefined || type === listType)
  return entryToApply(found.entries, { action, listType }, asked, (location) =>
    ownList(location, { ...sources, types: asked }),
  )
}

/**
 * The entry of a registered credential that an action refers to.
 *
 * @param types - those whose entries count
 * @param open - finds a list of the account in scope
 * @throws AgentError `invalid_credential`, `invalid_input` if several entries are possible, and what `open` throws
 */
export async function entryToApply(
  found: readonly RegisteredEntry[],
  { action, listType }: MeantAction,
  types: readonly StatusListType[],
  open: (location: StatusListLocation) => Promise<OwnList>,
): Promise<LocatedEntry & { encrypted: boolean }> {
  const known = found.filter(({ list }) => registeredType(list, types) !== undefined)
  const entries = await Promise.all(
    known.map(async ({ list: location, index, purpose: issuedFor }) => {
      const { type, list } = await open(location)
      const { purposes, encrypted } = list.layout
      const wanted = PURPOSE_OF_ACTION[action]
      const purpose = issuedFor ?? (purposes.includes(wanted) ? wanted : purposes[0])
      const entry = { type, index, location, listUrl: '', path: 'credentialId', encrypted }
      return { ...entry, ...(purpose !== undefined && { purpose }) }
    }),
  )
  return meantEntry(entries, action, listType, 'credentialId')
}

const registeredType = ({ resourceType }: StatusListLocation, types: readonly StatusListType[]) =>
  types.find((type) => type.resourceTypes().includes(resourceType))

export const notRegistered = () =>
  problemsError('not_registered', [
    { path: 'credentialId', message: 'the account has issued no credential with this id and a status entry' },
  ])
