import { problemsError, type NextPage, type Total } from '@vidimus/core-types'
import { pageEnd, StatusListFacts } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleDid } from '../schemas/did.js'
import {
  answeredAddresses,
  exampleListId,
  exampleResourceMetadata,
  ResourceMetadata,
  listAddresses,
  listName,
} from '../schemas/status-list.js'
import { pageFields } from '../schemas/page.js'
import type { ServiceAgent } from '../service-agent.js'
import { accountStatusLists } from './account-status-lists.js'
import { listTypesByResourceType } from './list-types.js'
import { listsOfSeries, withFacts, type ListedWithFacts } from './series-members.js'
import { mustBeThere } from './resolved-document.js'
import { withoutUndefined } from './without-undefined.js'

const Query = z.strictObject({
  did: listName.did.optional(),
  series: listName.statusListName
    .optional()
    .meta({ description: 'With a `did`: only the members of this series, newest first, without `page`' }),
  ...pageFields('lists'),
})

const ListedStatusList = z
  .object({
    did: z.string().meta({ description: 'Publisher of the list' }),
    statusListName: z.string(),
    ...listAddresses,
    listType: z.string(),
    ...StatusListFacts.pick({ allocated: true, entries: true, member: true }).shape,
    versions: z.int().meta({ description: 'How many there are' }),
    resourceMetadata: ResourceMetadata,
  })
  .meta({ id: 'ListedStatusList' })

const example = {
  did: exampleDid,
  statusListName: 'my-list',
  statusListId: exampleListId,
  listType: 'StatusList2021',
  allocated: 1501,
  entries: 131_072,
  versions: 2,
  resourceMetadata: exampleResourceMetadata,
}

export const listStatusLists = defineOperation({
  id: 'list-status-lists',
  method: 'get',
  path: '/credential-status/list',
  tag: 'Status lists',
  summary: 'List the status lists of a DID, or of the account',
  description: [
    'Each with its newest version, ordered by name. With a `did`, those that it publishes, whoever holds it. Without',
    'one, those of all DIDs of the account, ordered by DID: browse these pages only with `after`; they may be',
    'shorter than `limit`, or even empty, while there is a `next`. Their `total` is the number that the account has created, as its quota',
    'counts them; with `totalIsExact: false` there may be more on networks outside of this installation. With a',
    '`series` of a DID of the account, its members. Lists of DIDs of the account state how full they are.',
  ].join('\n'),
  needs: ['linkedResourceListNewest', 'statusListTypes', 'accountDidList', 'resolveDid'],
  changes: false,
  query: Query,
  response: z
    .object({
      ...pageEnd,
      statusLists: z.array(ListedStatusList),
      records: z.array(ListedStatusList).meta({ description: 'The same as `statusLists`' }),
    })
    .meta({ id: 'StatusLists' }),
  responseExample: {
    total: 1,
    statusLists: [example],
    records: [example],
  },
  notFound: ['did_not_found', 'list_not_found'],
  async run({ query, agent, settings }) {
    const types = await listTypesByResourceType(agent)
    const { lists, ...page } = await requestedLists(agent, [...types.keys()], query)
    const statusLists = lists.map(({ did, versions, metadata, facts }) => ({
      did,
      statusListName: metadata.resourceName,
      ...answeredAddresses(did, metadata, settings),
      listType: types.get(metadata.resourceType),
      ...facts,
      versions,
      resourceMetadata: metadata,
    }))
    return { ...page, statusLists, records: statusLists }
  },
})

async function requestedLists(
  agent: ServiceAgent,
  resourceTypes: readonly string[],
  { series: statusListName, ...query }: z.output<typeof Query>,
): Promise<Total & NextPage & { lists: ListedWithFacts[] }> {
  if (statusListName === undefined) {
    const { lists, ...page } = await publishedLists(agent, resourceTypes, query)
    return { ...page, lists: await withFacts(agent, lists) }
  }
  const { did, page, after, limit } = query
  if (did === undefined) throw problemsError('invalid_input', [{ path: 'did', message: NEEDED }])
  if (page !== undefined) throw problemsError('invalid_input', [{ path: 'page', message: NO_PAGE }])
  return listsOfSeries(agent, { did, statusListName, limit, ...withoutUndefined({ after }) })
}

const NEEDED = 'is required with series'
const NO_PAGE = 'must be omitted with series; continue with "after"'

async function publishedLists(
  agent: ServiceAgent,
  resourceTypes: readonly string[],
  { did, ...range }: Omit<z.output<typeof Query>, 'series'>,
) {
  if (did === undefined) {
    const { isWhole, lists, ...next } = await accountStatusLists(agent, resourceTypes, range)
    const total = isWhole ? { total: lists.length } : await totalOfAccount(agent, lists.length)
    return { ...total, lists, ...next }
  }
  const request = { did, resourceTypes: [...resourceTypes], ...withoutUndefined(range) }
  const { resources, ...page } = await agent.linkedResourceListNewest(request)
  if (page.total === 0) await mustBeThere(agent, did)
  return { ...page, lists: resources.map((resource) => ({ did, ...resource })) }
}

/** Counted as lists are created, so that one page does not query every DID. */
async function totalOfAccount(agent: ServiceAgent, shown: number): Promise<Total> {
  const methods = agent.availableMethods()
  const isCounted = ['accountUsage', 'cheqdNetworks'].every((method) => methods.includes(method))
  if (!isCounted) return { total: shown, totalIsExact: false }
  const [usage, networks] = await Promise.all([agent.accountUsage(), listNetworks(agent)])
  const made = usage.statusLists.used
  const isExact = made >= shown && networks.every(({ local }) => local)
  return { total: Math.max(made, shown), ...(!isExact && { totalIsExact: false as const }) }
}

const listNetworks = (agent: ServiceAgent) => agent.execute<object, { local: boolean }[]>('cheqdNetworks', {})
