import type { LinkedResourceMetadata } from '@vidimus/core-types'
import type { ServiceAgent } from '../service-agent.js'

/** A published status list with the metadata of its versions. */
export interface ListVersions {
  statusListName: string
  listType: string
  resourceType: string
  /** oldest first */
  versions: LinkedResourceMetadata[]
  newest: LinkedResourceMetadata
}

/**
 * The status lists of a DID, as the configured types know them, in the order of name and resource type. Other resources
 * are left out.
 */
export async function listVersionsOf(
  did: string,
  agent: Pick<ServiceAgent, 'linkedResourceList' | 'statusListTypes'>,
): Promise<ListVersions[]> {
  const types = await agent.statusListTypes()
  const typeOf = new Map(
    types.flatMap(({ type, resourceTypes }) => resourceTypes.map((resourceType) => [resourceType, type])),
  )
  const lists = new Map<string, ListVersions>()
  for (const metadata of await agent.linkedResourceList({ did })) {
    const { resourceName: statusListName, resourceType } = metadata
    const listType = typeOf.get(resourceType)
    if (listType === undefined) continue
    const key = JSON.stringify([statusListName, resourceType])
    const known = lists.get(key)
    const versions = known?.versions ?? []
    versions.push(metadata)
    lists.set(key, { statusListName, listType, resourceType, versions, newest: metadata })
  }
  return [...lists].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, list]) => list)
}
