import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleWebhook, Webhook } from '../schemas/event.js'

export const webhookList = defineOperation({
  id: 'webhook-list',
  method: 'get',
  path: '/account/webhooks',
  tag: 'Events',
  summary: 'List the webhooks of the account',
  description: 'Newest first, revoked ones included, with what waits for them; never their secrets.',
  needs: ['webhookList'],
  changes: false,
  response: z.object({ webhooks: z.array(Webhook) }).meta({ id: 'WebhookList' }),
  responseExample: { webhooks: [{ ...exampleWebhook, lastDeliveredAt: '2026-05-01T12:00:01.000Z' }] },
  run: ({ agent }) => agent.webhookList(),
})
