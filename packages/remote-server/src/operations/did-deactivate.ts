import { isAgentError } from '@vidimus/core-types'
import { mayCost } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { deactivate } from '../registrar/deactivation-method.js'
import { mustBeWritable, registeredDid } from '../registrar/registrar-method.js'
import { DidResolution, exampleResolution } from '../schemas/did-resolution.js'
import { did } from '../schemas/primitives.js'
import { mustHoldSigners, signers } from './signers.js'

export const didDeactivate = defineOperation({
  id: 'did-deactivate',
  method: 'post',
  path: '/did/deactivate/{did}',
  tag: 'DIDs',
  summary: 'Deactivate a DID permanently',
  description: [
    'Deactivates a DID: it can no longer be changed or publish anything, and it resolves as deactivated. It stays in the account.',
    'This cannot be undone. Repeating the call gets the same response.',
  ].join('\n'),
  needs: ['didManagerGet', 'keyManagerGet', 'resolveDid'],
  changes: true,
  mayCost: true,
  params: z.strictObject({ did: did('A DID of the account') }),
  body: z.strictObject({ publicKeyHexs: signers() }),
  response: DidResolution.extend(mayCost).meta({ id: 'DidDeactivation' }),
  responseExample: {
    ...exampleResolution,
    didDocumentMetadata: { ...exampleResolution.didDocumentMetadata, deactivated: true },
  },
  examples: [{ summary: 'A DID of the account', body: {} }],
  notFound: ['did_not_found'],
  async run({ params: { did }, body, agent }) {
    const identifier = await registeredDid(agent, { did })
    mustBeWritable(identifier, 'deactivated')
    await mustHoldSigners(agent, body.publicKeyHexs)
    try {
      return await deactivate(identifier, agent)
    } catch (error) {
      if (!isAgentError(error) || error.code !== 'did_deactivated') throw error
      return agent.resolveDid({ didUrl: identifier.did })
    }
  },
})
