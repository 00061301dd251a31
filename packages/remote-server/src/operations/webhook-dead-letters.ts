import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { DeadLetter, eventId, exampleDeadLetter, pageLimit, webhookId } from '../schemas/event.js'
import { withoutUndefined } from './without-undefined.js'

export const webhookDeadLetters = defineOperation({
  id: 'webhook-dead-letters',
  method: 'get',
  path: '/account/webhooks/{id}/dead-letters',
  tag: 'Events',
  summary: 'List the dead letters of a webhook',
  description:
    'Events that could not be delivered, oldest first, with the last error. They are kept as long as events are.',
  needs: ['webhookDeadLetters'],
  changes: false,
  params: z.strictObject({ id: webhookId() }),
  query: z.strictObject({
    after: eventId('Id of an event: only later dead letters').optional(),
    limit: pageLimit('Dead letters'),
  }),
  response: z.object({ deadLetters: z.array(DeadLetter), more: z.boolean() }).meta({ id: 'DeadLetterList' }),
  responseExample: { deadLetters: [exampleDeadLetter], more: false },
  notFound: ['webhook_not_found'],
  run: ({ params, query: { after, limit }, agent }) =>
    agent.webhookDeadLetters({ ...params, limit, ...withoutUndefined({ after }) }),
})
