import { z } from 'zod'

export const EVENT_STREAM = 'text/event-stream'

/** The header with which a client resumes an interrupted stream. */
export const LAST_EVENT_ID = z.object({
  'last-event-id': z.string().optional().meta({
    description:
      'For streams: the id of the last event received; later ones follow. Takes precedence over `after`',
  }),
})
