import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleDid } from '../schemas/did.js'
import {
  conditionFields,
  conditionsOf,
  exampleCondition,
  withConditionRules,
} from '../schemas/payment-conditions.js'
import {
  CreateListResult,
  exampleEncryptedResource,
  exampleListId,
  exampleResourceMetadata,
  withAddresses,
} from '../schemas/status-list.js'
import { creationArgs, creationFields, creationQuery } from './create-status-list.js'

export const createEncryptedStatusList = defineOperation({
  id: 'create-encrypted-status-list',
  method: 'post',
  path: '/credential-status/create/encrypted',
  tag: 'Status lists',
  summary: 'Create an encrypted status list',
  description: [
    'Publishes a new status list whose entries only the account that holds the DID can read, and accounts that',
    'have met the payment conditions. The service encrypts with AES-256-GCM and keeps the key: it never leaves the service, so',
    'no response has a `symmetricKey`, and you need not send one. A single condition may be given by its three fields.',
  ].join('\n'),
  needs: ['statusListCreate', 'statusListPayments'],
  changes: true,
  mayCost: true,
  withoutResource: true,
  query: creationQuery,
  body: withConditionRules(z.strictObject({ ...creationFields, ...conditionFields })),
  response: CreateListResult,
  responseExample: {
    created: true,
    resource: exampleEncryptedResource,
    resourceMetadata: { ...exampleResourceMetadata, resourceVersion: '1', previousVersionId: null },
    encrypted: true,
    statusListId: exampleListId,
  },
  examples: [
    {
      summary: 'A revocation list that costs 20 CHEQ to check for ten minutes',
      query: { listType: 'StatusList2021', statusPurpose: ['revocation'] },
      body: { did: exampleDid, statusListName: 'my-list', paymentConditions: [exampleCondition] },
    },
    {
      summary: 'The same with the three fields alone',
      query: { listType: 'StatusList2021', statusPurpose: ['revocation'] },
      body: { did: exampleDid, statusListName: 'my-list', ...exampleCondition },
    },
  ],
  async run({ query, body, agent, settings }) {
    const {
      paymentConditions,
      feePaymentAddress,
      feePaymentAmount,
      feePaymentWindow,
      symmetricKey,
      ...fields
    } = body
    const args = { ...creationArgs(query, fields), ...conditionsOf(body), encrypted: true }
    return withAddresses(body.did, await agent.statusListCreate(args), settings)
  },
})
