import type { CredentialStatus } from '@veramo/core-types'
import {
  AgentError,
  isAgentError,
  type StatusListEntry,
  type StatusListType,
  type StatusReport,
} from '@vidimus/core-types'
import type { UnlockingContext } from './agent-context.js'
import { trustedList } from './check-list.js'
import { getEntry } from './entries.js'
import type { ListAccess } from './list-access.js'
import { readFirst, type LocatedList } from './list-location.js'
import { listUrl, parseListUrl } from './list-url.js'
import type { DecodedList, PublishedLists } from './published-lists.js'

/** What one entry of `credentialStatus` says. */
export interface CheckedEntry extends StatusReport {
  type: string
  /** left out for entries of types without purposes */
  purpose?: string
  /** DID URL of the list */
  list: string
  index: number
}

/** Why an entry could not be checked. */
export interface UncheckedEntry {
  /** `credentialStatus` or `credentialStatus[1]` */
  path: string
  code: string
  message: string
}

/**
 * The status of a credential. Nothing but `revoked: false` together with `verified: true` means that it is in force.
 */
export interface CredentialStatusAnswer extends CredentialStatus {
  revoked: boolean
  /** every entry was checked, and none speaks against the credential */
  verified: boolean
  suspended?: boolean
  /** why it is not in force, for people */
  message?: string
  /** what each entry says, as far as it could be checked */
  statuses?: CheckedEntry[]
  errors?: UncheckedEntry[]
}

/** Each entry can cost a look-up of a list. */
const MOST_ENTRIES = 16

/**
 * Checks every entry of the `credentialStatus` of a credential. Entries of unknown types, of lists that cannot be read
 * or trusted, and of lists elsewhere on the web, which nobody asks, count against the credential. A value other than 0
 * does as well, but for the purpose `refresh`, which says that there is something newer.
 *
 * @param access - to encrypted lists
 * @param makeFeePayment - whether to pay for encrypted lists; otherwise the entry counts against the credential
 * @returns never an error for something that is wrong with the credential or its lists
 */
export async function checkCredentialStatus(
  credential: { credentialStatus?: unknown },
  types: readonly StatusListType[],
  lists: PublishedLists,
  access: ListAccess,
  makeFeePayment: boolean,
  context: UnlockingContext,
  now: Date,
): Promise<CredentialStatusAnswer> {
  const { credentialStatus } = credential
  if (credentialStatus === undefined || credentialStatus === null) return { revoked: false, verified: true }
  const entries: unknown[] = Array.isArray(credentialStatus) ? credentialStatus : [credentialStatus]
  const statuses: CheckedEntry[] = []
  const errors: UncheckedEntry[] = []
  if (entries.length > MOST_ENTRIES) {
    errors.push({
      path: 'credentialStatus',
      code: 'invalid_credential',
      message: `it has ${entries.length} entries, more than the ${MOST_ENTRIES} that are looked at`,
    })
    entries.length = 0
  }
  for (const [n, entry] of entries.entries()) {
    const path = Array.isArray(credentialStatus) ? `credentialStatus[${n}]` : 'credentialStatus'
    try {
      const open = (list: LocatedList) => access.open(list, makeFeePayment, context)
      statuses.push(await checkEntry(entry, types, lists, open, context, now))
    } catch (error) {
      if (!isAgentError(error)) throw error
      errors.push({ path, code: error.code, message: error.message })
    }
  }
  return answerOf(statuses, errors)
}

async function checkEntry(
  entry: unknown,
  types: readonly StatusListType[],
  lists: PublishedLists,
  open: (list: LocatedList) => Promise<DecodedList>,
  context: UnlockingContext,
  now: Date,
): Promise<CheckedEntry> {
  if (!isObject(entry)) throw unusable('it is not an object')
  const type = types.find(({ entryType }) => [entry.type].flat().includes(entryType))
  if (!type) {
    const named = typeof entry.type === 'string' ? `"${entry.type}"` : 'none'
    throw unusable(
      `its type is ${named}, but known are ${types.map(({ entryType }) => entryType).join(', ')}`,
    )
  }
  const { listUrl: url, index, purpose, statusSize } = type.readEntry(entry)
  const location = locationOf(type, url)
  const located = await readFirst(type, location, [location.resourceType], lists, context)
  const { layout, entries } = trustedList(located, now)
  if (purpose !== undefined && !layout.purposes.includes(purpose)) {
    throw new AgentError(
      'purpose_mismatch',
      `the list is about ${layout.purposes.join(', ')}, not ${purpose}`,
    )
  }
  if (statusSize !== undefined && statusSize !== layout.statusSize) {
    throw unusable(
      `it says that entries have ${statusSize} bits, but those of the list have ${layout.statusSize}`,
    )
  }
  if (index >= entries) {
    throw new AgentError('index_out_of_range', `${index} is outside the list (0 to ${entries - 1})`)
  }
  const { bits } = await open(located)
  const report = type.report(layout, getEntry(bits, layout, index), purpose)
  const list = listUrl(location)
  return { type: type.entryType, ...(purpose !== undefined && { purpose }), list, index, ...report }
}

function locationOf(type: StatusListType, url: StatusListEntry['listUrl']) {
  const location = parseListUrl(url)
  if (!location) throw unusable('its list is not named by a DID URL with resourceName and resourceType')
  if (!type.resourceTypes().includes(location.resourceType)) {
    throw unusable(`its list is a "${location.resourceType}", which is no ${type.type}`)
  }
  return location
}

function answerOf(
  statuses: readonly CheckedEntry[],
  errors: readonly UncheckedEntry[],
): CredentialStatusAnswer {
  const revoked = statuses.some((status) => status.revoked)
  const suspended = statuses.some((status) => status.suspended)
  const against = statuses.filter(({ valid, purpose }) => !valid && purpose !== 'refresh')
  const reasons = [...against.map(objectionOf), ...errors.map(({ path, message }) => `${path}: ${message}`)]
  return {
    revoked,
    suspended,
    verified: reasons.length === 0,
    ...(reasons.length > 0 && { message: reasons.join('; ') }),
    statuses: [...statuses],
    ...(errors.length > 0 && { errors: [...errors] }),
  }
}

function objectionOf({ revoked, suspended, status, message, list, index, purpose }: CheckedEntry): string {
  const name = parseListUrl(list)?.statusListName ?? list
  const where = `index ${index} of the list "${name}"${purpose === undefined ? '' : `, ${purpose}`}`
  if (revoked) return `it is revoked (${where})`
  if (suspended) return `it is suspended (${where})`
  return `its status is ${message === undefined ? status : `"${message}" (${status})`} (${where})`
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const unusable = (reason: string): AgentError =>
  new AgentError('invalid_credential', `the credentialStatus cannot be used: ${reason}`)
