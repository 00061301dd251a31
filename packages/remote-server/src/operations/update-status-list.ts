import { StatusListUpdateArgs } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleDid } from '../schemas/did.js'
import {
  exampleResource,
  exampleResourceMetadata,
  indices,
  listName,
  UpdateListResult,
} from '../schemas/status-list.js'
import { withoutUndefined } from './without-undefined.js'

/** For every update, of encrypted lists or not. */
export const updateQuery = z.strictObject({
  listType: listName.listType,
  statusAction: StatusListUpdateArgs.shape.statusAction,
})
export const updateFields = {
  did: listName.did,
  statusListName: listName.statusListName,
  indices: indices(StatusListUpdateArgs.shape.indices.in),
  statusListVersion: StatusListUpdateArgs.shape.statusListVersion,
  publication: StatusListUpdateArgs.shape.publication,
  receipt: StatusListUpdateArgs.shape.receipt,
}

export const updateStatusList = defineOperation({
  id: 'update-status-list',
  method: 'post',
  path: '/credential-status/update/unencrypted',
  tag: 'Status lists',
  summary: 'Update an unencrypted status list',
  description: [
    'Sets the status of entries of a list that the account publishes. The call is applied completely or not at all;',
    'retrying is safe. `revoke` is final. Besides `revoke`, `suspend` and `reinstate`, a',
    'state of the list may be given by its message, its value (`0x3`) or its decimal value (`3`). A list with',
    '`publishEvery` stores the change and publishes it at its next beat, `visibleFrom`; at once with `receipt` or a',
    '`statusListVersion`.',
  ].join('\n'),
  needs: ['statusListUpdate'],
  changes: true,
  mayCost: true,
  withoutResource: true,
  query: updateQuery,
  body: z.strictObject(updateFields),
  response: UpdateListResult,
  responseExample: {
    updated: true,
    changed: [0, 94567],
    revoked: true,
    resource: exampleResource,
    resourceMetadata: exampleResourceMetadata,
  },
  examples: [
    {
      summary: 'Revoke two credentials',
      query: { listType: 'StatusList2021', statusAction: 'revoke' },
      body: { did: exampleDid, statusListName: 'my-list', indices: [0, 94567], statusListVersion: '2' },
    },
  ],
  run: ({ query, body, agent }) => agent.statusListUpdate({ ...query, ...withoutUndefined(body) }),
})
