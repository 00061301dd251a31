import * as schemas from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { commaSeparable } from '../input/list-separator.js'
import { described } from './primitives.js'

const WORD = /^[\w:-]+$/

const oneIsAList = (value: unknown) => (typeof value === 'string' ? [value] : value)

/** A single entry may be given without a list, and a form may use a comma-separated list. */
const commaSeparated = <Entry extends z.ZodType>(shared: z.ZodOptional<z.ZodArray<Entry>>) =>
  z
    .preprocess(oneIsAList, commaSeparable(shared.unwrap(), WORD))
    .optional()
    .meta({ description: described(shared) })

const { shape } = schemas.ApiKeyRequest

/** The properties of a new key; the available scopes depend on the served operations. */
export const apiKeyFields = {
  ...shape,
  scopes: commaSeparated(shape.scopes),
  networks: commaSeparated(shape.networks),
}

export const keyId = schemas.apiKeyMethods.apiKeyRevoke.arguments.shape.id

export const ApiKeyDetails = schemas.ApiKey.meta({
  id: 'ApiKey',
  description: 'An API key of the account; never in clear',
})

export const CreatedApiKey = schemas.CreatedApiKey.meta({
  id: 'CreatedApiKey',
  description: 'A new API key of the account',
})

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
