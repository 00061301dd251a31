import { isAgentError, readMemberName, type NewestResource, type StatusListMember } from '@vidimus/core-types'
import type { ServiceAgent } from '../service-agent.js'

export interface Listed extends NewestResource {
  did: string
}

export interface ListedMember extends Listed {
  member?: StatusListMember
}

/** Lists of the account with what they are in a series; absent if they are in none. */
export async function withMemberships(
  agent: ServiceAgent,
  lists: readonly Listed[],
): Promise<ListedMember[]> {
  const named = lists.filter(({ metadata }) => readMemberName(metadata.resourceName))
  if (named.length === 0 || !agent.availableMethods().includes('statusListMemberships')) return [...lists]
  const members = new Map<string, StatusListMember>()
  for (const did of new Set(named.map((list) => list.did))) {
    const ofDid = named.filter((list) => list.did === did)
    for (const member of await membersOfDid(agent, did, ofDid)) {
      members.set(placeInDid(did, member.statusListName, member.resourceType), member)
    }
  }
  return lists.map((list) => {
    const { resourceName, resourceType } = list.metadata
    const member = members.get(placeInDid(list.did, resourceName, resourceType))
    return member ? { ...list, member } : list
  })
}

/** The newest version of each member of a series. */
export async function listsOfSeries(
  agent: ServiceAgent,
  { did, ...request }: { did: string; statusListName: string; limit: number; after?: string },
): Promise<{ lists: ListedMember[]; total: number; next?: string }> {
  const { members, series, ...next } = await agent.statusListMembers({ did, ...request })
  const lists = await Promise.all(
    members.map(async (member) => {
      const { statusListName: resourceName, resourceType } = member
      const name = { did, resourceName, resourceType }
      const { versions, total } = await agent.linkedResourceListVersions({ ...name, limit: 1 })
      const [metadata] = versions
      return metadata ? [{ did, versions: total, metadata, member }] : []
    }),
  )
  return { lists: lists.flat(), total: series.reduce((sum, one) => sum + one.members, 0), ...next }
}

async function membersOfDid(agent: ServiceAgent, did: string, lists: readonly Listed[]) {
  try {
    const named = lists.map(({ metadata: { resourceName, resourceType } }) => ({
      statusListName: resourceName,
      resourceType,
    }))
    return (await agent.statusListMemberships({ did, lists: named })).members
  } catch (error) {
    // What is published may be listed by everybody.
    if (isAgentError(error) && NOT_HELD.has(error.code)) return []
    throw error
  }
}

const NOT_HELD: ReadonlySet<string> = new Set(['did_not_found', 'key_not_found', 'did_deactivated'])

const placeInDid = (...parts: [did: string, name: string, resourceType: string]): string =>
  JSON.stringify(parts)
