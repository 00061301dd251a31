import { BOUNDS, isPointInTime, NO_TIME } from '@vidimus/core-types'
import { word } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { commaSeparable } from '../input/list-separator.js'
import { Network } from './did.js'
import { text } from './primitives.js'

const WORD = /^[\w:-]+$/

const oneIsAList = (value: unknown) => (typeof value === 'string' ? [value] : value)

/** Which scopes there are depends on the operations that are served. */
export const scopes = () =>
  z
    .preprocess(
      oneIsAList,
      commaSeparable(
        z
          .array(word('A scope', ['read', 'did-create']))
          .min(1)
          .max(BOUNDS.scopes),
        WORD,
      ),
    )
    .meta({ description: 'Operations, or groups of them, that the key is for; left out: all' })

export const networks = () =>
  z
    .preprocess(oneIsAList, commaSeparable(z.array(Network).min(1).max(2), WORD))
    .meta({ description: 'Networks on which the key may write; left out: all' })

export const expiresAt = () =>
  z.iso
    .datetime({ offset: true, error: NO_TIME, abort: true })
    .refine(isPointInTime, NO_TIME)
    .meta({ description: 'When the key stops working' })

export const keyId = () => text('Id of the API key', BOUNDS.word)

/** What may be told of an API key; what it is in clear, nobody can read back. */
export const ApiKeyDetails = z
  .object({
    id: z.string(),
    account: z.string().meta({ description: 'Name of the account' }),
    name: z.string().optional().meta({ description: 'What the key is for' }),
    shown: z.string().meta({ description: 'The beginning of the key, by which its owner recognises it' }),
    scopes: z.array(z.string()).optional().meta({ description: 'What it may do; absent: everything' }),
    networks: z.array(Network).optional().meta({ description: 'Where it may write; absent: everywhere' }),
    createdAt: z.string(),
    expiresAt: z.string().optional(),
    revokedAt: z.string().optional(),
    lastUsedAt: z.string().optional().meta({ description: 'Up to 75 seconds behind; absent: never used' }),
    rotatedTo: z.string().optional().meta({ description: 'Id of the key that took its place' }),
  })
  .meta({ id: 'ApiKey', description: 'An API key of the account; never in clear' })

export const CreatedApiKey = ApiKeyDetails.extend({
  apiKey: z.string().meta({ description: 'The key in clear, this once' }),
}).meta({ id: 'CreatedApiKey', description: 'A new API key of the account' })

export const exampleApiKey = {
  id: 'b5a2f0a1-52b1-4d3c-8a53-2d7d1f6f2b11',
  account: 'default',
  name: 'issuer service',
  shown: 'vidimus_3Jx9…',
  scopes: ['read', 'credentials'],
  networks: ['testnet' as const],
  createdAt: '2026-05-01T12:00:00.000Z',
  expiresAt: '2027-05-01T12:00:00.000Z',
}

export const exampleCreatedApiKey = {
  ...exampleApiKey,
  apiKey: 'vidimus_3Jx9CvT2xkzF7mBq0LsYwNdR5oHgUiPe8aKtJb4rZnVf1MQcX',
}
