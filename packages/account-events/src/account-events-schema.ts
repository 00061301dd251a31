import { pluginSchema } from '@vidimus/core-types'
import { z } from 'zod'

const Event = z.looseObject({
  id: z.string(),
  type: z.string(),
  time: z.string(),
  subject: z.string(),
  data: z.record(z.string(), z.unknown()).optional(),
})
const Webhook = z.looseObject({ id: z.string(), url: z.string(), createdAt: z.string() })
const id = z.string()
const types = z.array(z.string()).optional()
const page = { after: z.string().optional(), limit: z.int().min(1).max(1000).optional() }

/** The schema of the plugin, for other plugins of the same agent: all methods are refused to remote ones. */
export const accountEventsSchema = () =>
  pluginSchema({
    accountEventList: {
      description: 'Lists the events of the account, oldest first',
      arguments: z.object({ ...page, types }),
      returns: z.object({ events: z.array(Event), more: z.boolean() }),
    },
    accountEventLast: {
      description: 'Returns the id of the newest event of the account',
      arguments: z.object({}),
      returns: z.string().optional(),
    },
    webhookCreate: {
      description: 'Delivers events of the account to a URL',
      arguments: z.object({ url: z.string(), types }),
      returns: Webhook.extend({ secret: z.string() }),
    },
    webhookList: {
      description: 'Lists the webhooks of the account, newest first',
      arguments: z.object({
        limit: z.int().optional(),
        page: z.int().optional(),
        after: z.string().optional(),
      }),
      returns: z.looseObject({ webhooks: z.array(Webhook), total: z.int() }),
    },
    webhookUsage: {
      description: 'Returns how many webhooks the account has and may have',
      arguments: z.object({}),
      returns: z.object({ used: z.number(), limit: z.number() }),
    },
    webhookRevoke: {
      description: 'Revokes a webhook of the account, permanently',
      arguments: z.object({ id }),
      returns: Webhook,
    },
    webhookResume: {
      description: "Makes a suspended webhook of the account the caller's",
      arguments: z.object({ id }),
      returns: Webhook,
    },
    webhookDeadLetters: {
      description: 'Lists the dead letters of a webhook, oldest first',
      arguments: z.object({ id, ...page }),
      returns: z.object({
        deadLetters: z.array(z.looseObject({ event: Event, attempts: z.int() })),
        more: z.boolean(),
      }),
    },
    webhookReplay: {
      description: 'Redelivers the dead letters of a webhook',
      arguments: z.object({ id, events: z.array(z.string()).optional() }),
      returns: z.object({ replayed: z.int() }),
    },
  })
