import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { DidResult, exampleDidResult } from '../schemas/did.js'
import { did, text } from '../schemas/primitives.js'
import { didResult } from './did-result.js'

export const didRead = defineOperation({
  id: 'did-read',
  method: 'get',
  path: '/did/read/{did}',
  tag: 'DIDs',
  summary: 'Read a DID of the account',
  description: 'A DID of the account with its public keys and its services.',
  needs: ['didManagerGet'],
  changes: false,
  params: z.strictObject({ did: did('A DID of the account') }),
  response: DidResult.extend({
    provider: z.string().meta({ description: 'Name of the provider of DIDs' }),
    alias: text('Label of the DID').optional(),
  }).meta({ id: 'HeldDid' }),
  responseExample: { ...exampleDidResult, provider: 'did:cheqd' },
  notFound: ['did_not_found'],
  async run({ params, agent }) {
    const held = await agent.didManagerGet({ did: params.did })
    const { provider, alias } = held
    return { ...didResult(held), provider, ...(alias !== undefined && { alias }) }
  },
})
