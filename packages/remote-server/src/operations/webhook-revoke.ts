import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleWebhook, Webhook, webhookId } from '../schemas/event.js'

export const webhookRevoke = defineOperation({
  id: 'webhook-revoke',
  method: 'delete',
  path: '/account/webhooks/{id}',
  tag: 'Events',
  summary: 'Revoke a webhook',
  description: [
    'Revokes a webhook of the account permanently, and drops its pending events; it stays in the list. Revoking it again',
    'changes nothing.',
  ].join('\n'),
  needs: ['webhookRevoke'],
  changes: true,
  params: z.strictObject({ id: webhookId() }),
  response: Webhook,
  responseExample: {
    ...exampleWebhook,
    state: undefined,
    revokedAt: '2026-06-01T08:30:00.000Z',
    revokedBy: 'account',
  },
  notFound: ['webhook_not_found'],
  run: ({ params, agent }) => agent.webhookRevoke(params),
})
