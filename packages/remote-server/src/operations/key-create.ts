import { BOUNDS } from '@vidimus/core-types'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { KEY_TYPES } from '../schemas/did.js'
import { exampleKeyDetails, heldKeyDetails, KeyDetails, kmsOfNewKey } from '../schemas/key.js'
import { text } from '../schemas/primitives.js'
import { chosenKms } from './chosen-kms.js'

export const keyCreate = defineOperation({
  id: 'key-create',
  method: 'post',
  path: '/key/create',
  tag: 'Keys',
  summary: 'Create a key pair',
  description: 'Creates a key pair for the account; its private key never leaves its KMS.',
  needs: ['keyManagerCreate', 'keyManagerGetKeyManagementSystems'],
  changes: true,
  query: z.strictObject({
    type: z.enum(KEY_TYPES).default('Ed25519').meta({ description: 'Type of the key' }),
  }),
  body: z.strictObject({
    alias: text('Label of the key, unique within the account', BOUNDS.name).optional(),
    kms: kmsOfNewKey().optional(),
  }),
  response: KeyDetails,
  responseExample: exampleKeyDetails,
  examples: [{ summary: 'With a label', query: { type: 'Ed25519' }, body: { alias: 'issuer' } }],
  async run({ query: { type }, body: { alias, kms }, agent, settings }) {
    const meta = alias === undefined ? {} : { meta: { alias } }
    const key = await agent.keyManagerCreate({
      kms: await chosenKms(kms, agent, settings),
      type,
      ...meta,
    })
    return heldKeyDetails(agent, { ...key, type, ...meta })
  },
})
