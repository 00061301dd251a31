import { AgentError } from '@vidimus/core-types'
import type { DIDDocument, DIDResolutionResult } from 'did-resolver'
import type { ServiceAgent } from '../service-agent.js'

/** The resolution error for "not found", as opposed to "invalid" (DID Core 7.1.2). */
export const NOT_FOUND = 'notFound'

/** The part of a resolver's error that may be shown: a code, not the text of an underlying failure. */
const RESOLUTION_ERROR = /^[A-Za-z]{1,64}$/

/**
 * Resolves a DID that must not be deactivated.
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

/**
 * For an empty page: distinguishes a DID without publications from one that does not exist.
 *
 * @throws AgentError `did_not_found`, `did_not_resolvable`
 */
export async function mustBeThere(agent: ServiceAgent, did: string): Promise<void> {
  const { didDocument, didDocumentMetadata, didResolutionMetadata } = await agent.resolveDid({ didUrl: did })
  if (didDocument || didDocumentMetadata?.deactivated) return
  const reason = didResolutionMetadata?.error
  throw notResolvable(did, reason, reason === NOT_FOUND ? 'did_not_found' : 'did_not_resolvable')
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
