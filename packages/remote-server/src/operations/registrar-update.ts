import { problemsError } from '@vidimus/core-types'
import { defineOperation } from '../operation.js'
import { writeUpdate } from '../registrar/document-update.js'
import { mustBeWritable, registeredDid } from '../registrar/registrar-method.js'
import { finishedState, publishedDocument, REGISTRAR_REFUSAL } from '../registrar/registrar-state.js'
import { inDidQueue } from '../registrar/did-queue.js'
import { exampleDid } from '../schemas/did.js'
import {
  exampleRegistrarState,
  MethodQuery,
  RegistrarState,
  RegistrarUpdateBody,
} from '../schemas/registrar.js'

const service = { id: `${exampleDid}#files`, type: 'Files', serviceEndpoint: 'https://example.com/files' }

export const registrarUpdate = defineOperation({
  id: 'registrar-update',
  method: 'post',
  path: '/1.0/update',
  tag: 'Registrar',
  summary: 'Update a DID document (DIF Universal Registrar)',
  description: [
    'Replaces the DID document (`setDidDocument`), adds to it (`addToDidDocument`) or removes from it',
    '(`removeFromDidDocument`); several operations are applied in order and written at once. Entries are identified by their `id`,',
    'and removing a verification method removes all references to it. New keys must belong to the account (POST /key/create).',
    '',
    'Entries are added to or removed from the current document; if another writer changes it concurrently,',
    'they apply to the result of that change. `setDidDocument` replaces the whole document.',
  ].join('\n'),
  needs: ['didManagerGet', 'didManagerUpdate', 'resolveDid'],
  changes: true,
  mayCost: true,
  jsonOnly: true,
  query: MethodQuery,
  body: RegistrarUpdateBody,
  response: RegistrarState,
  responseExample: exampleRegistrarState,
  refusal: REGISTRAR_REFUSAL,
  examples: [
    {
      summary: 'Add a service',
      body: {
        did: exampleDid,
        didDocumentOperation: ['addToDidDocument'],
        didDocument: [{ service: [service] }],
      },
    },
    {
      summary: 'Replace a service',
      body: {
        did: exampleDid,
        didDocumentOperation: ['removeFromDidDocument', 'addToDidDocument'],
        didDocument: [{ service: [{ id: service.id }] }, { service: [service] }],
      },
    },
  ],
  async run({ query, body, agent }) {
    const { did, didDocument: documents } = body
    const operations = body.didDocumentOperation ?? ['setDidDocument']
    if (operations.length !== documents.length) {
      const message = `must have as many entries as didDocument: ${documents.length}, not ${operations.length}`
      throw problemsError('invalid_input', [{ path: 'didDocumentOperation', message }])
    }
    const network = body.options?.network
    const held = await registeredDid(agent, { did, method: query.method, network })
    mustBeWritable(held, 'updated')
    const update = { did, operations, documents, place: 'didDocument[0]' }
    const written = await inDidQueue(agent, did, () => writeUpdate(update, agent))
    return finishedState(written ?? held, await publishedDocument(agent, did))
  },
})
