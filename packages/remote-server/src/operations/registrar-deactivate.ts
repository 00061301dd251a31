import { defineOperation } from '../operation.js'
import { deactivate } from '../registrar/deactivation-method.js'
import { mustBeWritable, registeredDid } from '../registrar/registrar-method.js'
import { toPublishedDocument, finishedState, REGISTRAR_REFUSAL } from '../registrar/registrar-state.js'
import { exampleDid } from '../schemas/did.js'
import {
  exampleRegistrarState,
  MethodQuery,
  RegistrarDeactivateBody,
  RegistrarState,
} from '../schemas/registrar.js'

export const registrarDeactivate = defineOperation({
  id: 'registrar-deactivate',
  method: 'post',
  path: '/1.0/deactivate',
  tag: 'Registrar',
  summary: 'Deactivate a DID permanently (DIF Universal Registrar)',
  description: [
    'Deactivates a DID: it can no longer be changed or publish anything, and it resolves as deactivated. It stays in the account.',
    'This cannot be undone.',
  ].join('\n'),
  needs: ['didManagerGet'],
  changes: true,
  mayCost: true,
  jsonOnly: true,
  query: MethodQuery,
  body: RegistrarDeactivateBody,
  response: RegistrarState,
  responseExample: {
    ...exampleRegistrarState,
    didDocumentMetadata: { ...exampleRegistrarState.didDocumentMetadata, deactivated: true },
  },
  refusal: REGISTRAR_REFUSAL,
  examples: [{ summary: 'A DID of the account', body: { did: exampleDid } }],
  async run({ query, body, agent }) {
    const { did, options } = body
    const said = { did, method: query.method, network: options?.network }
    const identifier = await registeredDid(agent, said)
    mustBeWritable(identifier, 'deactivated')
    return finishedState(identifier, toPublishedDocument(await deactivate(identifier, agent)))
  },
})
