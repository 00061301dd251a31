import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleKid, ManagedKey } from '../schemas/did.js'
import { text } from '../schemas/primitives.js'

export const keyRead = defineOperation({
  id: 'key-read',
  method: 'get',
  path: '/key/read/{kid}',
  tag: 'Keys',
  summary: 'Read a key',
  description: 'The public half of a key of the account.',
  needs: ['keyManagerGet'],
  changes: false,
  params: z.strictObject({ kid: text('Id of the key', 512) }),
  response: ManagedKey.extend({ alias: z.string().optional() }).meta({ id: 'KeyDetails' }),
  responseExample: {
    kid: exampleKid,
    type: 'Ed25519',
    publicKeyHex: exampleKid,
    kms: 'local',
    alias: 'issuer',
  },
  notFound: ['key_not_found'],
  async run({ params, agent }) {
    const { kid, type, publicKeyHex, kms, meta } = await agent.keyManagerGet({ kid: params.kid })
    const alias: unknown = meta?.alias
    return { kid, type, publicKeyHex, kms, ...(typeof alias === 'string' && { alias }) }
  },
})
