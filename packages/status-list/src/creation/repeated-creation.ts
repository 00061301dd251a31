import { currentCaller, uuidOfMark, type StatusListLocation, type StatusListType } from '@vidimus/core-types'
import type { ReadingContext } from '../agent-context.js'
import { type DocumentedList } from '../versions/decoded-list.js'
import { listResourceName, type PublishedLists } from '../versions/published-lists.js'

/** The first version of the list that a request with an idempotency key creates. */
export interface OwnFirstVersion {
  /** the same in every run of the request: by it the list is known for its own */
  resourceId: string
  /** whether the request has run before */
  repeated: boolean
}

/** @returns `undefined` if the request in scope has no idempotency key */
export function ownFirstVersion(): OwnFirstVersion | undefined {
  const run = currentCaller()?.run
  return run && { resourceId: uuidOfMark(run.nextMark()), repeated: run.before !== undefined }
}

/** The current state of the list, if an earlier run of the same request created it. */
export async function createdEarlier(
  type: StatusListType,
  location: StatusListLocation,
  first: OwnFirstVersion | undefined,
  lists: PublishedLists,
  context: ReadingContext,
): Promise<DocumentedList | undefined> {
  if (!first?.repeated) return undefined
  const { did, resourceName, resourceType } = listResourceName(location)
  const version = await context.agent.linkedResourceGet({ did, resourceId: first.resourceId })
  const { metadata } = version ?? {}
  if (metadata?.resourceName !== resourceName || metadata.resourceType !== resourceType) return undefined
  const published = await lists.read(type, location, context)
  return published ? lists.documented(type, published, context) : undefined
}
