import { defineOperation } from '../operation.js'
import { CreateDidBody } from '../schemas/did-creation.js'
import { DidResult, exampleDidResult, exampleKid } from '../schemas/did.js'
import { creationRequest } from './did-creation-request.js'
import { didResult } from './did-result.js'

export const didCreate = defineOperation({
  id: 'did-create',
  method: 'post',
  path: '/did/create',
  tag: 'DIDs',
  summary: 'Create a DID',
  description: [
    'Creates a DID and its DID document; the service keeps its key for the account.',
    'did:cheqd requires a `network`, unless `didDocument.id` names it. did:key and did:jwk take only `key` or',
    '`options.keyType`; did:web takes its DID from `didDocument.id`, such as `did:web:example.com`.',
  ].join('\n'),
  needs: ['didManagerCreate', 'didManagerGetProviders', 'keyManagerGet', 'keyManagerGetKeyManagementSystems'],
  changes: true,
  mayCost: true,
  body: CreateDidBody,
  response: DidResult,
  responseExample: exampleDidResult,
  examples: [
    { summary: 'A new key on testnet', body: { network: 'testnet' } },
    {
      summary: 'With a service',
      body: {
        network: 'testnet',
        identifierFormatType: 'uuid',
        verificationMethodType: 'Ed25519VerificationKey2020',
        service: [
          { idFragment: 'service-1', type: 'LinkedDomains', serviceEndpoint: ['https://example.com'] },
        ],
      },
    },
    {
      summary: 'With a key of the account',
      body: {
        network: 'testnet',
        identifierFormatType: 'base58btc',
        options: { key: exampleKid, verificationMethodType: 'JsonWebKey2020' },
      },
    },
    { summary: 'did:key', body: { providerId: 'did:key', options: { keyType: 'Ed25519' } } },
  ],
  async run({ body, agent, settings }) {
    const providers = await agent.didManagerGetProviders()
    return didResult(
      await agent.didManagerCreate(await creationRequest(body, { agent, settings, providers })),
    )
  },
})
