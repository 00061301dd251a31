import type { IAgentContext } from '@veramo/core-types'
import {
  AgentError,
  isAgentError,
  isDid,
  isJsonObject,
  problemsError,
  type CredentialVerifyResult,
  type ErrorCode,
  type ICredentials,
  type StatusListType,
  type StatusListUpdateCredentialArgs,
} from '@vidimus/core-types'
import { isCertifiedIssuer } from '@vidimus/verification-methods'
import { headerOf } from '../encoding/compact-jwt.js'
import { publishingAct, demandHeldDid, holdsDid, type WritingContext } from '../agent-context.js'
import type { ListAddresses } from '../addresses/list-addresses.js'
import { demandFit, knownEntries, locatedEntry, type LocatedEntry } from './entries-of-credential.js'
import { meantEntry, refusalAt, type MeantAction } from './meant-entry.js'
import { readFirst } from '../versions/list-location.js'
import type { PublishedLists } from '../versions/published-lists.js'

/** What updating a list by credential needs of the agent. */
export type CredentialUpdatingContext = WritingContext & IAgentContext<ICredentials>

/** A credential presented by the caller, and the action. */
export type ShownCredential = MeantAction & {
  credential: NonNullable<StatusListUpdateCredentialArgs['credential']>
}

/** What must be verified before a credential is trusted; it may be expired or suspended. */
const NEEDED_CHECKS = ['format', 'document', 'signature']

/**
 * Finds the entry that an action on a credential refers to. The credential must be signed by its issuer: a forged one
 * could name the index of another. For the same reason the issuer must be the publisher of the list or another DID of
 * the account.
 *
 * @throws AgentError `invalid_credential`, `did_not_found` if the account does not hold the DID of the list,
 *   `list_not_found`, `purpose_mismatch`, `invalid_input` if several entries are possible
 */
export async function entryToUpdate(
  { credential, action, listType }: ShownCredential,
  types: readonly StatusListType[],
  lists: PublishedLists,
  addresses: ListAddresses,
  context: CredentialUpdatingContext,
): Promise<LocatedEntry & { encrypted: boolean }> {
  const believed = await believedCredential(credential, context)
  const known = knownEntries(believed.credential, types).filter(
    ({ type }) => listType === undefined || type.type === listType,
  )
  const located = await Promise.all(known.map((entry) => locatedEntry(entry, addresses)))
  const entries = located.filter((entry) => entry !== undefined)
  const entry = meantEntry(entries, action, listType, 'credential')
  const { location, type } = entry
  await demandHeldDid(location.did, publishingAct(type), context)
  if (believed.issuer !== location.did && !(await holdsDid(believed.issuer, 'assertionMethod', context))) {
    const message = `its issuer "${believed.issuer}" is neither the publisher of the list nor a DID of the account`
    throw refusal('invalid_credential', message)
  }
  const { list } = await readFirst(type, location, [location.resourceType], lists, context)
  demandFit(entry, list.layout)
  return { ...entry, encrypted: list.layout.encrypted }
}

/** Reports refusals under what the caller sent: the credential, or its id. */
export async function aboutCredential<T>(
  sent: 'credential' | 'credentialId',
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isAgentError(error)) throw error
    const { code, message, details } = error
    if (code === 'invalid_configuration') throw error
    if (details.length === 0) throw refusalAt(sent, code, message, error)
    const named = details.map((detail) => ({
      ...detail,
      path: KEPT_PATHS.includes(detail.path) ? detail.path : sent,
    }))
    throw problemsError(code, named)
  }
}

/** Arguments of the caller's own. */
const KEPT_PATHS = ['listType', 'statusListVersion', 'credential', 'credentialId']

/** The credential as its issuer signed it. */
async function believedCredential(
  credential: ShownCredential['credential'],
  context: CredentialUpdatingContext,
): Promise<{ issuer: string; credential: NonNullable<CredentialVerifyResult['credential']> }> {
  const { agent } = context as { agent: Partial<CredentialUpdatingContext['agent']> }
  if (typeof agent.credentialVerify !== 'function') {
    throw new AgentError('invalid_configuration', 'this agent has no plugin that verifies credentials')
  }
  const verdict = await agent.credentialVerify({ credential, statusPolicy: 'skip' })
  const publisher = await signingDid(verdict, context)
  if (publisher !== undefined && verdict.credential) {
    return { issuer: publisher, credential: verdict.credential }
  }
  const failed = verdict.checks.filter(({ check, ok }) => NEEDED_CHECKS.includes(check) && !ok)
  const signed = verdict.checks.some(({ check, ok }) => check === 'signature' && ok)
  if (failed.length > 0 || !signed || verdict.issuer === undefined || !verdict.credential) {
    const reasons = failed.flatMap(({ message }) => message ?? [])
    throw refusal('invalid_credential', reasons.join('; ') || 'it does not verify')
  }
  return { issuer: verdict.issuer, credential: verdict.credential }
}

/**
 * The DID whose key has signed a credential that names its issuer by certificates: whoever holds it issued the credential, whichever
 * anchors are trusted here.
 *
 * @returns `undefined` for every other credential
 */
async function signingDid(
  { issuer, credential, checks }: CredentialVerifyResult,
  { agent }: CredentialUpdatingContext,
): Promise<string | undefined> {
  const proof: unknown = credential?.proof
  const text = isJsonObject(proof) ? proof.jwt : undefined
  const [jwt = ''] = typeof text === 'string' ? text.split('~', 1) : []
  const { kid } = headerOf(jwt)
  const did = typeof kid === 'string' ? kid.split('#', 1)[0] : undefined
  const isShown = checks.every(({ check, ok }) => ok || !['format', 'document'].includes(check))
  if (!isCertifiedIssuer(issuer) || !isDid(did) || !isShown) return undefined
  await agent.didJwtVerify({ jwt, did })
  return did
}

const refusal = (code: ErrorCode, message: string, cause?: unknown) =>
  refusalAt('credential', code, message, cause)
