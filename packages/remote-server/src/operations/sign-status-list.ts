import { StatusListSignArgs } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleDid } from '../schemas/did.js'
import { exampleResource, exampleResourceMetadata, listName, SignListResult } from '../schemas/status-list.js'
import { withoutUndefined } from './without-undefined.js'

const taken = StatusListSignArgs.shape

export const signStatusList = defineOperation({
  id: 'sign-status-list',
  method: 'post',
  path: '/credential-status/sign',
  tag: 'Status lists',
  summary: 'Sign a status list again',
  description: [
    'Publishes an unchanged version, signed with the current key of the DID; a list with `validUntil` is valid',
    'for the same period again. Lists with a `validUntil` are automatically signed again when a third of',
    'that period is left, and those of a DID whose key is rotated are signed with the new one.',
  ].join('\n'),
  needs: ['statusListSign'],
  changes: true,
  mayCost: true,
  withoutResource: true,
  query: z.strictObject({ listType: listName.listType, statusPurpose: taken.statusPurpose }),
  body: z.strictObject({
    did: listName.did,
    statusListName: listName.statusListName,
    statusListVersion: taken.statusListVersion,
    onlyOtherKeys: taken.onlyOtherKeys,
  }),
  response: SignListResult,
  responseExample: {
    signed: true,
    resource: exampleResource,
    resourceMetadata: exampleResourceMetadata,
  },
  examples: [
    {
      summary: 'After a change of keys',
      query: { listType: 'BitstringStatusList' },
      body: { did: exampleDid, statusListName: 'my-list' },
    },
  ],
  run: ({ query, body, agent }) => agent.statusListSign(withoutUndefined({ ...query, ...body })),
})
