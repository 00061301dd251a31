import { pageEnd } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleWebhook, Webhook } from '../schemas/event.js'
import { pageFields } from '../schemas/page.js'

export const webhookList = defineOperation({
  id: 'webhook-list',
  method: 'get',
  path: '/account/webhooks',
  tag: 'Events',
  summary: 'List the webhooks of the account',
  description: 'Newest first, including revoked ones, with their pending events; never their secrets.',
  needs: ['webhookList'],
  changes: false,
  query: z.strictObject(pageFields('webhooks')),
  response: z.object({ ...pageEnd, webhooks: z.array(Webhook) }).meta({ id: 'WebhookList' }),
  responseExample: {
    total: 1,
    webhooks: [{ ...exampleWebhook, lastDeliveredAt: '2026-05-01T12:00:01.000Z' }],
  },
  run: ({ query, agent }) => agent.webhookList(query),
})
