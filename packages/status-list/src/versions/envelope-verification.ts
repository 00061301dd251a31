import {
  AgentError,
  isAgentError,
  type StatusListLocation,
  type StatusListSecuring,
} from '@vidimus/core-types'
import type { VerificationMethod } from 'did-resolver'
import { certificatesIn, isCertifiedIssuer } from '@vidimus/verification-methods'
import type { ReadingContext } from '../agent-context.js'
import { headerOf } from '../encoding/compact-jwt.js'
import { isNameOf, parseListUrl } from '../types/list-url.js'

/** Why what secures a list does not hold. */
export interface SecuringFailure {
  error: AgentError
  /**
   * The publisher no longer has the key that signed. The ledger accepted the list when it did: the publisher may sign
   * it again by an update, so that changing keys does not end revoking.
   */
  keyRetired: boolean
  /**
   * it was signed before the previous version, or for another place in the history: the list continues from
   * that
   */
  outdated?: boolean
}

/**
 * Verifies the proof of a list: signed by the publisher of the resource, no other issuer named, for this very list.
 *
 * @returns the problem, or `undefined`
 * @throws AgentError if this could not be determined, for example `did_not_resolvable`
 */
export async function securingFailure(
  { jwt, issuer, id }: StatusListSecuring,
  location: StatusListLocation,
  context: ReadingContext,
): Promise<SecuringFailure | undefined> {
  const { did } = location
  // What certificates name the publisher by is no other issuer: the key of the DID has signed it.
  const isCertified = isCertifiedIssuer(issuer) && certificatesIn(headerOf(jwt)) !== undefined
  if (issuer !== undefined && issuer !== did && !isCertified)
    return distrusted(`its issuer is "${issuer}", but "${did}" published it`)
  if (id !== undefined && namesSomeList(id) && !isNameOf(id, location)) {
    return distrusted(`it claims to be the list "${id}"`)
  }
  try {
    await context.agent.didJwtVerify({ jwt, did })
    return undefined
  } catch (error) {
    if (!isAgentError(error) || error.code !== 'invalid_credential') throw error
    const keyRetired = !(await isSignedByCurrentKey(jwt, did, context))
    return { ...distrusted(error.message, error), keyRetired }
  }
}

/**
 * The current version of a publisher's DID document: what was verified under one version must be verified again under
 * the next, as keys may have been removed.
 *
 * @returns `undefined` if nothing that was verified before can be trusted: deactivated, or not resolvable
 */
export async function publisherVersion(did: string, context: ReadingContext): Promise<string | undefined> {
  const { didDocument, didDocumentMetadata } = await context.agent.resolveDid({
    didUrl: did,
    options: WITHOUT_RESOURCES,
  })
  if (!didDocument || didDocumentMetadata.deactivated) return undefined
  // resolvers of other methods need not report versions
  return didDocumentMetadata.versionId ?? JSON.stringify(didDocument)
}

/** Older tools give their lists an id that leads nowhere. */
const namesSomeList = (id: string): boolean => parseListUrl(id) !== undefined || /^https?:/i.test(id)

/** A publisher has thousands of resource versions; resolvers that do not know the option ignore it. */
const WITHOUT_RESOURCES = { linkedResourceMetadata: false }

/** Whether the JWT names a key that the DID document has now; if so, a wrong signature is a forgery. */
async function isSignedByCurrentKey(jwt: string, did: string, context: ReadingContext): Promise<boolean> {
  const { kid } = headerOf(jwt)
  if (typeof kid !== 'string' || !absolute(kid, did).startsWith(`${did}#`)) return true
  const { didDocument } = await context.agent.resolveDid({ didUrl: did, options: WITHOUT_RESOURCES })
  const asserting: (string | VerificationMethod)[] = didDocument?.assertionMethod ?? []
  return asserting
    .map((method) => (typeof method === 'string' ? method : method.id))
    .some((method) => absolute(method, did) === absolute(kid, did))
}

const absolute = (id: string, did: string): string => (id.startsWith('#') ? did + id : id)

export const distrusted = (reason: string, cause?: unknown): SecuringFailure => ({
  error: new AgentError('invalid_credential', `the status list does not verify: ${reason}`, { cause }),
  keyRetired: false,
})
