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
    'Publishes a version that says the same, signed with the key that signs for the DID now; a list with `validUntil` is valid',
    'for the same span from now on. Lists that say until when they are valid are signed again by themselves when a third of',
    'that span is left, and those of a DID whose key is rotated are signed by the new one.',
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
