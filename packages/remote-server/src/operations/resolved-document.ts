import { AgentError } from '@vidimus/core-types'
import type { DIDDocument, DIDResolutionResult } from 'did-resolver'
import type { ServiceAgent } from '../service-agent.js'

/** What of a resolver's error may be shown: a code, not the text of whatever failed below it. */
const RESOLUTION_ERROR = /^[A-Za-z]{1,64}$/

/**
 * Resolves a DID whose document has to be in force.
 *
 * @throws AgentError `did_not_resolvable`, `did_deactivated`
 */
export async function resolvedDocument(
  agent: ServiceAgent,
  did: string,
): Promise<{ document: DIDDocument; result: DIDResolutionResult }> {
  const result = await agent.resolveDid({ didUrl: did })
  const { didDocument, didDocumentMetadata, didResolutionMetadata } = result
  if (didDocumentMetadata?.deactivated) {
    throw new AgentError('did_deactivated', `did: ${did} is deactivated`, {
      details: [{ path: 'did', message: 'is deactivated' }],
    })
  }
  if (!didDocument || didResolutionMetadata?.error) throw notResolvable(did, didResolutionMetadata?.error)
  return { document: didDocument, result }
}

export function notResolvable(
  did: string,
  reason: string | undefined,
  code: 'did_not_resolvable' | 'did_not_found' = 'did_not_resolvable',
): AgentError {
  const shown = reason !== undefined && RESOLUTION_ERROR.test(reason) ? ` (${reason})` : ''
  return new AgentError(code, `did: ${did} cannot be resolved${shown}`, {
    details: [{ path: 'did', message: `cannot be resolved${shown}` }],
  })
}
