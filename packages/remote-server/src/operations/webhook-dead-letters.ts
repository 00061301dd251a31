import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { DeadLetter, eventId, exampleDeadLetter, limitOf, webhookId } from '../schemas/event.js'
import { withoutUndefined } from './without-undefined.js'

export const webhookDeadLetters = defineOperation({
  id: 'webhook-dead-letters',
  method: 'get',
  path: '/account/webhooks/{id}/dead-letters',
  tag: 'Events',
  summary: 'List the events that could not be delivered',
  description: 'Oldest first, with what went wrong the last time. They are kept as long as events are.',
  needs: ['webhookDeadLetters'],
  changes: false,
  params: z.strictObject({ id: webhookId() }),
  query: z.strictObject({
    after: eventId('Id of an event: dead letters after it').optional(),
    limit: limitOf('Dead letters'),
  }),
  response: z.object({ deadLetters: z.array(DeadLetter), more: z.boolean() }).meta({ id: 'DeadLetterList' }),
  responseExample: { deadLetters: [exampleDeadLetter], more: false },
  notFound: ['webhook_not_found'],
  run: ({ params, query: { after, limit }, agent }) =>
    agent.webhookDeadLetters({ ...params, limit, ...withoutUndefined({ after }) }),
})
