import { PAGES } from '@vidimus/core-types'
import { auditSearch, AuditedEvent, pageEnd } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { pageFields } from '../schemas/page.js'
import { text } from '../schemas/primitives.js'
import { auditTable } from './audit-table.js'
import { withoutUndefined } from './without-undefined.js'

const { limit } = pageFields('entries')
const query = z.strictObject({ ...auditSearch, after: text('`next` of the previous page').optional(), limit })

export const accountAudit = defineOperation({
  id: 'account-audit',
  method: 'get',
  path: '/account/audit',
  tag: 'Account',
  summary: 'List the audit trail of the account',
  description: [
    'Newest first. A page with a filter may be short, or empty: only its `next` tells whether more follows.',
    'What each event means is in docs/audit.md.',
    '',
    `With \`accept: text/csv\` the response is a file with everything that fits, up to ${PAGES.exported} entries, whatever`,
    '`limit` says; filter by time for others. What spreadsheets would take for a formula has an apostrophe before it.',
  ].join('\n'),
  needs: ['accountAuditList'],
  changes: false,
  query,
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
  table: auditTable(query),
  run: ({ query: asked, agent }) => agent.accountAuditList(withoutUndefined(asked)),
})
