import { AgentError } from '@vidimus/core-types'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { documentUrl, exampleDid } from '../schemas/did.js'
import { did, object } from '../schemas/primitives.js'
import { didResult } from './did-result.js'
import { resolvedDocument } from './resolved-document.js'

export const didDocument = defineOperation({
  id: 'did-document',
  method: 'get',
  path: '/did/document/{did}',
  tag: 'DIDs',
  summary: 'Read the DID document of a DID of the account',
  description: [
    'For a did:web it is the document to publish at `documentUrl`, built from the keys and services that the account holds. Under',
    'the public URL of the service it is published automatically; on another host you must publish it, and again after each',
    'change of keys or services. For any other DID it is the document as it resolves.',
  ].join('\n'),
  needs: ['didManagerGet', 'webDidDocument', 'resolveDid'],
  changes: false,
  params: z.strictObject({ did: did('A DID of the account') }),
  response: z
    .object({ didDocument: object('The DID document'), documentUrl: documentUrl().optional() })
    .meta({ id: 'HeldDidDocument', description: 'A DID document, and for a did:web where to publish it' }),
  responseExample: { didDocument: { '@context': ['https://www.w3.org/ns/did/v1'], id: exampleDid } },
  notFound: ['did_not_found'],
  async run({ params, agent }) {
    const held = await agent.didManagerGet({ did: params.did })
    const { documentUrl: url } = didResult(held)
    if (url === undefined) return { didDocument: { ...(await resolvedDocument(agent, held.did)).document } }
    const document = await agent.webDidDocument({ did: held.did })
    if (!document) throw new AgentError('did_not_found', `did: the account holds no DID "${held.did}"`)
    return { didDocument: { ...document }, documentUrl: url }
  },
})
