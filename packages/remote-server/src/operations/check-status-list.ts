import { namingProblems, StatusListCheckArgs } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleDid } from '../schemas/did.js'
import {
  CheckListResult,
  indices,
  listName,
  oneIndex,
  statusMessages,
  statusSize,
} from '../schemas/status-list.js'
import { withoutUndefined } from './without-undefined.js'

const asked = StatusListCheckArgs.shape

export const checkStatusList = defineOperation({
  id: 'check-status-list',
  method: 'post',
  path: '/credential-status/check',
  tag: 'Status lists',
  summary: 'Check entries of a status list',
  description: [
    'Reports whether entries are revoked or suspended. Open to every account and to every list that resolves.',
    'An encrypted list is readable by its publisher, and by accounts that have met its payment conditions: if that has not',
    'happened within their window, the service pays for the account, unless `makeFeePayment` is false.',
    'A list is named by `did` and `statusListName`, by its address, or by a token. Lists at https addresses are fetched,',
    'only from public hosts, and must be signed by `issuer`, `did` or the issuer of the token, or by one of its status issuers.',
    '`index`, `indices` and `indexRangeStart` to `indexRangeEnd` (inclusive) are combined; at least one of them is required,',
    'unless there is a token. With `state: "stored"` the publisher sees changes that are not published yet.',
  ].join('\n'),
  needs: ['statusListCheck'],
  changes: true,
  query: z.strictObject({ listType: listName.listType, statusPurpose: asked.statusPurpose }),
  body: z.strictObject({
    did: listName.did.optional(),
    statusListName: listName.statusListName.optional(),
    index: oneIndex(asked.index),
    indices: indices(asked.indices.unwrap().in).optional(),
    indexRangeStart: oneIndex(asked.indexRangeStart),
    indexRangeEnd: oneIndex(asked.indexRangeEnd),
    statusListCredential: asked.statusListCredential,
    uri: asked.uri,
    token: asked.token,
    issuer: asked.issuer,
    statusSize: statusSize(asked.statusSize),
    statusMessage: statusMessages(asked.statusMessage),
    state: asked.state,
    makeFeePayment: asked.makeFeePayment,
    maxFee: asked.maxFee,
  }),
  bodyProblems: namingProblems,
  response: CheckListResult,
  responseExample: { checked: true, revoked: false, status: 0, valid: true, purpose: 'revocation' },
  examples: [
    {
      summary: 'One index',
      query: { listType: 'StatusList2021', statusPurpose: 'revocation' },
      body: { did: exampleDid, statusListName: 'my-list', index: 94567 },
    },
    {
      summary: 'A range',
      query: { listType: 'BitstringStatusList', statusPurpose: 'suspension' },
      body: { did: exampleDid, statusListName: 'my-list', indexRangeStart: 0, indexRangeEnd: 99 },
    },
    {
      summary: 'A list of somebody else',
      query: { listType: 'TokenStatusList', statusPurpose: 'revocation' },
      body: { uri: 'https://issuer.example/statuslists/1', index: 412, did: 'did:web:issuer.example' },
    },
  ],
  run: ({ query, body, agent }) => agent.statusListCheck({ ...query, ...withoutUndefined(body) }),
})
