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
  shown: z.string().meta({ description: 'Prefix of the key, to recognise it by' }),
  scopes: z.array(z.string()).exactOptional().meta({ description: 'Its scopes; absent: unrestricted' }),
  networks: z
    .array(z.enum(NETWORKS).meta({ description: 'Network of did:cheqd' }))
    .exactOptional()
    .meta({ description: 'Networks it may write to; absent: all' }),
  createdAt: z.string(),
  expiresAt: z.string().exactOptional(),
  revokedAt: z.string().exactOptional(),
  lastUsedAt: z
    .string()
    .exactOptional()
    .meta({ description: 'Up to 75 seconds late, more if a process was killed; absent: never used' }),
  rotatedTo: z.string().exactOptional().meta({ description: 'Id of the key that replaced it' }),
})

export const CreatedApiKey = ApiKey.extend({
  apiKey: z.string().meta({ description: 'The key in clear, shown only once' }),
})

/** Ids of operations and names of groups, including those of plugins. */
const SCOPE = /^[a-z0-9][a-z0-9:-]{0,63}$/i

const some = <Entry extends z.ZodType>(entry: Entry, most: number) => {
  const error = `must be a list of 1 to ${most}; omit it for no restriction`
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
    .meta({ description: 'Operations or groups of operations that the key may use; default: all' }),
  networks: some(z.enum(NETWORKS), NETWORKS.length)
    .optional()
    .meta({ description: 'Networks that the key may write to; default: all' }),
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
    description: 'Creates an API key of the account with the rights of the caller, or fewer',
    arguments: ApiKeyRequest,
    returns: CreatedApiKey,
  },
  apiKeyRevoke: {
    description: 'Revokes an API key of the account, at once and permanently',
    arguments: z.object({ id }),
    returns: ApiKey,
  },
  apiKeyRotate: {
    description: 'Replaces an API key by a new one; the old one expires after an overlap',
    arguments: z.object({
      id,
      overlapSeconds: z
        .int()
        .min(0)
        .max(BOUNDS.overlapSeconds)
        .default(OVERLAP_SECONDS)
        .meta({ description: 'How long the old key keeps working; 0: not at all' }),
    }),
    returns: z.object({ created: CreatedApiKey, rotated: ApiKey }),
  },
}
