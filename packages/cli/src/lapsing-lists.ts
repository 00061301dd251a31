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
 * Status lists that state until when they are valid.
 *
 * @param dids - their publishers
 */
export async function lapsingLists(agent: AnyAgent, dids: AsyncIterable<string>): Promise<LapsingList[]> {
  const types = await agent.execute<object, StatusListTypeFacts[]>('statusListTypes', {})
  const resourceTypes = types.flatMap((type) => type.resourceTypes)
  const lapsing: LapsingList[] = []
  for await (const did of dids) {
    for await (const { metadata } of newestLists(agent, did, resourceTypes)) {
      const { resourceId, resourceName: statusListName } = metadata
      const validUntil = await findEnd(agent, did, resourceId)
      if (validUntil !== undefined) lapsing.push({ did, statusListName, validUntil })
    }
  }
  return lapsing
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
