import { BOUNDS, EVENT_TYPES } from '@vidimus/core-types'
import { z } from 'zod'
import { commaSeparable } from '../input/list-separator.js'
import { text } from './primitives.js'

export const eventId = (description: string) => text(description, BOUNDS.eventId)

export const webhookId = () => text('Id of the webhook', BOUNDS.word)

/** The known types, and those of plugins, which have a prefix and a colon. */
const TYPE = new RegExp(
  `^(?:${Object.keys(EVENT_TYPES).join('|').replaceAll('.', '\\.')}|[a-z0-9-]+:[a-z0-9.-]+)$`,
)

export const eventTypes = (description: string) =>
  z
    .preprocess(
      (value) => (typeof value === 'string' ? [value] : value),
      commaSeparable(
        z
          .array(
            z
              .string()
              .max(BOUNDS.word)
              .regex(TYPE, `must be one of ${Object.keys(EVENT_TYPES).join(', ')}`),
          )
          .min(1)
          .max(BOUNDS.eventTypes),
        /^[\w.:-]+$/,
      ),
    )
    .meta({ description })

export const pageLimit = (what: string) =>
  z
    .int()
    .min(1)
    .max(1000)
    .default(100)
    .meta({ description: `${what} at most` })

export const AccountEvent = z
  .object({
    id: z.string().meta({ description: 'Opaque; later events have greater ids' }),
    type: z.string().meta({ description: 'See docs/events.md; further types may come' }),
    time: z.string().meta({ description: 'When it happened' }),
    subject: z.string().meta({ description: 'A DID, a DID URL, a kid or the id of an API key' }),
    data: z.record(z.string(), z.unknown()).optional().meta({ description: 'Depends on the type' }),
  })
  .meta({ id: 'AccountEvent', description: 'An event of the account' })

const DeliveryFailure = z
  .object({
    time: z.string(),
    status: z.int().optional().meta({ description: 'Status of the response; absent: no response' }),
    reason: z.string(),
  })
  .meta({ id: 'DeliveryFailure' })

export const Webhook = z
  .object({
    id: z.string(),
    url: z.string(),
    types: z.array(z.string()).optional().meta({ description: 'Types of events it receives; absent: all' }),
    createdAt: z.string(),
    apiKeyId: z
      .string()
      .optional()
      .meta({ description: 'Id of the API key that it belongs to, which created or resumed it; if known' }),
    state: z.enum(['active', 'suspended']).optional().meta({
      description:
        'suspended: the rights of its owner have ended, and its events wait; absent: it is revoked',
    }),
    revokedAt: z.string().optional(),
    revokedBy: z.enum(['account', 'receiver', 'service']).optional().meta({
      description:
        'Who revoked it: a receiver does so by responding with 410, the service if nobody resumed a suspended one',
    }),
    lastDeliveredAt: z.string().optional(),
    lastFailure: DeliveryFailure.optional().meta({ description: 'Error of the last attempt' }),
    waiting: z.int().meta({ description: 'Pending events; 10000 means 10000 or more' }),
    deadLetters: z
      .int()
      .meta({ description: 'Events that could not be delivered; 10000 means 10000 or more' }),
  })
  .meta({ id: 'Webhook', description: 'Receiver of events of the account' })

export const CreatedWebhook = Webhook.extend({
  secret: z.string().meta({ description: 'Secret that deliveries are signed with, shown only once' }),
}).meta({ id: 'CreatedWebhook' })

export const DeadLetter = z
  .object({ event: AccountEvent, attempts: z.int(), failure: DeliveryFailure })
  .meta({ id: 'DeadLetter', description: 'An event that could not be delivered' })

export const exampleEvent = {
  id: '0000000000000042',
  type: 'list.updated',
  time: '2026-05-01T12:00:00.000Z',
  subject:
    'did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0?resourceName=employees&resourceType=BitstringStatusListCredential',
  data: {
    did: 'did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0',
    listType: 'BitstringStatusList',
    statusListName: 'employees',
    versionId: '5945233a-a4b5-422b-b893-eaed5cedd2dc',
    entriesChanged: 3,
  },
}

export const exampleWebhook = {
  id: '0c7e9f6a-43bb-4a0f-9a4c-0f5a5be3a3d1',
  url: 'https://receiver.example/vidimus',
  types: ['list.updated', 'did.deactivated'],
  createdAt: '2026-05-01T12:00:00.000Z',
  apiKeyId: 'b5a2f0a1-52b1-4d3c-8a53-2d7d1f6f2b11',
  state: 'active' as const,
  waiting: 0,
  deadLetters: 0,
}

export const exampleDeadLetter = {
  event: exampleEvent,
  attempts: 34,
  failure: { time: '2026-05-02T12:00:00.000Z', status: 500, reason: 'its host responded with 500' },
}
