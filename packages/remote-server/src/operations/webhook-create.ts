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
  summary: 'Have events sent to a URL',
  description: [
    'Each event that happens from now on is posted to the URL as JSON, as GET /account/events lists it, and signed as',
    'Standard Webhooks says with the secret that is shown this once. It is delivered once the receiver answers 2xx, and',
    'tried again for a day otherwise; 410 ends the webhook. An event may come more than once, with the same `webhook-id`.',
    'The host must be one of the public internet, and redirects are not followed.',
  ].join('\n'),
  needs: ['webhookCreate'],
  changes: true,
  answersSecret: true,
  body: z.strictObject({
    url: text('Where to; https', BOUNDS.url),
    types: eventTypes('Types of events; left out: all').optional(),
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
