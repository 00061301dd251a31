import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { ApiKeyDetails, exampleApiKey } from '../schemas/api-key.js'

const MOST_PER_PAGE = 1000

export const apiKeyList = defineOperation({
  id: 'api-key-list',
  method: 'get',
  path: '/account/api-keys',
  tag: 'API keys',
  summary: 'List the API keys of the account',
  description: 'Newest first, expired and revoked ones included; never in clear.',
  needs: ['apiKeyList'],
  changes: false,
  query: z.strictObject({
    page: z.int().min(1).max(1_000_000).default(1).meta({ description: 'From 1 on' }),
    limit: z.int().min(1).max(MOST_PER_PAGE).default(100).meta({ description: 'API keys on a page' }),
  }),
  response: z
    .object({
      total: z.int().meta({ description: 'All of them, on every page' }),
      apiKeys: z.array(
        ApiKeyDetails.extend({
          current: z.boolean().meta({ description: 'Whether this request came with it' }),
        }).meta({ id: 'ListedApiKey' }),
      ),
    })
    .meta({ id: 'ApiKeyList' }),
  responseExample: { total: 1, apiKeys: [{ ...exampleApiKey, current: true }] },
  async run({ query, agent, account }) {
    const { total, apiKeys } = await agent.apiKeyList(query)
    return { total, apiKeys: apiKeys.map((key) => ({ ...key, current: key.id === account.grant?.id })) }
  },
})
