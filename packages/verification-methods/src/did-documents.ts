import type { IAgentContext, IResolver } from '@veramo/core-types'
import { AgentError, isAgentError, type ErrorCode } from '@vidimus/core-types'
import type { DIDDocument, DIDResolutionResult } from 'did-resolver'

/** Reads the DID document as it is now. @throws AgentError `did_not_resolvable`, `did_deactivated` */
export type DocumentSource = (did: string) => Promise<DIDDocument>

/**
 * Resolves through the agent, each DID at most once: for the time of one call, in which a DID document is taken as
 * one and the same.
 */
export function documentSource(context: IAgentContext<IResolver>): DocumentSource {
  const resolved = new Map<string, Promise<DIDDocument>>()
  return function resolveOnce(did) {
    const known = resolved.get(did)
    if (known) return known
    const document = resolvedDocument(did, context).then(({ document }) => document)
    resolved.set(did, document)
    return document
  }
}

/** The DID document as it is now, and its version if its DID method has any. @throws AgentError as a {@link DocumentSource} */
export async function resolvedDocument(
  did: string,
  context: IAgentContext<IResolver>,
): Promise<{ document: DIDDocument; version?: string }> {
  const { didDocument, didDocumentMetadata, didResolutionMetadata } = await resolution(did, context)
  if (didDocumentMetadata.deactivated) throw aboutDid('did_deactivated', `"${did}" is deactivated`)
  const { error, message } = didResolutionMetadata as { error?: string; message?: unknown }
  if (error === 'unsupportedPublicKeyType' && typeof message === 'string')
    throw notResolvable(did, message.slice(0, MOST_CHARACTERS))
  if (error || !didDocument) throw notResolvable(did, error ?? 'notFound')
  if (didDocument.id !== did) throw notResolvable(did, 'the resolver returned the document of another DID')
  const { versionId } = didDocumentMetadata
  return { document: didDocument, ...(versionId !== undefined && { version: versionId }) }
}

/** Of what a resolver says about a type of key. */
const MOST_CHARACTERS = 200

// A publisher of status lists has thousands of resource versions, which signing and verifying do not need; resolvers
// that do not support this option ignore it.
const WITHOUT_RESOURCES = { linkedResourceMetadata: false }

const resolution = (did: string, { agent }: IAgentContext<IResolver>): Promise<DIDResolutionResult> =>
  agent.resolveDid({ didUrl: did, options: WITHOUT_RESOURCES }).catch((cause: unknown) => {
    if (isAgentError(cause)) throw cause
    // resolvers of other authors throw for DIDs that they cannot read; their texts may name internal addresses
    throw notResolvable(did, 'the resolver failed', cause)
  })

const notResolvable = (did: string, reason: string, cause?: unknown): AgentError =>
  aboutDid('did_not_resolvable', `"${did}" cannot be resolved: ${reason}`, cause)

const aboutDid = (code: ErrorCode, message: string, cause?: unknown): AgentError =>
  new AgentError(code, `did: ${message}`, { cause, details: [{ path: 'did', message }] })
