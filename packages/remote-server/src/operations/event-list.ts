import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { AccountEvent, eventId, eventTypes, exampleEvent, limitOf } from '../schemas/event.js'
import { openEventStream } from './event-stream.js'
import { withoutUndefined } from './without-undefined.js'

const query = z.strictObject({
  after: eventId('Id of an event: those after it').optional(),
  limit: limitOf('Events'),
  type: eventTypes('These alone; several with commas or repeated').optional(),
})

export const eventList = defineOperation({
  id: 'event-list',
  method: 'get',
  path: '/account/events',
  tag: 'Events',
  summary: 'List the events of the account, or stay connected for those that come',
  description: [
    'Oldest first. Whoever asks again with the id of the last event as `after` misses none. Events are kept for 30 days,',
    'unless this installation says otherwise.',
    '',
    'With `accept: text/event-stream` the answer is a stream of server-sent events that does not end: those after',
    '`last-event-id` or `after`, and then what happens; without either, what happens from now on. `limit` has no meaning',
    'there. Comments come as signs of life. It ends when the service stops or the API key does; connect again with the',
    'id of the last event, as browsers do by themselves.',
  ].join('\n'),
  needs: ['accountEventList', 'accountEventLast'],
  changes: false,
  query,
  response: z
    .object({
      events: z.array(AccountEvent),
      more: z.boolean().meta({ description: 'Whether there are more after the last one' }),
    })
    .meta({ id: 'AccountEventList' }),
  responseExample: { events: [exampleEvent], more: false },
  stream: {
    document: {
      schema: z.string(),
      example: `id: ${exampleEvent.id}\nevent: ${exampleEvent.type}\ndata: ${JSON.stringify(exampleEvent)}\n\n`,
    },
    open: ({ query: asked, agent }, lastEventId) => {
      const { after, type: types } = asked as z.output<typeof query>
      return openEventStream(agent, withoutUndefined({ after: lastEventId ?? after, types }))
    },
  },
  run: ({ query: { after, limit, type: types }, agent }) =>
    agent.accountEventList({ limit, ...withoutUndefined({ after, types }) }),
})
