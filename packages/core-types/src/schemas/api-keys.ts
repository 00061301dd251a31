import { z } from 'zod'
import { BOUNDS } from '../bounds.js'
import { NETWORKS } from '../networks.js'
import { dateOrTime, textOfCharacters } from './fields.js'
import { pageEnd, PageRequest } from './paging.js'

/** How long a replaced key keeps working by default. */
export const OVERLAP_SECONDS = 86_400

/** An API key of an account as it is listed; only its owner knows its clear text. */
export const ApiKey = z.object({
  id: z.string(),
  account: z.string().meta({ description: 'Name of the account' }),
  name: z.string().exactOptional().meta({ description: 'What the key is for' }),
  shown: z.string().meta({ description: 'The beginning of the key, by which its owner recognises it' }),
  scopes: z.array(z.string()).exactOptional().meta({ description: 'What it may do; absent: everything' }),
  networks: z
    .array(z.enum(NETWORKS).meta({ description: 'Network of did:cheqd' }))
    .exactOptional()
    .meta({ description: 'Where it may write; absent: everywhere' }),
  createdAt: z.string(),
  expiresAt: z.string().exactOptional(),
  revokedAt: z.string().exactOptional(),
  lastUsedAt: z
    .string()
    .exactOptional()
    .meta({ description: 'Up to 75 seconds behind, more where a process was killed; absent: never used' }),
  rotatedTo: z.string().exactOptional().meta({ description: 'Id of the key that took its place' }),
})

export const CreatedApiKey = ApiKey.extend({
  apiKey: z.string().meta({ description: 'The key in clear, this once' }),
})

/** Ids of operations and names of groups, including those of plugins. */
const SCOPE = /^[a-z0-9][a-z0-9:-]{0,63}$/i

const some = <Entry extends z.ZodType>(entry: Entry, most: number) => {
  const error = `must be a list of 1 to ${most}; left out, nothing is limited`
  return z.array(entry, error).min(1, error).max(most, error)
}

/** A request for a new API key. */
export const ApiKeyRequest = z.object({
  name: textOfCharacters(BOUNDS.name).optional().meta({ description: 'What the key is for' }),
  expiresAt: dateOrTime('When the key stops working, in the future'),
  scopes: some(
    z
      .string()
      .regex(SCOPE, 'must be a scope')
      .meta({ description: 'A scope', examples: ['read', 'did-create'] }),
    BOUNDS.scopes,
  )
    .optional()
    .meta({ description: 'Operations, or groups of them, that the key is for; left out: all' }),
  networks: some(z.enum(NETWORKS), NETWORKS.length)
    .optional()
    .meta({ description: 'Networks on which the key may write; left out: all' }),
})

const id = textOfCharacters(BOUNDS.word).meta({ description: 'Id of the API key' })

/** The agent methods of API keys, for other plugins of the same agent: all of them are refused to remote ones. */
export const apiKeyMethods = {
  apiKeyList: {
    description: 'Lists the API keys of the account, newest first',
    arguments: PageRequest,
    returns: z.object({ apiKeys: z.array(ApiKey), ...pageEnd }),
  },
  apiKeyCreate: {
    description: 'Makes an API key of the account with the rights of the caller, or fewer',
    arguments: ApiKeyRequest,
    returns: CreatedApiKey,
  },
  apiKeyRevoke: {
    description: 'Makes an API key of the account invalid, at once and for good',
    arguments: z.object({ id }),
    returns: ApiKey,
  },
  apiKeyRotate: {
    description: 'Makes an API key in place of another, which ends after an overlap',
    arguments: z.object({
      id,
      overlapSeconds: z
        .int()
        .min(0)
        .max(BOUNDS.overlapSeconds)
        .default(OVERLAP_SECONDS)
        .meta({ description: 'How long the old key works on; 0: it ends at once' }),
    }),
    returns: z.object({ created: CreatedApiKey, rotated: ApiKey }),
  },
}
