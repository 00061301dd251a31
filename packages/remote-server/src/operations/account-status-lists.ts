import {
  countWithin,
  isAgentError,
  PAGES,
  placeText,
  problemsError,
  readPlace,
  type NewestResource,
} from '@vidimus/core-types'
import type { ServiceAgent } from '../service-agent.js'

/** DIDs of an account checked for one page: each takes a query to its ledger. */
const DIDS_LOOKED_AT = 100
/** The DIDs that can publish, which are adjacent in the order of DIDs. */
const PUBLISHERS = 'did:cheqd:'

interface PublishedList extends NewestResource {
  did: string
}

/** Where the next page begins: after a DID, or within its lists. */
interface Place {
  /** all DIDs before it were checked, and it was too if `within` is absent */
  did: string
  within?: string
}

/**
 * The status lists of all DIDs of the account, in the order of the DIDs, page by page, as published on the ledgers,
 * including lists created elsewhere.
 *
 * @returns `isWhole`: this page contains everything
 * @throws AgentError `invalid_input`, and errors of the ledgers
 */
export async function accountStatusLists(
  agent: ServiceAgent,
  resourceTypes: readonly string[],
  { limit, page, after }: { limit: number; page?: number | undefined; after?: string | undefined },
): Promise<{ lists: PublishedList[]; next?: string; isWhole: boolean }> {
  if (page !== undefined && page !== 1) {
    const message = 'continues with "after", the "next" of the previous page, if no DID is given'
    throw problemsError('invalid_input', [{ path: 'page', message }])
  }
  const lists: PublishedList[] = []
  const start = after === undefined ? { did: PUBLISHERS } : parsePlace(after)
  const { place } = await collect(agent, { lists, limit, resourceTypes, start })
  return fitting(lists, place, after === undefined)
}

interface Collection {
  lists: PublishedList[]
  limit: number
  resourceTypes: readonly string[]
  start: Place
}

/** @returns `place`: where the next lists may be */
async function collect(
  agent: ServiceAgent,
  { lists, limit, resourceTypes, start }: Collection,
): Promise<{ place?: Place }> {
  const { dids, more } = await publishers(agent, start)
  let within = start.within
  for (const [n, did] of dids.entries()) {
    const request = {
      did,
      resourceTypes: [...resourceTypes],
      limit: limit - lists.length,
      ...(within !== undefined && { after: within }),
    }
    const { resources, next } = await readLists(agent, request)
    lists.push(...resources.map((resource) => ({ did, ...resource })))
    if (next !== undefined) return { place: { did, within: next } }
    within = undefined
    if (lists.length >= limit && (more || n + 1 < dids.length)) return { place: { did } }
  }
  const last = dids.at(-1)
  return more && last !== undefined ? { place: { did: last } } : {}
}

/** The next DIDs that may have lists. */
async function publishers(
  agent: ServiceAgent,
  { did, within }: Place,
): Promise<{ dids: string[]; more: boolean }> {
  const page = await agent.accountDidList({ limit: DIDS_LOOKED_AT, after: placeText([did]) })
  const listed = page.dids.map((held) => held.did).filter((held) => held.startsWith(PUBLISHERS))
  const more = page.next !== undefined && listed.length === page.dids.length
  return { dids: within === undefined ? listed : [did, ...listed], more }
}

/** The lists of a DID cannot be read if its network is no longer configured. */
async function readLists(
  agent: ServiceAgent,
  request: Parameters<ServiceAgent['linkedResourceListNewest']>[0],
): Promise<{ resources: NewestResource[]; next?: string }> {
  try {
    return await agent.linkedResourceListNewest(request)
  } catch (error) {
    if (isAgentError(error) && error.code === 'did_not_resolvable') return { resources: [] }
    throw error
  }
}

/** Limits the lists to the size of a response. */
function fitting(lists: PublishedList[], place: Place | undefined, isFirst: boolean) {
  const most = countWithin(lists, PAGES.bytes)
  const shown = lists.slice(0, most)
  const last = shown.at(-1)
  const cut = most < lists.length && last ? within(last) : place
  return {
    lists: shown,
    ...(cut && { next: placeText([cut.did, cut.within ?? '']) }),
    isWhole: isFirst && !cut,
  }
}

const within = ({ did, metadata }: PublishedList): Place => ({
  did,
  within: placeText([metadata.resourceName, metadata.resourceType]),
})

function parsePlace(after: string): Place {
  const [did = '', inside = ''] = readPlace(after, 2)
  return inside === '' ? { did } : { did, within: inside }
}
