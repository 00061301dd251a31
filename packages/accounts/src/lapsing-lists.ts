import {
  PAGES,
  type AnyAgent,
  type LinkedResource,
  type NewestResource,
  type NextPage,
} from '@vidimus/core-types'
import type { StatusListDelivery, StatusListTypeFacts } from '@vidimus/core-types'

/** A published list that nobody can sign again once its publisher's keys are gone. */
export interface LapsingList {
  did: string
  statusListName: string
  /** until when verifiers take it, ISO 8601 */
  validUntil: string
}

/**
 * Status lists that state until when they are valid, and whether these are all.
 *
 * @param dids - their publishers
 * @param mostRead - lists and publishers that are looked at; default: all
 */
export async function lapsingLists(
  agent: AnyAgent,
  dids: AsyncIterable<string>,
  mostRead = Infinity,
): Promise<{ lists: LapsingList[]; areAll: boolean }> {
  const types = await agent.execute<object, StatusListTypeFacts[]>('statusListTypes', {})
  const resourceTypes = types.flatMap((type) => type.resourceTypes)
  const lists: LapsingList[] = []
  let read = 0
  for await (const did of dids) {
    if (++read > mostRead) return { lists, areAll: false }
    for await (const { metadata } of newestLists(agent, did, resourceTypes)) {
      if (++read > mostRead) return { lists, areAll: false }
      const { resourceId, resourceName: statusListName } = metadata
      const validUntil = await findEnd(agent, did, resourceId)
      if (validUntil !== undefined) lists.push({ did, statusListName, validUntil })
    }
  }
  return { lists, areAll: true }
}

/** The newest version of each list of a publisher. */
export async function* newestLists(
  agent: AnyAgent,
  did: string,
  resourceTypes: readonly string[],
): AsyncGenerator<NewestResource> {
  for (let after: string | undefined; ;) {
    const args = { did, resourceTypes, limit: PAGES.most, ...(after !== undefined && { after }) }
    const { resources, next } = await agent.execute<object, { resources: NewestResource[] } & NextPage>(
      'linkedResourceListNewest',
      args,
    )
    yield* resources
    if (next === undefined) return
    after = next
  }
}

async function findEnd(agent: AnyAgent, did: string, resourceId: string): Promise<string | undefined> {
  const resource = await agent.execute<object, LinkedResource | null>('linkedResourceGet', {
    did,
    resourceId,
  })
  if (!resource) return undefined
  const { metadata, data } = resource
  const delivery = await agent.execute<object, StatusListDelivery | null>('statusListDelivery', {
    resourceType: metadata.resourceType,
    data,
  })
  return delivery?.validUntil
}
