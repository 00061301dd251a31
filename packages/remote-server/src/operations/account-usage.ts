import { z } from 'zod'
import { defineOperation } from '../operation.js'

const Used = z
  .object({ used: z.number(), limit: z.number() })
  .meta({ id: 'UsedOf', description: 'Current usage and its limit' })

const NetworkUsage = z
  .object({
    feesToday: Used.optional().meta({
      description: 'Fees paid today (UTC) to read encrypted status lists of others, in CHEQ',
    }),
    spendToday: z.object({ used: z.number(), limit: z.number().optional() }).optional().meta({
      description: 'Fees of what the account has written today (UTC), in CHEQ; unlimited without `limit`',
    }),
  })
  .meta({ id: 'NetworkUsage' })

export const accountUsage = defineOperation({
  id: 'account-usage',
  method: 'get',
  path: '/account/usage',
  tag: 'Account',
  summary: 'Get the usage of the quotas and budgets of the account',
  description: 'Every quota and daily budget with its current usage and limit.',
  needs: ['accountUsage'],
  changes: false,
  response: z
    .object({
      dids: Used,
      keys: Used,
      statusLists: Used,
      resources: Used.meta({ description: 'Versions of DID-Linked Resources that are not status lists' }),
      bytes: Used.meta({
        description: 'Size of documents, resources, status lists and stored responses in the database',
      }),
      apiKeys: Used,
      webhooks: Used.optional(),
      networks: z.record(z.string(), NetworkUsage).meta({ description: 'Daily budgets, by network' }),
    })
    .meta({ id: 'AccountUsage' }),
  responseExample: {
    dids: { used: 12, limit: 1_000_000 },
    keys: { used: 12, limit: 2_000_000 },
    statusLists: { used: 3, limit: 100_000 },
    resources: { used: 5, limit: 1_000_000 },
    bytes: { used: 83_120, limit: 10_000_000_000 },
    apiKeys: { used: 2, limit: 100 },
    webhooks: { used: 0, limit: 20 },
    networks: { testnet: { feesToday: { used: 2.5, limit: 100 }, spendToday: { used: 150, limit: 1000 } } },
  },
  run: ({ agent }) => agent.accountUsage(),
})
