import type { CredentialStatus } from '@veramo/core-types'
import {
  AgentError,
  BOUNDS,
  inCheq,
  isAgentError,
  isJsonObject,
  type StatusListType,
  type StatusReport,
} from '@vidimus/core-types'
import { certificatesIn, isCertifiedIssuer } from '@vidimus/verification-methods'
import { headerOf } from '../encoding/compact-jwt.js'
import { getEntry } from '../encoding/entries.js'
import type { Payer } from '../encryption/list-access.js'
import type { Voucher } from '../strangers/verify-foreign.js'
import { isInRange, outsideList } from '../indices/index-range.js'
import { parseListUrl } from '../types/list-url.js'
import { widthConflict, withWidth } from '../versions/decoded-list.js'
import { listAt, type Checking } from './list-at.js'

/** The result for one entry of a credential. */
export interface CheckedEntry extends StatusReport {
  type: string
  /** absent for entries of types without purposes */
  purpose?: string
  /** DID URL of the list, or its https address if the entry has that */
  list: string
  index: number
  /** what the list calls the value, if the entry calls it something else */
  listMessage?: string
}

/** An entry that could not be checked, with what is known of it. */
export interface FailedEntry {
  type?: string
  list?: string
  index?: number
  purpose?: string
  error: string
  /** `status_issuer` for a list that somebody else has signed */
  code?: string
}

/** Why an entry could not be checked. */
export interface UncheckedEntry {
  /** `credentialStatus`, `credentialStatus[1]` or `status` */
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
  /** one for each entry, in their order */
  statuses?: (CheckedEntry | FailedEntry)[]
  errors?: UncheckedEntry[]
  /** what reading it has cost, in CHEQ; absent: nothing */
  feesPaid?: number
}

/** Where credentials keep the entries of list types; everything there must be understood. */
const MEMBERS = ['credentialStatus', 'status'] as const
type Member = (typeof MEMBERS)[number]

/** An entry of a credential, and its location. */
interface PlacedEntry {
  path: string
  member: Member
  entry: unknown
}

/**
 * Checks every entry of a credential: those in `credentialStatus`, and those of list types in `status`. Entries of
 * unknown types, and of lists that cannot be read or trusted, count against the credential. A value other than 0 does
 * as well, except for the purpose `refresh`, which means that there is something newer.
 *
 * @param payer - if it does not pay for an encrypted list, the entry counts against the credential
 * @returns never an error for a problem of the credential or its lists
 */
export async function checkCredentialStatus(
  credential: Partial<Record<Member | 'issuer' | 'proof', unknown>>,
  types: readonly StatusListType[],
  payer: Payer,
  checking: Checking,
): Promise<CredentialStatusAnswer> {
  const named = MEMBERS.filter((member) => hasEntries(member, credential[member]))
  if (named.length === 0) return { revoked: false, verified: true }
  const statuses: (CheckedEntry | FailedEntry)[] = []
  const errors: UncheckedEntry[] = []
  const voucher = credentialVoucher(credential)
  for (const { path, member, entry } of entriesIn(credential, named, errors)) {
    try {
      if (!isJsonObject(entry)) throw unusable('it is not an object', member)
      for (const type of entryListTypes(entry, member, types)) {
        statuses.push(await checkEntry(type, entry, voucher, payer, checking))
      }
    } catch (error) {
      if (!isAgentError(error)) throw error
      errors.push({ path, code: error.code, message: error.message })
      const { code, message } = error
      const known = saidBy(entry, member, types)
      statuses.push({ ...known, error: message, ...(code === 'status_issuer' && { code }) })
    }
  }
  const { taken } = payer.allowance
  return { ...statusAnswer(statuses, errors), ...(taken > 0n && { feesPaid: inCheq(taken) }) }
}

/** A `status` in words or numbers is the issuer’s own affair. */
const hasEntries = (member: Member, value: unknown): boolean =>
  value !== null && (member === 'status' ? typeof value === 'object' : value !== undefined)

/** `credentialStatus` holds one entry or a list of them, `status` is one. */
function entriesIn(
  credential: Partial<Record<Member, unknown>>,
  members: readonly Member[],
  errors: UncheckedEntry[],
): PlacedEntry[] {
  return members.flatMap((member): PlacedEntry[] => {
    const value = credential[member]
    if (member === 'status' || !Array.isArray(value)) return [{ path: member, member, entry: value }]
    if (value.length <= BOUNDS.statusEntries) {
      return value.map((entry: unknown, n) => ({ path: `${member}[${n}]`, member, entry }))
    }
    errors.push({
      path: member,
      code: 'invalid_credential',
      message: `it has ${value.length} entries, more than the ${BOUNDS.statusEntries} that are checked`,
    })
    return []
  })
}

/**
 * The types that know an entry. One in `credentialStatus` names its own type; `status` has a member for each
 * mechanism, any of which an issuer may offer beside others.
 *
 * @throws AgentError `invalid_credential` if there is none
 */
function entryListTypes(
  entry: Record<string, unknown>,
  member: Member,
  types: readonly StatusListType[],
): StatusListType[] {
  const candidates = types.filter(({ entryMember = 'credentialStatus' }) => entryMember === member)
  const found = candidates.filter(({ entryType }) =>
    member === 'status' ? Object.hasOwn(entry, entryType) : [entry.type].flat().includes(entryType),
  )
  if (found.length > 0) return found
  const known = candidates.map(({ entryType }) => entryType).join(', ') || 'none'
  const named = typeof entry.type === 'string' ? `"${entry.type}"` : 'none'
  throw unusable(
    member === 'status'
      ? `none of its members is a known mechanism (${known})`
      : `its type is ${named}; known: ${known}`,
    member,
  )
}

async function checkEntry(
  type: StatusListType,
  entry: Record<string, unknown>,
  voucher: Voucher,
  payer: Payer,
  checking: Checking,
): Promise<CheckedEntry> {
  const { listUrl, index, purpose, statusSize, statusMessages } = type.readEntry(entry)
  const { facts, address, open } = await listAt(listUrl, type, voucher, checking)
  const conflict = widthConflict(facts.layout, statusSize)
  if (conflict !== undefined) throw unusable(`it has a statusSize of ${conflict}`, type.entryMember)
  const { layout, entries } = withWidth(facts, statusSize)
  if (purpose !== undefined && !layout.purposes.includes(purpose)) {
    throw new AgentError('purpose_mismatch', `the list is for ${layout.purposes.join(', ')}, not ${purpose}`)
  }
  if (!isInRange(index, entries)) {
    throw new AgentError('index_out_of_range', outsideList(index, entries))
  }
  const { bits } = await open(payer)
  const value = getEntry(bits, layout, index)
  const report = type.report({ ...layout, ...(statusMessages && { statusMessages }) }, value, purpose)
  const ofList = layout.statusMessages && type.report(layout, value, purpose).message
  return {
    type: type.entryType,
    ...(purpose !== undefined && { purpose }),
    list: address,
    index,
    ...report,
    ...(ofList !== undefined && ofList !== report.message && { listMessage: ofList }),
  }
}

/** The result for an entry that could not be checked. */
function saidBy(
  entry: unknown,
  member: Member,
  types: readonly StatusListType[],
): Omit<FailedEntry, 'error' | 'code'> {
  try {
    const [type] = isJsonObject(entry) ? entryListTypes(entry, member, types) : []
    if (!type || !isJsonObject(entry)) return {}
    const { listUrl: list, index, purpose } = type.readEntry(entry)
    return { type: type.entryType, ...(purpose !== undefined && { purpose }), list, index }
  } catch (error) {
    if (!isAgentError(error)) throw error
    const named = isJsonObject(entry) ? entry.type : undefined
    return typeof named === 'string' ? { type: named } : {}
  }
}

/** Of an issuer that certificates name, they are those of the credential's JWT. */
function credentialVoucher({ issuer, proof }: { issuer?: unknown; proof?: unknown }): Voucher {
  const id = isJsonObject(issuer) ? issuer.id : issuer
  if (typeof id !== 'string') return {}
  const jwt = isJsonObject(proof) && typeof proof.jwt === 'string' ? proof.jwt : ''
  const certificates = isCertifiedIssuer(id) ? certificatesIn(headerOf(jwt)) : undefined
  return { issuer: id, ...(certificates && { certificates }) }
}

function statusAnswer(
  statuses: readonly (CheckedEntry | FailedEntry)[],
  errors: readonly UncheckedEntry[],
): CredentialStatusAnswer {
  const checked = statuses.filter((status): status is CheckedEntry => !('error' in status))
  const revoked = checked.some((status) => status.revoked)
  const suspended = checked.some((status) => status.suspended)
  const against = checked.filter(({ valid, purpose }) => !valid && purpose !== 'refresh')
  const reasons = [
    ...against.map(entryObjection),
    ...errors.map(({ path, message }) => `${path}: ${message}`),
  ]
  return {
    revoked,
    suspended,
    verified: reasons.length === 0,
    ...(reasons.length > 0 && { message: reasons.join('; ') }),
    statuses: [...statuses],
    ...(errors.length > 0 && { errors: [...errors] }),
  }
}

function entryObjection({ revoked, suspended, status, message, list, index, purpose }: CheckedEntry): string {
  const name = parseListUrl(list)?.statusListName ?? list
  const where = `index ${index} of the list "${name}"${purpose === undefined ? '' : `, ${purpose}`}`
  if (revoked) return `it is revoked (${where})`
  if (suspended) return `it is suspended (${where})`
  return `its status is ${message === undefined ? status : `"${message}" (${status})`} (${where})`
}

const unusable = (reason: string, member: Member = 'credentialStatus'): AgentError =>
  new AgentError('invalid_credential', `the ${member} cannot be used: ${reason}`)
