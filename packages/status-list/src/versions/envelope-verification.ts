import {
  AgentError,
  isAgentError,
  type StatusListLocation,
  type StatusListSecuring,
} from '@vidimus/core-types'
import type { VerificationMethod } from 'did-resolver'
import type { ReadingContext } from '../agent-context.js'
import { headerOf } from '../encoding/compact-jwt.js'
import { isNameOf, parseListUrl } from '../types/list-url.js'

/** Why what secures a list does not hold. */
export interface SecuringFailure {
  error: AgentError
  /**
   * The key that signed is none of the publisher's any more. The ledger took the list when it was: the publisher may
   * sign it anew by an update, so that changing keys does not put an end to revoking.
   */
  keyRetired: boolean
  /** it was signed before the version that it follows, or for another place in the history: the list goes on from that */
  outdated?: boolean
}

/**
 * Verifies what secures a list: signed by the publisher of the resource, nobody else named as the issuer, for this very
 * list.
 *
 * @returns what is wrong, or `undefined`
 * @throws AgentError where it could not be found out, for example `did_not_resolvable`
 */
export async function securingFailure(
  { jwt, issuer, id }: StatusListSecuring,
  location: StatusListLocation,
  context: ReadingContext,
): Promise<SecuringFailure | undefined> {
  const { did } = location
  if (issuer !== undefined && issuer !== did)
    return distrusted(`its issuer is "${issuer}", but "${did}" published it`)
  if (id !== undefined && namesSomeList(id) && !isNameOf(id, location)) {
    return distrusted(`it says to be the list "${id}"`)
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
 * Which version of its DID document a publisher has now: what was verified under one version is to be verified again
 * under the next, as keys may have left.
 *
 * @returns `undefined` where nothing that was verified before may be believed: deactivated, or not to be resolved
 */
export async function publisherVersion(did: string, context: ReadingContext): Promise<string | undefined> {
  const { didDocument, didDocumentMetadata } = await context.agent.resolveDid({
    didUrl: did,
    options: WITHOUT_RESOURCES,
  })
  if (!didDocument || didDocumentMetadata.deactivated) return undefined
  // resolvers of other methods need not tell versions
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
