import { StatusListTypeFacts } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'

export const statusListTypes = defineOperation({
  id: 'status-list-types',
  method: 'get',
  path: '/credential-status/types',
  tag: 'Status lists',
  summary: 'List the types of status lists',
  description: 'Those that are configured, with what lists of each type can have.',
  needs: ['statusListTypes'],
  changes: false,
  response: z
    .object({ types: z.array(StatusListTypeFacts.meta({ id: 'StatusListType' })) })
    .meta({ id: 'StatusListTypes' }),
  responseExample: {
    types: [
      {
        type: 'StatusList2021',
        entryType: 'StatusList2021Entry',
        purposes: ['revocation', 'suspension'],
        statusSizes: [1],
        resourceTypes: ['StatusList2021Revocation', 'StatusList2021Suspension'],
        defaultLength: 131_072,
        minLength: 131_072,
        embedsProofs: false,
      },
    ],
  },
  run: async ({ agent }) => ({ types: await agent.statusListTypes() }),
})
