import { isAgentError, problemsError, type AgentError, type StatusListType } from '@vidimus/core-types'
import type { ReadingContext } from '../agent-context.js'
import { listNotFound, purposeMismatch, type ListName, type LocatedList } from './list-location.js'
import { listUrl } from '../types/list-url.js'
import { newestVersions, type NewestVersions, type PublishedLists } from './published-lists.js'

/** All lists of one type under one name: of some types there is one for each purpose. */
export interface NamedLists {
  type: StatusListType
  /** at least one */
  located: readonly LocatedList[]
}

/** One purpose of a credential, and its list. */
export interface PurposeInList {
  purpose: string
  located: LocatedList
}

/**
 * Finds lists by their name, and the type by the lists that exist under that name.
 *
 * @param types - to search: all configured ones, or the one that the caller named
 * @param purposes - requested by the caller; decides between types that both have lists of this name
 * @throws AgentError `list_not_found`; `invalid_input`, its detail at the path `listType`, if several types have one
 */
export async function listsOfName(
  types: readonly StatusListType[],
  name: ListName,
  purposes: readonly string[],
  lists: PublishedLists,
  context: ReadingContext,
): Promise<NamedLists> {
  const resourceTypes = [...new Set(types.flatMap((type) => type.resourceTypes()))]
  const newest = await newestVersions(name, resourceTypes, types, context)
  const existing = await Promise.allSettled(
    types.map(async (type) => ({ type, located: await listsOfType(type, name, newest, lists, context) })),
  )
  const found = existing
    .flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    .filter(({ located }) => located.length > 0)
  // types may share a resource type; the one that cannot read a list of the other has none of that name
  const unread = existing.find(
    (outcome) => outcome.status === 'rejected' && (found.length === 0 || !isMalformed(outcome.reason)),
  )
  if (unread?.status === 'rejected') throw unread.reason
  const fitting = found.filter(({ located }) =>
    purposes.every((purpose) => located.some(({ list }) => list.layout.purposes.includes(purpose))),
  )
  const chosen = onlyType(fitting.length > 0 ? fitting : found, name)
  if (!chosen) throw notFound(types, name)
  return chosen
}

/**
 * The one type that has lists of a name.
 *
 * @throws AgentError `invalid_input`, its detail at the path `listType`, if several have
 */
export function onlyType<Found extends { type: StatusListType }>(
  found: readonly Found[],
  { statusListName }: ListName,
): Found | undefined {
  if (found.length <= 1) return found[0]
  const named = found.map(({ type }) => type.type).join(', ')
  const message = `is required, as lists of several types are named "${statusListName}": ${named}`
  throw problemsError('invalid_input', [{ path: 'listType', message }])
}

/**
 * The list for each of the requested purposes; without any, the only purpose that exists.
 *
 * @throws AgentError `purpose_mismatch`; `invalid_input` if there are several; both with a detail at the path
 *   `statusPurpose`
 */
export function listsForPurposes(
  { type, located }: NamedLists,
  name: ListName,
  purposes: readonly string[],
): PurposeInList[] {
  const available = located.flatMap((one) =>
    one.list.layout.purposes.map((purpose) => ({ purpose, located: one })),
  )
  if (purposes.length > 0) {
    return [...new Set(purposes)].map((wanted) => {
      const found = available.find(({ purpose }) => purpose === wanted)
      if (found) return found
      throw purposeMismatch(
        name,
        wanted,
        available.map(({ purpose }) => purpose),
      )
    })
  }
  const [first, ...others] = available
  if (first && (others.length === 0 || (located.length === 1 && !entriesHavePurposes(type, first)))) {
    return [first]
  }
  const message = `is required, as the list has several: ${available.map(({ purpose }) => purpose).join(', ')}`
  throw problemsError('invalid_input', [{ path: 'statusPurpose', message }])
}

/** Whether the entries of a type name their purpose. */
const entriesHavePurposes = (type: StatusListType, { purpose, located }: PurposeInList): boolean =>
  type.readEntry(
    type.entry(located.list.layout, { ...located.location, url: listUrl(located.location) }, 0, purpose),
  ).purpose !== undefined

async function listsOfType(
  type: StatusListType,
  name: ListName,
  newest: NewestVersions,
  lists: PublishedLists,
  context: ReadingContext,
): Promise<LocatedList[]> {
  const { did, statusListName } = name
  const read = await Promise.all(
    type.resourceTypes().map(async (resourceType) => {
      const location = { did, statusListName, resourceType }
      const published = await lists.readNewest(type, location, newest, context)
      return published && { ...published, location }
    }),
  )
  return read.filter((one) => one !== null)
}

const isMalformed = (error: unknown): boolean => isAgentError(error) && error.code === 'malformed_list'

function notFound(types: readonly StatusListType[], name: ListName): AgentError {
  const [only, ...others] = types
  if (only && others.length === 0) return listNotFound(only, name)
  const message = `"${name.did}" has published no status list "${name.statusListName}"`
  return problemsError('list_not_found', [{ path: 'statusListName', message }])
}
