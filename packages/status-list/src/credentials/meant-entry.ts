import {
  AgentError,
  type CredentialAction,
  type ErrorCode,
  type StatusListUpdateCredentialArgs,
} from '@vidimus/core-types'
import type { LocatedEntry } from './entries-of-credential.js'

export const PURPOSE_OF_ACTION = {
  revoke: 'revocation',
  suspend: 'suspension',
  reinstate: 'suspension',
} as const

/** What is to be done, and with which of the entries. */
export type MeantAction = Pick<StatusListUpdateCredentialArgs, 'listType'> & { action: CredentialAction }

/**
 * Of several entries, chooses the one with the action's purpose; otherwise one with the purpose `message` or without
 * any; otherwise any, and the list decides.
 *
 * @param path - under which the caller named the credential
 * @throws AgentError `invalid_credential`, `invalid_input` if several entries are possible
 */
export function meantEntry<Entry extends LocatedEntry>(
  entries: readonly Entry[],
  action: CredentialAction,
  listType: string | undefined,
  path: string,
): Entry {
  const exact = entries.filter(({ purpose }) => purpose === PURPOSE_OF_ACTION[action])
  const open = entries.filter(({ purpose }) => purpose === undefined || purpose === 'message')
  const candidates = distinct([exact, open, entries].find((tier) => tier.length > 0) ?? [])
  const [meant, ...others] = candidates
  if (!meant) {
    const ofType = listType === undefined ? '' : ` of type ${listType}`
    throw refusalAt(
      path,
      'invalid_credential',
      `it has no entry of a status list${ofType} that can be updated here`,
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
      ? 'choose one with listType'
      : 'update the list by its name and index instead'
  throw refusalAt(path, 'invalid_input', `it has several matching entries (${named.join(', ')}); ${advice}`)
}

/** Entries that only differ in content, not in their target, count as one. */
function distinct<Entry extends LocatedEntry>(entries: readonly Entry[]): Entry[] {
  const byPlace = new Map(
    entries.map((entry) => {
      const { did, statusListName, resourceType } = entry.location
      return [JSON.stringify([did, statusListName, resourceType, entry.index]), entry]
    }),
  )
  return [...byPlace.values()]
}

/** A refusal of the credential, with its detail where the caller has named it. */
export const refusalAt = (path: string, code: ErrorCode, message: string, cause?: unknown): AgentError =>
  new AgentError(code, `${path}: ${message}`, {
    details: [{ path, message }],
    ...(cause !== undefined && { cause }),
  })
