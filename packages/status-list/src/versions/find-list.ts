import { isAgentError, type StatusListLocation, type StatusListType } from '@vidimus/core-types'
import type { ReadingContext } from '../agent-context.js'
import type { LocatedList } from './list-location.js'
import type { PublishedLists } from './published-lists.js'

/** A list with its type. */
export interface FoundList {
  type: StatusListType
  located: LocatedList
}

/** The list at a location, of the first type that can read it. */
export async function findList(
  location: StatusListLocation,
  { types, lists }: { types: readonly StatusListType[]; lists: PublishedLists },
  context: ReadingContext,
): Promise<FoundList | undefined> {
  for (const type of types.filter((one) => one.resourceTypes().includes(location.resourceType))) {
    try {
      const published = await lists.read(type, location, context)
      if (published) return { type, located: { ...published, location } }
    } catch (error) {
      // types may share a resource type
      if (!isAgentError(error) || error.code !== 'malformed_list') throw error
    }
  }
  return undefined
}
