import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleKeyDetails, heldKeyDetails, KeyDetails } from '../schemas/key.js'
import { text } from '../schemas/primitives.js'

export const keyDelete = defineOperation({
  id: 'key-delete',
  method: 'delete',
  path: '/key/{kid}',
  tag: 'Keys',
  summary: 'Delete a key',
  description: [
    'Deletes a key pair with its private half, permanently. A key that belongs to a DID of the account is refused: `GET',
    '/did/list?key=` lists these DIDs. What the key has signed stays valid as long as a DID document contains its public half.',
  ].join('\n'),
  needs: ['keyManagerGet', 'keyManagerDelete'],
  changes: true,
  params: z.strictObject({ kid: text('Id of the key', 512) }),
  response: KeyDetails,
  responseExample: exampleKeyDetails,
  notFound: ['key_not_found'],
  async run({ params, agent }) {
    const deleted = await heldKeyDetails(agent, await agent.keyManagerGet(params))
    await agent.keyManagerDelete(params)
    return deleted
  },
})
