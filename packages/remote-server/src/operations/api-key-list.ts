import { pageEnd } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { ApiKeyDetails, exampleApiKey } from '../schemas/api-key.js'
import { pageFields } from '../schemas/page.js'

export const apiKeyList = defineOperation({
  id: 'api-key-list',
  method: 'get',
  path: '/account/api-keys',
  tag: 'API keys',
  summary: 'List the API keys of the account',
  description: 'Newest first, including expired and revoked ones; never in clear.',
  needs: ['apiKeyList'],
  changes: false,
  query: z.strictObject(pageFields('API keys')),
  response: z
    .object({
      ...pageEnd,
      apiKeys: z.array(
        ApiKeyDetails.extend({
          current: z.boolean().meta({ description: 'Whether this request uses it' }),
        }).meta({ id: 'ListedApiKey' }),
      ),
    })
    .meta({ id: 'ApiKeyList' }),
  responseExample: { total: 1, apiKeys: [{ ...exampleApiKey, current: true }] },
  async run({ query, agent, account }) {
    const { apiKeys, ...page } = await agent.apiKeyList(query)
    return { ...page, apiKeys: apiKeys.map((key) => ({ ...key, current: key.id === account.grant?.id })) }
  },
})
