import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleKeyDetails, heldKeyDetails, KeyDetails } from '../schemas/key.js'
import { text } from '../schemas/primitives.js'

export const keyRead = defineOperation({
  id: 'key-read',
  method: 'get',
  path: '/key/read/{kid}',
  tag: 'Keys',
  summary: 'Read a key',
  description: 'The public key of a key of the account.',
  needs: ['keyManagerGet'],
  changes: false,
  params: z.strictObject({ kid: text('Id of the key', 512) }),
  response: KeyDetails,
  responseExample: exampleKeyDetails,
  notFound: ['key_not_found'],
  run: async ({ params, agent }) => heldKeyDetails(agent, await agent.keyManagerGet({ kid: params.kid })),
})
