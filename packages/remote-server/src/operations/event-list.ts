import { z } from 'zod'
import { defineOperation, type StreamedEvent } from '../operation.js'
import { AccountEvent, eventId, eventTypes, exampleEvent, pageLimit } from '../schemas/event.js'
import type { ServiceAgent } from '../service-agent.js'
import { withoutUndefined } from './without-undefined.js'

const query = z.strictObject({
  after: eventId('Id of an event: only later ones').optional(),
  limit: pageLimit('Events'),
  type: eventTypes('Only these types; separate several with commas, or repeat it').optional(),
})

export const eventList = defineOperation({
  id: 'event-list',
  method: 'get',
  path: '/account/events',
  tag: 'Events',
  summary: 'List or stream the events of the account',
  description: [
    'Oldest first. To miss none, continue with the id of the last event as `after`. Events are kept for 30 days,',
    'unless configured otherwise.',
    '',
    'With `accept: text/event-stream` the response is an endless stream of server-sent events: those after',
    '`last-event-id` or `after`, then new ones; without either, only new ones. `limit` is ignored',
    'there. Comments keep the connection alive. It ends when the service stops or the API key expires; reconnect with the',
    'id of the last event, as browsers do automatically.',
  ].join('\n'),
  needs: ['accountEventList', 'accountEventLast'],
  changes: false,
  query,
  response: z
    .object({
      events: z.array(AccountEvent),
      more: z.boolean().meta({ description: 'Whether more events follow' }),
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

/** Events passed on at a time. */
const TOGETHER = 100

/**
 * Events of the account in scope after the given one, or from now on.
 *
 * @returns a function that returns the events since its last call; an empty result does not end the stream
 * @throws AgentError `invalid_input`
 */
async function openEventStream(
  agent: ServiceAgent,
  { after, types }: { after?: string; types?: readonly string[] },
): Promise<() => Promise<readonly StreamedEvent[]>> {
  let position = after ?? (await agent.accountEventLast())
  // A malformed id is refused before the stream begins.
  if (after !== undefined) await agent.accountEventList({ after, limit: 1 })
  return async () => {
    const last = await agent.accountEventLast()
    if (last === undefined || last === position) return []
    const { events, more } = await agent.accountEventList({
      limit: TOGETHER,
      ...(position !== undefined && { after: position }),
      ...(types && { types }),
    })
    const newest = events.at(-1)?.id
    // The batch may contain events of other types, and new ones may have arrived since.
    position = newest !== undefined && (more || newest > last) ? newest : last
    return events.map((event) => ({ id: event.id, type: event.type, data: event }))
  }
}
