import { BOUNDS, NETWORKS, pluginSchema } from '@vidimus/core-types'
import { z } from 'zod'

const rights = {
  scopes: z.array(z.string()).optional(),
  networks: z.array(z.enum(NETWORKS)).optional(),
}

const ApiKey = z.looseObject({
  id: z.string(),
  account: z.string(),
  name: z.string().optional(),
  shown: z.string(),
  ...rights,
  createdAt: z.string(),
})
const CreatedApiKey = ApiKey.extend({ apiKey: z.string() })
const id = z.string()

/** The schema of the plugin, for other plugins of the same agent: all methods are refused to remote ones. */
export const apiKeySchema = () =>
  pluginSchema({
    apiKeyList: {
      description: 'Lists the API keys of the account, newest first',
      arguments: z.object({
        page: z.int().optional(),
        limit: z.int().optional(),
        after: z.string().optional(),
      }),
      returns: z.looseObject({ total: z.int(), apiKeys: z.array(ApiKey) }),
    },
    apiKeyCreate: {
      description: 'Makes an API key of the account with the rights of the caller, or fewer',
      arguments: z.object({ name: z.string().optional(), expiresAt: z.string().optional(), ...rights }),
      returns: CreatedApiKey,
    },
    apiKeyRevoke: {
      description: 'Makes an API key of the account invalid, at once and for good',
      arguments: z.object({ id }),
      returns: ApiKey,
    },
    apiKeyRotate: {
      description: 'Makes an API key in place of another, which ends after an overlap',
      arguments: z.object({ id, overlapSeconds: z.int().min(0).max(BOUNDS.overlapSeconds).optional() }),
      returns: z.object({ created: CreatedApiKey, rotated: ApiKey }),
    },
  })
