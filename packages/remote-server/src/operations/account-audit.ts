import { auditSearch, AuditedEvent, pageEnd } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { pageFields } from '../schemas/page.js'
import { text } from '../schemas/primitives.js'
import { withoutUndefined } from './without-undefined.js'

const { limit } = pageFields('entries')

export const accountAudit = defineOperation({
  id: 'account-audit',
  method: 'get',
  path: '/account/audit',
  tag: 'Account',
  summary: 'List the audit trail of the account',
  description: [
    'Newest first. A page with a filter may be short, or empty: only its `next` tells whether more follows.',
    'What each event means is in docs/audit.md.',
  ].join('\n'),
  needs: ['accountAuditList'],
  changes: false,
  query: z.strictObject({ ...auditSearch, after: text('`next` of the previous page').optional(), limit }),
  response: z
    .object({ entries: z.array(AuditedEvent.meta({ id: 'AuditedEvent' })), next: pageEnd.next })
    .meta({ id: 'AccountAudit' }),
  responseExample: {
    entries: [
      {
        id: '4711',
        time: '2026-06-01T08:30:00.000Z',
        event: 'api-key-revoked',
        outcome: 'done',
        apiKeyId: 'b5a2f0a1-52b1-4d3c-8a53-2d7d1f6f2b11',
        address: '192.0.2.7',
        requestId: '7b0f6a52-4c44-4a57-8f0a-5f5ef6d5a3c2',
        subject: '0a4a0ac5-5a3a-4a0c-9a65-5a1d3b0c7f3e',
        occurrences: 1,
      },
    ],
    next: 'WyI0NzExIl0',
  },
  run: ({ query, agent }) => agent.accountAuditList(withoutUndefined(query)),
})
