import { StatusListSearchArgs } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import {
  exampleListId,
  exampleResource,
  exampleResourceMetadata,
  listName,
  SearchListResult,
  withAddresses,
} from '../schemas/status-list.js'
import { withoutUndefined } from './without-undefined.js'

export const searchStatusList = defineOperation({
  id: 'search-status-list',
  method: 'get',
  path: '/credential-status/search',
  tag: 'Status lists',
  summary: 'Read a status list',
  description: [
    'The newest version of a list, whoever publishes it, and for its publisher how full it is. With the name of a series of',
    'the account: its newest member, and facts about the series.',
  ].join('\n'),
  needs: ['statusListSearch'],
  changes: false,
  query: z.strictObject({
    ...listName,
    statusPurpose: StatusListSearchArgs.shape.statusPurpose,
  }),
  response: SearchListResult,
  responseExample: {
    found: true,
    resource: exampleResource,
    resourceMetadata: exampleResourceMetadata,
    statusListId: exampleListId,
    allocated: 1501,
    entries: 131_072,
  },
  notFound: ['list_not_found', 'did_not_found', 'did_not_resolvable'],
  run: async ({ query, agent, settings }) =>
    withAddresses(query.did, await agent.statusListSearch(withoutUndefined(query)), settings),
})
