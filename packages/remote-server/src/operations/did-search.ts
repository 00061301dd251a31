import { AgentError } from '@vidimus/core-types'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { DidResolution, exampleResolution } from '../schemas/did-resolution.js'
import { did } from '../schemas/primitives.js'
import { NOT_FOUND, notResolvable } from './resolved-document.js'

export const didSearch = defineOperation({
  id: 'did-search',
  method: 'get',
  path: '/did/search/{did}',
  tag: 'DIDs',
  summary: 'Resolve a DID',
  description: 'The DID document of any DID that the service can resolve, whoever controls it.',
  needs: ['resolveDid'],
  changes: false,
  params: z.strictObject({ did: did('The DID') }),
  response: DidResolution,
  responseExample: exampleResolution,
  notFound: ['did_not_found'],
  async run({ params, agent }) {
    const result = await agent.resolveDid({ didUrl: params.did })
    const { didDocument, didResolutionMetadata, didDocumentMetadata } = result
    const reason = didResolutionMetadata?.error
    if (reason === NOT_FOUND && isUnread(params.did, didResolutionMetadata)) throw unread(params.did)
    if (reason !== undefined || (!didDocument && !didDocumentMetadata?.deactivated)) {
      throw notResolvable(params.did, reason, reason === NOT_FOUND ? 'did_not_found' : 'did_not_resolvable')
    }
    return { didDocument, didResolutionMetadata, didDocumentMetadata }
  },
})

/**
 * Whether `notFound` only means that the document was not read. Resolvers that fetch documents over the network also
 * report it for an unreachable host, with a specific message; that of did:web always does.
 */
function isUnread(did: string, metadata: object = {}): boolean {
  const message = 'message' in metadata && typeof metadata.message === 'string' ? metadata.message : ''
  return did.startsWith('did:web:') || message.startsWith('resolver_error:')
}

function unread(did: string): AgentError {
  const message = 'cannot be resolved: its document could not be fetched, or belongs to another DID'
  return new AgentError('did_not_resolvable', `did: ${did} ${message}`, {
    details: [{ path: 'did', message }],
  })
}
