import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleDid } from '../schemas/did.js'
import { exampleResourceMetadata, publisher, ResourceMetadata } from '../schemas/status-list.js'
import { listVersionsOf } from './list-versions-of.js'

const MOST_PER_PAGE = 1000

export const listStatusLists = defineOperation({
  id: 'list-status-lists',
  method: 'get',
  path: '/credential-status/list',
  tag: 'Status lists',
  summary: 'List the status lists of a DID',
  description: 'Each with its newest version, in the order of their names; whoever publishes them.',
  needs: ['linkedResourceList', 'statusListTypes'],
  changes: false,
  query: z.strictObject({
    did: publisher(),
    page: z.int().min(1).max(1_000_000).default(1).meta({ description: 'From 1 on' }),
    limit: z.int().min(1).max(MOST_PER_PAGE).default(100).meta({ description: 'Lists on a page' }),
  }),
  response: z
    .object({
      total: z.int().meta({ description: 'All of them, on every page' }),
      statusLists: z.array(
        z
          .object({
            did: z.string().meta({ description: 'Publisher of the list' }),
            statusListName: z.string(),
            listType: z.string(),
            versions: z.int().meta({ description: 'How many there are' }),
            resourceMetadata: ResourceMetadata,
          })
          .meta({ id: 'ListedStatusList' }),
      ),
    })
    .meta({ id: 'StatusLists' }),
  responseExample: {
    total: 1,
    statusLists: [
      {
        did: exampleDid,
        statusListName: 'my-list',
        listType: 'StatusList2021',
        versions: 2,
        resourceMetadata: exampleResourceMetadata,
      },
    ],
  },
  notFound: ['did_not_found'],
  async run({ query: { did, page, limit }, agent }) {
    const lists = await listVersionsOf(did, agent)
    return {
      total: lists.length,
      statusLists: lists
        .slice((page - 1) * limit, page * limit)
        .map(({ statusListName, listType, versions, newest }) => ({
          did,
          statusListName,
          listType,
          versions: versions.length,
          resourceMetadata: newest,
        })),
    }
  },
})
