import { BOUNDS } from '@vidimus/core-types'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { eventId, exampleEvent, webhookId } from '../schemas/event.js'
import { withoutUndefined } from './without-undefined.js'

export const webhookReplay = defineOperation({
  id: 'webhook-replay',
  method: 'post',
  path: '/account/webhooks/{id}/replay',
  tag: 'Events',
  summary: 'Redeliver dead letters',
  description: 'Starts at once, and is retried like new events. Ids that are not dead letters are ignored.',
  needs: ['webhookReplay'],
  changes: true,
  params: z.strictObject({ id: webhookId() }),
  body: z.strictObject({
    events: z
      .array(eventId('Id of an event'))
      .min(1)
      .max(BOUNDS.replayedEvents)
      .optional()
      .meta({ description: 'Ids of events; default: all' }),
  }),
  response: z.object({ replayed: z.int().meta({ description: 'How many' }) }).meta({ id: 'WebhookReplay' }),
  responseExample: { replayed: 1 },
  examples: [{ summary: 'One event', body: { events: [exampleEvent.id] } }],
  notFound: ['webhook_not_found'],
  run: ({ params, body, agent }) => agent.webhookReplay({ ...params, ...withoutUndefined(body) }),
})
