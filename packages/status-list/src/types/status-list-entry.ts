import {
  AgentError,
  formatPath,
  parseUsual,
  schemaSentence,
  type StatusListEntry,
  type StatusMessage,
} from '@vidimus/core-types'
import { z } from 'zod'
import { StatusMessageSchema } from './status-messages.js'

/** A whole number in decimal, as text. Anything looser would let `12abc` mean 12. */
const IndexText = z
  .string('must be a whole number in decimal, as text')
  .regex(/^(0|[1-9]\d{0,15})$/, 'must be a whole number in decimal, as text')
  .transform(Number)
  .refine(Number.isSafeInteger, 'is too large')

const Purpose = z.string('must be one purpose').min(1, 'must be one purpose')

const BitstringEntry = z
  .looseObject({
    statusPurpose: Purpose,
    statusListIndex: IndexText,
    statusListCredential: z.string('must be the URL of the list'),
    statusSize: z.int('must be a whole number of bits from 1 to 8').min(1).max(8).optional(),
    statusMessage: z.array(StatusMessageSchema, 'must be a list of messages').optional(),
  })
  .refine(({ statusSize, statusMessage }) => messagesFit(statusSize, statusMessage), {
    path: ['statusMessage'],
    error: 'must hold a message for each value of its statusSize',
  })

const StatusList2021Entry = z.looseObject({
  id: z.string().optional(),
  statusPurpose: Purpose,
  statusListIndex: IndexText,
  statusListCredential: z.string().optional(),
})

const TokenEntry = z.looseObject({
  status_list: z.looseObject({
    idx: z.int('must be a whole number, 0 or greater').min(0, 'must be a whole number, 0 or greater'),
    uri: z.string('must be the URL of the list'),
  }),
})

/**
 * Reads a `BitstringStatusListEntry`. Width and messages may be stated by the entry, its list or both.
 *
 * @throws AgentError `invalid_credential`
 * @see W3C Bitstring Status List v1.0, section 2.1
 */
export function readBitstringEntry(entry: Record<string, unknown>): StatusListEntry {
  const { statusSize, statusMessage, ...place } = read(BitstringEntry, entry)
  return {
    listUrl: place.statusListCredential,
    index: place.statusListIndex,
    purpose: place.statusPurpose,
    ...(statusSize !== undefined && { statusSize }),
    ...(statusMessage && { statusMessages: statusMessage }),
  }
}

/**
 * Reads a `StatusList2021Entry`. Entries of did:cheqd have no `statusListCredential`: the `id` without its fragment is
 * the URL of the list.
 *
 * @throws AgentError `invalid_credential`
 * @see W3C StatusList2021, section 2.1
 */
export function readStatusList2021Entry(entry: Record<string, unknown>): StatusListEntry {
  const { id, statusListCredential, statusListIndex, statusPurpose } = read(StatusList2021Entry, entry)
  const location = { index: statusListIndex, purpose: statusPurpose, statusSize: 1 }
  if (statusListCredential !== undefined) return { listUrl: statusListCredential, ...location }
  const [listUrl = '', fragment] = (id ?? '').split('#')
  if (fragment !== undefined && fragment !== String(statusListIndex)) {
    throw unreadable('the index in its id differs from its statusListIndex')
  }
  return { listUrl, ...location }
}

/**
 * Reads the `status` of a token: its member `status_list`. It has no purpose, and only the list has the width.
 *
 * @throws AgentError `invalid_credential`
 * @see draft-ietf-oauth-status-list, section 6.1
 */
export function readTokenEntry(status: Record<string, unknown>): StatusListEntry {
  const { idx, uri } = read(TokenEntry, status, 'status').status_list
  return { listUrl: uri, index: idx }
}

/** The members that the entries of both W3C specifications share. */
export const entryMembers = (url: string, index: number, statusPurpose: string) => ({
  id: `${url}#${index}`,
  statusPurpose,
  statusListIndex: String(index),
})

/** An entry need not repeat what its list states. */
const messagesFit = (statusSize = 1, messages: readonly StatusMessage[] | undefined): boolean =>
  statusSize === 1 || messages === undefined || messages.length === 2 ** statusSize

function read<T>(schema: z.ZodType<T>, entry: Record<string, unknown>, member?: string): T {
  const result = parseUsual(schema, entry, schemaSentence)
  if (result.success) return result.data
  const reasons = result.error.issues.map(({ path, message }) => `${formatPath(path)} ${message}`)
  throw unreadable(reasons.join('; '), member)
}

const unreadable = (reason: string, member = 'credentialStatus'): AgentError =>
  new AgentError('invalid_credential', `the ${member} cannot be read: ${reason}`)
