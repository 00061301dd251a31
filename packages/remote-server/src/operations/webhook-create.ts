import { BOUNDS } from '@vidimus/core-types'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { CreatedWebhook, eventTypes, exampleWebhook } from '../schemas/event.js'
import { text } from '../schemas/primitives.js'
import { withoutUndefined } from './without-undefined.js'

export const webhookCreate = defineOperation({
  id: 'webhook-create',
  method: 'post',
  path: '/account/webhooks',
  tag: 'Events',
  summary: 'Create a webhook',
  description: [
    'Every new event is posted to the URL as JSON, in the form of GET /account/events, and signed according to',
    'Standard Webhooks with the secret, which is shown only once. It is delivered once the receiver responds with 2xx, and',
    'retried for a day otherwise; a 410 revokes the webhook. An event may be delivered more than once, with the same `webhook-id`.',
    'The host must be on the public internet, and redirects are not followed.',
  ].join('\n'),
  needs: ['webhookCreate'],
  changes: true,
  answersSecret: true,
  body: z.strictObject({
    url: text('Address of the receiver; https', BOUNDS.url),
    types: eventTypes('Types of events; default: all').optional(),
  }),
  response: CreatedWebhook,
  responseExample: { ...exampleWebhook, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw6hMzYqTzlHM=' },
  examples: [
    {
      summary: 'For two types of events',
      body: { url: 'https://receiver.example/vidimus', types: ['list.updated', 'did.deactivated'] },
    },
  ],
  run: ({ body, agent }) =>
    agent.webhookCreate({ url: body.url, ...withoutUndefined({ types: body.types }) }),
})
