import {
  asListName,
  asDid,
  type StatusListName,
  type Did,
  AgentError,
  problemsError,
  type StatusListLocation,
  type StatusListType,
} from '@vidimus/core-types'
import type { ReadingContext } from '../agent-context.js'
import { type PublishedList } from './decoded-list.js'
import { newestVersions, type PublishedLists } from './published-lists.js'

/** A list as callers name it. */
export interface ListName {
  did: Did
  statusListName: StatusListName
}

/** The list of checked arguments. */
export const listNamed = ({ did, statusListName }: { did: string; statusListName: string }): ListName => ({
  did: asDid(did),
  statusListName: asListName(statusListName),
})

export interface LocatedList extends PublishedList {
  location: StatusListLocation
}

/** Whether two locations are those of the same list. */
export const isSameList = (one: StatusListLocation | undefined, other: StatusListLocation): boolean =>
  one?.did === other.did &&
  one.statusListName === other.statusListName &&
  one.resourceType === other.resourceType

/**
 * The first of these resources that exists.
 *
 * @throws AgentError `list_not_found`, its detail at the path `statusListName`
 */
export async function readFirst(
  type: StatusListType,
  name: ListName,
  resourceTypes: readonly string[],
  lists: PublishedLists,
  context: ReadingContext,
): Promise<LocatedList> {
  const newest = await newestVersions(name, resourceTypes, [type], context)
  for (const resourceType of resourceTypes) {
    const location = { ...name, resourceType }
    const published = await lists.readNewest(type, location, newest, context)
    if (published) return { ...published, location }
  }
  throw listNotFound(type, name)
}

/**
 * The list with a purpose.
 *
 * @throws AgentError `purpose_mismatch`, its detail at the path `statusPurpose`, if a list of that name only has
 *   others; `list_not_found`
 */
export async function readForPurpose(
  type: StatusListType,
  name: ListName,
  purpose: string,
  lists: PublishedLists,
  context: ReadingContext,
): Promise<LocatedList> {
  const candidates = type.resourceTypes(purpose)
  let located: LocatedList
  try {
    located = await readFirst(type, name, candidates, lists, context)
  } catch (error) {
    if (!isListNotFound(error) || !(await existsElsewhere(type, name, candidates, context))) throw error
    throw purposeMismatch(name, purpose)
  }
  const { purposes } = located.list.layout
  if (!purposes.includes(purpose)) throw purposeMismatch(name, purpose, purposes)
  return located
}

export const listNotFound = (type: StatusListType, { did, statusListName }: ListName): AgentError =>
  problemsError('list_not_found', [
    { path: 'statusListName', message: `"${did}" has published no ${type.type} "${statusListName}"` },
  ])

async function existsElsewhere(
  type: StatusListType,
  name: ListName,
  candidates: readonly string[],
  context: ReadingContext,
): Promise<boolean> {
  const others = type.resourceTypes().filter((resourceType) => !candidates.includes(resourceType))
  if (others.length === 0) return false
  const { resources } = await newestVersions(name, others, [], context)
  return resources.length > 0
}

const isListNotFound = (error: unknown): boolean =>
  error instanceof AgentError && error.code === 'list_not_found'

export function purposeMismatch(
  { statusListName }: ListName,
  purpose: string,
  has?: readonly string[],
): AgentError {
  const instead = has ? `, but ${has.join(', ')}` : ''
  const message = `the list "${statusListName}" does not have the purpose ${purpose}${instead}`
  return problemsError('purpose_mismatch', [{ path: 'statusPurpose', message }])
}
