import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleDid } from '../schemas/did.js'
import { text } from '../schemas/primitives.js'
import {
  CheckListResult,
  index,
  indices,
  listType,
  publisher,
  statusListName,
  StatusMessages,
  statusPurpose,
  statusSize,
} from '../schemas/status-list.js'
import { maxFee } from './credential-verify.js'
import { withoutUndefined } from './without-undefined.js'

export const checkStatusList = defineOperation({
  id: 'check-status-list',
  method: 'post',
  path: '/credential-status/check',
  tag: 'Status lists',
  summary: 'Check entries of a status list',
  description: [
    'Reports whether entries are revoked or suspended. Open to every account and to every list that resolves.',
    'An encrypted list is open to its publisher, and to accounts that have met its payment conditions: where that was not',
    'done within their window, the service pays for the account, unless `makeFeePayment` is false.',
    '`index`, `indices` and `indexRangeStart` to `indexRangeEnd` (inclusive) are united; at least one of them is needed.',
  ].join('\n'),
  needs: ['statusListCheck'],
  changes: true,
  query: z.strictObject({ listType: listType(), statusPurpose: statusPurpose() }),
  body: z.strictObject({
    did: publisher(),
    statusListName: statusListName(),
    index: index('Index to check').optional(),
    indices: indices('Indices to check').optional(),
    indexRangeStart: index('First index of a range').optional(),
    indexRangeEnd: index('Last index of a range, inclusive').optional(),
    statusListCredential: text(
      'DID URL of the list; must name the same list as did and statusListName',
    ).optional(),
    statusSize: statusSize().optional().meta({
      description: 'Bits for each entry; must agree with the list. Default 2 for older lists that do not say',
    }),
    statusMessage: StatusMessages.optional().meta({
      description: 'Messages of the values, one for each; must agree with the list',
    }),
    makeFeePayment: z.boolean().optional().meta({
      description:
        'Default true: pays what the conditions of an encrypted list demand, where that was not done',
    }),
    maxFee: maxFee(),
  }),
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
  ],
  run: ({ query, body, agent }) => agent.statusListCheck({ ...query, ...withoutUndefined(body) }),
})
