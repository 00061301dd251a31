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
  summary: 'Deliver dead letters again',
  description: 'Begins at once, and goes on as with new events. What is no dead letter is left as it is.',
  needs: ['webhookReplay'],
  changes: true,
  params: z.strictObject({ id: webhookId() }),
  body: z.strictObject({
    events: z
      .array(eventId('Id of an event'))
      .min(1)
      .max(BOUNDS.replayedEvents)
      .optional()
      .meta({ description: 'Ids of events; left out: all' }),
  }),
  response: z.object({ replayed: z.int().meta({ description: 'How many' }) }).meta({ id: 'WebhookReplay' }),
  responseExample: { replayed: 1 },
  examples: [{ summary: 'One event', body: { events: [exampleEvent.id] } }],
  notFound: ['webhook_not_found'],
  run: ({ params, body, agent }) => agent.webhookReplay({ ...params, ...withoutUndefined(body) }),
})
