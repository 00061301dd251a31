import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleDid } from '../schemas/did.js'
import { exampleResourceMetadata, publisher, ResourceMetadata } from '../schemas/status-list.js'
import { pageFields, pageMembers } from '../schemas/page.js'
import { listTypesByResourceType } from './list-types.js'
import { withoutUndefined } from './without-undefined.js'

export const listStatusLists = defineOperation({
  id: 'list-status-lists',
  method: 'get',
  path: '/credential-status/list',
  tag: 'Status lists',
  summary: 'List the status lists of a DID',
  description: 'Each with its newest version, in the order of their names; whoever publishes them.',
  needs: ['linkedResourceListNewest', 'statusListTypes'],
  changes: false,
  query: z.strictObject({
    did: publisher(),
    ...pageFields('lists'),
  }),
  response: z
    .object({
      ...pageMembers,
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
  async run({ query: { did, ...range }, agent }) {
    const types = await listTypesByResourceType(agent)
    const resourceTypes = [...types.keys()]
    const request = { did, resourceTypes, ...withoutUndefined(range) }
    const { resources, ...page } = await agent.linkedResourceListNewest(request)
    return {
      ...page,
      statusLists: resources.map(({ versions, metadata }) => ({
        did,
        statusListName: metadata.resourceName,
        listType: types.get(metadata.resourceType),
        versions,
        resourceMetadata: metadata,
      })),
    }
  },
})
