import { AgentError, isAgentError, problemsError, type PageRequest } from '@vidimus/core-types'
import { pageEnd, word } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import type { ServiceAgent } from '../service-agent.js'
import { exampleResourceMetadata, listName, ResourceMetadata } from '../schemas/status-list.js'
import { pageFields } from '../schemas/page.js'
import { listTypesByResourceType } from './list-types.js'
import { withoutUndefined } from './without-undefined.js'

export const statusListVersions = defineOperation({
  id: 'status-list-versions',
  method: 'get',
  path: '/credential-status/versions',
  tag: 'Status lists',
  summary: 'List the versions of a status list',
  description:
    'Newest first, whoever publishes it. `GET /1.0/identifiers/{did}/resources/{resourceId}` reads one.',
  needs: ['linkedResourceListVersions', 'statusListTypes'],
  changes: false,
  query: z.strictObject({
    ...listName,
    resourceType: word('Purpose of the list, for types with one list per purpose', [
      'StatusList2021Revocation',
      'StatusList2021Suspension',
    ]).optional(),
    ...pageFields('versions'),
  }),
  response: z
    .object({
      ...pageEnd,
      versions: z.array(ResourceMetadata),
    })
    .meta({ id: 'StatusListVersions' }),
  responseExample: { total: 1, versions: [{ ...exampleResourceMetadata, previousVersionId: null }] },
  notFound: ['list_not_found', 'did_not_found'],
  async run({ query, agent }) {
    const { did, statusListName: resourceName, listType, resourceType: wanted, ...range } = query
    const ofType = [...(await listTypesByResourceType(agent))]
      .filter(([resourceType, type]) => type === listType && (wanted ?? resourceType) === resourceType)
      .map(([resourceType]) => resourceType)
    const found: VersionsPage[] = []
    for (const resourceType of ofType) {
      const request = { did, resourceName, resourceType, ...withoutUndefined(range) }
      found.push(...(await readVersions(request, agent)))
    }
    const [only, ...others] = found
    if (!only) throw noSuchList(query)
    return others.length === 0 ? only : together(found, ofType, range)
  },
})

type VersionsPage = Awaited<ReturnType<ServiceAgent['linkedResourceListVersions']>>

async function readVersions(
  request: Parameters<ServiceAgent['linkedResourceListVersions']>[0],
  agent: Pick<ServiceAgent, 'linkedResourceListVersions'>,
): Promise<VersionsPage[]> {
  try {
    return [await agent.linkedResourceListVersions(request)]
  } catch (error) {
    if (isAgentError(error) && error.code === 'resource_not_found') return []
    throw error
  }
}

/** Versions of several lists have no common order: they are returned together only if they fit one page. */
function together(
  pages: readonly VersionsPage[],
  resourceTypes: readonly string[],
  { page = 1, after, limit }: PageRequest & { limit: number },
): VersionsPage {
  const versions = pages.flatMap((one) => one.versions)
  const total = pages.reduce((sum, one) => sum + one.total, 0)
  if (page === 1 && after === undefined && total <= limit && versions.length === total)
    return { total, versions }
  const message = `is required, as there is one list per purpose: ${resourceTypes.join(', ')}`
  throw problemsError('invalid_input', [{ path: 'resourceType', message }])
}

function noSuchList({
  did,
  statusListName,
  listType,
}: Record<'did' | 'statusListName' | 'listType', string>) {
  const message = `"${did}" has published no ${listType} "${statusListName}"`
  return new AgentError('list_not_found', `statusListName: ${message}`, {
    details: [{ path: 'statusListName', message }],
  })
}
