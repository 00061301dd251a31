import { AgentError } from '@vidimus/core-types'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { token } from '../schemas/primitives.js'
import {
  exampleResourceMetadata,
  listType,
  publisher,
  ResourceMetadata,
  statusListName,
} from '../schemas/status-list.js'
import { listVersionsOf } from './list-versions-of.js'

const MOST_PER_PAGE = 1000

export const statusListVersions = defineOperation({
  id: 'status-list-versions',
  method: 'get',
  path: '/credential-status/versions',
  tag: 'Status lists',
  summary: 'List the versions of a status list',
  description:
    'Newest first, whoever publishes it. `GET /1.0/identifiers/{did}/resources/{resourceId}` reads one.',
  needs: ['linkedResourceList', 'statusListTypes'],
  changes: false,
  query: z.strictObject({
    did: publisher(),
    statusListName: statusListName(),
    listType: listType(),
    resourceType: token('Of a type with a list for each purpose: which of them', [
      'StatusList2021Revocation',
      'StatusList2021Suspension',
    ]).optional(),
    page: z.int().min(1).max(1_000_000).default(1).meta({ description: 'From 1 on' }),
    limit: z.int().min(1).max(MOST_PER_PAGE).default(100).meta({ description: 'Versions on a page' }),
  }),
  response: z
    .object({
      total: z.int().meta({ description: 'All of them, on every page' }),
      versions: z.array(ResourceMetadata),
    })
    .meta({ id: 'StatusListVersions' }),
  responseExample: { total: 1, versions: [{ ...exampleResourceMetadata, previousVersionId: null }] },
  notFound: ['list_not_found', 'did_not_found'],
  async run({ query, agent }) {
    const { did, page, limit } = query
    const lists = (await listVersionsOf(did, agent)).filter(
      ({ statusListName, listType, resourceType }) =>
        statusListName === query.statusListName &&
        listType === query.listType &&
        (query.resourceType === undefined || resourceType === query.resourceType),
    )
    if (lists.length === 0) throw noSuchList(query)
    const versions = lists.flatMap((list) => list.versions.toReversed())
    return { total: versions.length, versions: versions.slice((page - 1) * limit, page * limit) }
  },
})

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
