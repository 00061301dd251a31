import { isAgentError, type NewestResource, type StatusListFacts } from '@vidimus/core-types'
import type { ServiceAgent } from '../service-agent.js'

export interface Listed extends NewestResource {
  did: string
}

/** With what only those are told who hold the DID. */
export interface ListedWithFacts extends Listed {
  facts?: Pick<StatusListFacts, 'allocated' | 'entries' | 'member'>
}

/** Lists with what the account may know of them; nothing of DIDs that it does not hold. */
export async function withFacts(agent: ServiceAgent, lists: readonly Listed[]): Promise<ListedWithFacts[]> {
  if (!agent.availableMethods().includes('statusListFacts')) return [...lists]
  const found: ListedWithFacts[] = []
  for (const did of new Set(lists.map((list) => list.did))) {
    const ofDid = lists.filter((list) => list.did === did)
    const known = await factsOfDid(agent, did, ofDid)
    found.push(...ofDid.map((list, n) => ({ ...list, ...(known[n] && { facts: known[n] }) })))
  }
  return found
}

/** The newest version of each member of a series. */
export async function listsOfSeries(
  agent: ServiceAgent,
  { did, ...request }: { did: string; statusListName: string; limit: number; after?: string },
): Promise<{ lists: ListedWithFacts[]; total: number; next?: string }> {
  const { members, series, ...next } = await agent.statusListMembers({ did, ...request })
  const lists = await Promise.all(
    members.map(async ({ statusListName: resourceName, resourceType }) => {
      const name = { did, resourceName, resourceType }
      const { versions, total } = await agent.linkedResourceListVersions({ ...name, limit: 1 })
      const [metadata] = versions
      return metadata ? [{ did, versions: total, metadata }] : []
    }),
  )
  const total = series.reduce((sum, one) => sum + one.members, 0)
  return { lists: await withFacts(agent, lists.flat()), total, ...next }
}

/** In the order of the lists; empty if the account does not hold the DID. */
async function factsOfDid(
  agent: ServiceAgent,
  did: string,
  lists: readonly Listed[],
): Promise<ListedWithFacts['facts'][]> {
  try {
    const named = lists.map(({ metadata: { resourceName, resourceType } }) => ({
      statusListName: resourceName,
      resourceType,
    }))
    const { lists: known } = await agent.statusListFacts({ did, lists: named })
    return known.map(({ statusListName: _, resourceType: __, ...facts }) => facts)
  } catch (error) {
    // What is published may be listed by everybody.
    if (isAgentError(error) && NOT_HELD.has(error.code)) return []
    throw error
  }
}

const NOT_HELD: ReadonlySet<string> = new Set(['did_not_found', 'key_not_found', 'did_deactivated'])
