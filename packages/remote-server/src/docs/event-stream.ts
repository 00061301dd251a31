import { z } from 'zod'

export const EVENT_STREAM = 'text/event-stream'

/** The header by which a client goes on where its stream broke off. */
export const LAST_EVENT_ID = z.object({
  'last-event-id': z.string().optional().meta({
    description:
      'Of a stream: the id of the last event that arrived; those after it follow. Goes before `after`',
  }),
})
