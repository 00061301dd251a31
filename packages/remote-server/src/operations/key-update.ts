import { holdingsMethods } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleKid } from '../schemas/did.js'
import { exampleKeyDetails, KeyDetails, keyDetails } from '../schemas/key.js'

export const keyUpdate = defineOperation({
  id: 'key-update',
  method: 'post',
  path: '/key/update',
  tag: 'Keys',
  summary: 'Change the label of a key',
  description: 'The id of the key stays: DIDs, signatures and callers that use it are not affected.',
  needs: ['accountKeyUpdate'],
  changes: true,
  body: z.strictObject(holdingsMethods.accountKeyUpdate.arguments.shape),
  response: KeyDetails,
  responseExample: exampleKeyDetails,
  examples: [{ summary: 'Another label', body: { kid: exampleKid, alias: 'issuer' } }],
  notFound: ['key_not_found'],
  run: async ({ body, agent }) => keyDetails(await agent.accountKeyUpdate(body)),
})
