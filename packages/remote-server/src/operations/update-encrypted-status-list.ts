import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleDid } from '../schemas/did.js'
import { conditionFields, conditionsOf, withConditionRules } from '../schemas/payment-conditions.js'
import {
  exampleEncryptedResource,
  exampleResourceMetadata,
  UpdateListResult,
} from '../schemas/status-list.js'
import { updateFields, updateQuery } from './update-status-list.js'
import { withoutUndefined } from './without-undefined.js'

export const updateEncryptedStatusList = defineOperation({
  id: 'update-encrypted-status-list',
  method: 'post',
  path: '/credential-status/update/encrypted',
  tag: 'Status lists',
  summary: 'Update an encrypted status list',
  description: [
    'Like the update of an unencrypted list. Payment conditions, if sent, replace those of the list; an empty',
    'list of them closes it to everyone but its publisher. The service keeps the key: you need not send one.',
  ].join('\n'),
  needs: ['statusListUpdate', 'statusListPayments'],
  changes: true,
  mayCost: true,
  withoutResource: true,
  query: updateQuery,
  body: withConditionRules(z.strictObject({ ...updateFields, ...conditionFields })),
  response: UpdateListResult,
  responseExample: {
    updated: true,
    changed: [0, 94567],
    revoked: true,
    resource: exampleEncryptedResource,
    resourceMetadata: exampleResourceMetadata,
  },
  examples: [
    {
      summary: 'Revoke two credentials',
      query: { listType: 'StatusList2021', statusAction: 'revoke' },
      body: { did: exampleDid, statusListName: 'my-list', indices: [0, 94567], statusListVersion: '2' },
    },
  ],
  run({ query, body, agent }) {
    const { did, statusListName, indices, statusListVersion, publication, receipt } = body
    const named = { did, statusListName, indices, statusListVersion, publication, receipt }
    const fields = withoutUndefined(named)
    return agent.statusListUpdate({ ...query, ...fields, ...conditionsOf(body), encrypted: true })
  },
})
