import type { IAgentContext, IDIDManager, IIdentifier, IResolver } from '@veramo/core-types'
import { AgentError, isAgentError, BOUNDS, problemsError, type ErrorCode } from '@vidimus/core-types'
import { parse, type DIDDocument, type DIDResolutionResult } from 'did-resolver'

/** Reads the DID document as it is now. @throws AgentError `did_not_resolvable`, `did_deactivated` */
export type DocumentSource = (did: string) => Promise<DIDDocument>

/** Tells whether a text is a DID: no path, no query, no fragment. */
export function isDid(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > BOUNDS.did) return false
  const parsed = parse(value)
  return parsed !== null && parsed.did === value
}

/**
 * Resolves through the agent, each DID at most once: for the time of one call, in which a DID document is taken as
 * one and the same.
 */
export function documentSource(context: IAgentContext<IResolver>): DocumentSource {
  const resolved = new Map<string, Promise<DIDDocument>>()
  return (did) => {
    const known = resolved.get(did)
    if (known) return known
    const document = resolveDocument(did, context)
    resolved.set(did, document)
    return document
  }
}

/**
 * The identifier, where the account in scope holds it. One that exists for others only reads like an unknown one.
 *
 * @throws AgentError `did_not_found`, its detail at the path `did`
 */
export async function heldIdentifier(did: string, context: IAgentContext<IDIDManager>): Promise<IIdentifier> {
  try {
    return await context.agent.didManagerGet({ did })
  } catch (error) {
    if (!tellsNotFound(error)) throw error
    const message = `"${did}" is unknown, or the account does not hold it`
    throw problemsError('did_not_found', [{ path: 'did', message }])
  }
}

/** Whether the account in scope holds a DID; an agent without a DID manager holds none. */
export async function isHeld(did: string, context: IAgentContext<{}>): Promise<boolean> {
  if (!context.agent.availableMethods().includes('didManagerGet')) return false
  try {
    await heldIdentifier(did, context as IAgentContext<IDIDManager>)
    return true
  } catch (error) {
    if (isAgentError(error) && error.code === 'did_not_found') return false
    throw error
  }
}

async function resolveDocument(did: string, context: IAgentContext<IResolver>): Promise<DIDDocument> {
  const { didDocument, didDocumentMetadata, didResolutionMetadata } = await resolution(did, context)
  if (didDocumentMetadata.deactivated) throw aboutDid('did_deactivated', `"${did}" is deactivated`)
  const { error } = didResolutionMetadata
  if (error || !didDocument) throw notResolvable(did, error ?? 'notFound')
  if (didDocument.id !== did)
    throw notResolvable(did, 'the resolver answered with the document of another DID')
  return didDocument
}

// A publisher of status lists has thousands of resource versions, which nobody needs to sign or to verify; resolvers
// that do not know this option ignore it.
const WITHOUT_RESOURCES = { linkedResourceMetadata: false }

async function resolution(did: string, context: IAgentContext<IResolver>): Promise<DIDResolutionResult> {
  try {
    return await context.agent.resolveDid({ didUrl: did, options: WITHOUT_RESOURCES })
  } catch (cause) {
    if (isAgentError(cause)) throw cause
    // resolvers of other authors throw for DIDs that they cannot read; their texts may name internal addresses
    throw notResolvable(did, 'the resolver failed', cause)
  }
}

const notResolvable = (did: string, reason: string, cause?: unknown): AgentError =>
  aboutDid('did_not_resolvable', `"${did}" cannot be resolved: ${reason}`, cause)

const aboutDid = (code: ErrorCode, message: string, cause?: unknown): AgentError =>
  new AgentError(code, `did: ${message}`, { cause, details: [{ path: 'did', message }] })

/** Veramo's stores tell by text alone; any other failure of a store must not read as "not held". */
const tellsNotFound = (error: unknown): boolean =>
  isAgentError(error)
    ? error.code === 'did_not_found'
    : error instanceof Error && /^(not_found:|identifier not found)/i.test(error.message)
