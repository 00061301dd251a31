import { defineOperation } from '../operation.js'
import { atRegistrarPaths, toCreation } from '../registrar/registrar-creation.js'
import { finishedState, publishedDocument, REGISTRAR_REFUSAL } from '../registrar/registrar-state.js'
import {
  exampleRegistrarState,
  MethodQuery,
  RegistrarCreateBody,
  RegistrarState,
} from '../schemas/registrar.js'
import { creationRequest } from './did-creation-request.js'

export const registrarCreate = defineOperation({
  id: 'registrar-create',
  method: 'post',
  path: '/1.0/create',
  tag: 'Registrar',
  summary: 'Create a DID (DIF Universal Registrar)',
  description: [
    'The same as POST /did/create, in the form of DID Registration with internal secret mode: keys are created and kept by',
    'the service, and never returned. `method` names a configured provider of DIDs.',
  ].join('\n'),
  needs: ['didManagerCreate', 'didManagerGetProviders', 'keyManagerGet', 'resolveDid'],
  changes: true,
  mayCost: true,
  status: 201,
  jsonOnly: true,
  query: MethodQuery,
  body: RegistrarCreateBody,
  response: RegistrarState,
  responseExample: exampleRegistrarState,
  refusal: REGISTRAR_REFUSAL,
  examples: [
    { summary: 'A DID on testnet', query: { method: 'cheqd' }, body: { options: { network: 'testnet' } } },
    {
      summary: 'With a service',
      query: { method: 'cheqd' },
      body: {
        options: { network: 'testnet', verificationMethodType: 'JsonWebKey2020' },
        didDocument: {
          service: [
            { idFragment: 'service-1', type: 'LinkedDomains', serviceEndpoint: ['https://example.com'] },
          ],
        },
      },
    },
    { summary: 'did:key', query: { method: 'key' }, body: { options: { keyType: 'Ed25519' } } },
  ],
  async run({ query, body, agent, settings }) {
    const providers = await agent.didManagerGetProviders()
    const identifier = await atRegistrarPaths(body, async () => {
      const creation = toCreation(query.method, body, providers)
      return agent.didManagerCreate(await creationRequest(creation, { agent, settings, providers }))
    })
    // A did:web can only be published now; resolving it from its host would fail.
    const isPublished = identifier.provider !== 'did:web'
    const published = isPublished
      ? await publishedDocument(agent, identifier.did)
      : { didDocumentMetadata: {} }
    return finishedState(identifier, published)
  },
})
