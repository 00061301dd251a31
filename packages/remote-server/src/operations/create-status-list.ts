import { StatusListCreateArgs, statusPurposes } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { commaSeparable } from '../input/list-separator.js'
import { defineOperation } from '../operation.js'
import { exampleDid } from '../schemas/did.js'
import { ignored } from '../schemas/primitives.js'
import {
  CreateListResult,
  exampleListId,
  exampleResource,
  exampleResourceMetadata,
  listName,
  statusMessages,
  statusSize,
  withAddresses,
} from '../schemas/status-list.js'
import { withoutUndefined } from './without-undefined.js'

const { encrypted, paymentConditions, ...unencrypted } = StatusListCreateArgs.shape
const { listType, statusPurpose, ...fields } = unencrypted

/** For every new list, encrypted or not. */
export const creationQuery = z.strictObject({
  listType,
  statusPurpose: z
    .preprocess(
      (value) => (typeof value === 'string' ? [value] : value),
      commaSeparable(statusPurposes, /^[\w.:-]+$/),
    )
    .meta({
      description: 'Purpose of the list; several if its type supports it',
      example: ['revocation'],
      // the transformation before the schema hides that it is
      param: { required: true },
    }),
})
export const creationFields = {
  ...fields,
  did: listName.did,
  statusSize: statusSize(fields.statusSize),
  statusMessages: statusMessages(fields.statusMessages),
  credentialCategory: ignored('Accepted for compatibility with other services.'),
  state: ignored('Accepted for compatibility with other services.'),
}

export const createStatusList = defineOperation({
  id: 'create-status-list',
  method: 'post',
  path: '/credential-status/create/unencrypted',
  tag: 'Status lists',
  summary: 'Create an unencrypted status list',
  description: [
    'Publishes a new status list as a DID-Linked Resource of a DID of the account. With `series: true`, a series: its',
    'members are lists named `<statusListName>.<n>`. Request entries of credentials with the name of the series; the',
    'service chooses the member, and publishes the next one before it is needed.',
  ].join('\n'),
  needs: ['statusListCreate'],
  changes: true,
  mayCost: true,
  withoutResource: true,
  query: creationQuery,
  body: z.strictObject(creationFields),
  response: CreateListResult,
  responseExample: {
    created: true,
    resource: exampleResource,
    resourceMetadata: { ...exampleResourceMetadata, resourceVersion: '1', previousVersionId: null },
    encrypted: false,
    statusListId: exampleListId,
  },
  examples: [
    {
      summary: 'A revocation list',
      query: { listType: 'StatusList2021', statusPurpose: ['revocation'] },
      body: { did: exampleDid, statusListName: 'my-list', statusListVersion: '1' },
    },
    {
      summary: 'A series, whose members are for credentials that expire in the same quarter',
      query: { listType: 'BitstringStatusList', statusPurpose: ['revocation'] },
      body: { did: exampleDid, statusListName: 'staff', series: true, period: 'P3M' },
    },
    {
      summary: 'A list that publishes every quarter of an hour',
      query: { listType: 'BitstringStatusList', statusPurpose: ['revocation'] },
      body: { did: exampleDid, statusListName: 'employees', publishEvery: 'PT15M' },
    },
    {
      summary: 'A token status list that can revoke and suspend',
      query: { listType: 'TokenStatusList', statusPurpose: ['revocation', 'suspension'] },
      body: { did: exampleDid, statusListName: 'tokens', statusSize: 2, ttl: 300_000 },
    },
  ],
  run: async ({ query, body, agent, settings }) =>
    withAddresses(body.did, await agent.statusListCreate(creationArgs(query, body)), settings),
})

/** The agent arguments from the fields above. */
export function creationArgs<Fields extends { credentialCategory?: unknown; state?: unknown }>(
  { listType, statusPurpose: [first = '', ...others] }: z.output<typeof creationQuery>,
  { credentialCategory, state, ...fields }: Fields,
) {
  // In some list types, one purpose and a list of purposes differ.
  const statusPurpose = others.length === 0 ? first : [first, ...others]
  return { listType, statusPurpose, ...withoutUndefined(fields) }
}
