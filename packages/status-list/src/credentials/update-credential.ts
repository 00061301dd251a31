import type { IAgentContext } from '@veramo/core-types'
import {
  AgentError,
  isAgentError,
  problemsError,
  type CredentialVerifyResult,
  type ErrorCode,
  type ICredentials,
  type StatusListType,
  type StatusListUpdateCredentialArgs,
} from '@vidimus/core-types'
import { actOf, demandHeldDid, holdsDid, type WritingContext } from '../agent-context.js'
import type { ListAddresses } from '../addresses/list-addresses.js'
import { demandFit, knownEntries, locatedEntry, type LocatedEntry } from './entries-of-credential.js'
import { readFirst } from '../versions/list-location.js'
import type { PublishedLists } from '../versions/published-lists.js'

/** What the agent must be able to do, for a list to be updated by a credential. */
export type CredentialUpdatingContext = WritingContext & IAgentContext<ICredentials>

const PURPOSE_OF_ACTION = { revoke: 'revocation', suspend: 'suspension', reinstate: 'suspension' } as const

/** What must hold before a credential is believed; that it has expired or is suspended is no reason to refuse it. */
const NEEDED_CHECKS = ['format', 'document', 'signature']

/**
 * Finds the entry that an action on a credential is about. The credential must be what its issuer signed: a forged
 * one could name the index of another. For the same reason the issuer must be the publisher of the list or another
 * DID of the account.
 *
 * Of several entries that one is meant whose purpose the action is about; otherwise one with the purpose `message` or
 * without any; otherwise whatever there is, and the list decides.
 *
 * @throws AgentError `invalid_credential`, `did_not_found` where the account does not hold the DID of the list,
 * `list_not_found`, `purpose_mismatch`, `invalid_input` where several entries could be meant
 */
export async function entryToUpdate(
  { credential, action, listType }: StatusListUpdateCredentialArgs,
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
  const entry = meantEntry(entries, action, listType)
  const { location, type } = entry
  await demandHeldDid(location.did, actOf(type), context)
  if (believed.issuer !== location.did && !(await holdsDid(believed.issuer, 'assertionMethod', context))) {
    const message = `its issuer "${believed.issuer}" is neither the publisher of the list nor a DID of the account`
    throw refusal('invalid_credential', message)
  }
  const { list } = await readFirst(type, location, [location.resourceType], lists, context)
  demandFit(entry, list.layout)
  return { ...entry, encrypted: list.layout.encrypted }
}

/** Names refusals by what the caller sent: the credential. */
export async function aboutCredential<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isAgentError(error)) throw error
    const { code, message, details } = error
    if (code === 'invalid_configuration') throw error
    if (details.length === 0) throw refusal(code, message, error)
    const named = details.map((detail) => ({
      path: KEPT_PATHS.includes(detail.path) ? detail.path : 'credential',
      message: detail.message,
    }))
    throw problemsError(code, named)
  }
}

/** Arguments of the caller's own. */
const KEPT_PATHS = ['listType', 'action', 'statusListVersion', 'credential']

/** The credential as its issuer signed it. */
async function believedCredential(
  credential: StatusListUpdateCredentialArgs['credential'],
  context: CredentialUpdatingContext,
): Promise<{ issuer: string; credential: NonNullable<CredentialVerifyResult['credential']> }> {
  const { agent } = context as { agent: Partial<CredentialUpdatingContext['agent']> }
  if (typeof agent.credentialVerify !== 'function') {
    throw new AgentError('invalid_configuration', 'this agent has no plugin that verifies credentials')
  }
  const verdict = await agent.credentialVerify({ credential, statusPolicy: 'skip' })
  const failed = verdict.checks.filter(({ check, ok }) => NEEDED_CHECKS.includes(check) && !ok)
  const signed = verdict.checks.some(({ check, ok }) => check === 'signature' && ok)
  if (failed.length > 0 || !signed || verdict.issuer === undefined || !verdict.credential) {
    const reasons = failed.flatMap(({ message }) => message ?? [])
    throw refusal('invalid_credential', reasons.join('; ') || 'it does not verify')
  }
  return { issuer: verdict.issuer, credential: verdict.credential }
}

function meantEntry(
  entries: readonly LocatedEntry[],
  action: StatusListUpdateCredentialArgs['action'],
  listType: string | undefined,
): LocatedEntry {
  const exact = entries.filter(({ purpose }) => purpose === PURPOSE_OF_ACTION[action])
  const open = entries.filter(({ purpose }) => purpose === undefined || purpose === 'message')
  const candidates = distinct([exact, open, entries].find((tier) => tier.length > 0) ?? [])
  const [meant, ...others] = candidates
  if (!meant) {
    const ofType = listType === undefined ? '' : ` of type ${listType}`
    throw refusal(
      'invalid_credential',
      `it names no entry of a status list${ofType} that could be updated here`,
    )
  }
  if (others.length === 0) return meant
  const named = candidates.map(({ type, purpose, index, location }) =>
    [type.type, `"${location.statusListName}"`, purpose, index]
      .filter((part) => part !== undefined)
      .join(' '),
  )
  const advice =
    new Set(candidates.map(({ type }) => type.type)).size > 1
      ? 'say which by listType'
      : 'update the list by its name and index instead'
  throw refusal('invalid_input', `several of its entries could be meant (${named.join(', ')}); ${advice}`)
}

/** Entries that differ in what they say, and not in where they point, are one. */
function distinct(entries: readonly LocatedEntry[]): LocatedEntry[] {
  const byPlace = new Map(
    entries.map((entry) => {
      const { did, statusListName, resourceType } = entry.location
      return [JSON.stringify([did, statusListName, resourceType, entry.index]), entry]
    }),
  )
  return [...byPlace.values()]
}

const refusal = (code: ErrorCode, message: string, cause?: unknown): AgentError =>
  new AgentError(code, `credential: ${message}`, {
    details: [{ path: 'credential', message }],
    ...(cause !== undefined && { cause }),
  })
