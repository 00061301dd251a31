import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleWebhook, Webhook, webhookId } from '../schemas/event.js'

export const webhookResume = defineOperation({
  id: 'webhook-resume',
  method: 'post',
  path: '/account/webhooks/{id}/resume',
  tag: 'Events',
  summary: 'Resume a suspended webhook',
  description: [
    'Makes a webhook whose owner has lost its rights that of the caller, and delivers what waits for it, in order. An active',
    'one stays unchanged.',
  ].join('\n'),
  needs: ['webhookResume'],
  changes: true,
  params: z.strictObject({ id: webhookId() }),
  response: Webhook,
  responseExample: exampleWebhook,
  notFound: ['webhook_not_found'],
  run: ({ params, agent }) => agent.webhookResume(params),
})
