import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import {
  isAgentError,
  problemsError,
  type StatusListEntries,
  type StatusListEntriesArgs,
  type StatusListLayout,
  type StatusListType,
} from '@vidimus/core-types'
import type { ReadingContext } from '../agent-context.js'
import { getEntry } from '../encoding/entries.js'
import { openList, type PublishedList } from '../versions/decoded-list.js'
import { listNotFound, readFirst } from '../versions/list-location.js'
import type { PublishedLists } from '../versions/published-lists.js'

const compress = promisify(gzip)

/** Those with a name; others are values. */
const ACTIONS = ['revoke', 'suspend', 'reinstate'] as const
/** Other requests run meanwhile. */
const COUNTED_TOGETHER = 1_000_000

/**
 * All entries of a version of a list, and what its type says about their values: so that a client can show a list of any type.
 *
 * @throws AgentError `list_not_found`, `malformed_list`, `invalid_credential`
 */
export async function readEntries(
  type: StatusListType,
  args: StatusListEntriesArgs,
  lists: PublishedLists,
  context: ReadingContext,
): Promise<StatusListEntries> {
  const published = await readVersion(type, args, lists, context)
  const { layout, failure, entries: length } = published.list
  const { statusSize, order, purposes, encrypted } = layout
  const { resourceId } = published.metadata
  const untrusted = failure && { untrusted: failure.error.message }
  const facts = { resourceId, statusSize, order, purposes: [...purposes], encrypted, ...untrusted }
  if (encrypted) return { ...facts, length: 0, values: [] }
  const { bits } = openList(published)
  const counts = await countedValues(bits, layout, length)
  return {
    ...facts,
    length,
    bits: (await compress(bits)).toString('base64url'),
    values: Array.from(counts, (entries, value) => ({ entries, ...describedValue(type, layout, value) })).filter(
      ({ entries, message }) => entries > 0 || message !== undefined,
    ),
  }
}

async function readVersion(
  type: StatusListType,
  { did, statusListName, resourceType, resourceId }: StatusListEntriesArgs,
  lists: PublishedLists,
  context: ReadingContext,
): Promise<PublishedList> {
  const name = { did, statusListName }
  const resourceTypes = type.resourceTypes().filter((one) => one === (resourceType ?? one))
  if (resourceId === undefined) return readFirst(type, name, resourceTypes, lists, context)
  const [of = ''] = resourceTypes
  const location = { ...name, resourceType: resourceType ?? of }
  const version = await lists.version(type, location, resourceId, context)
  const { resourceName, resourceType: found = '' } = version?.metadata ?? {}
  if (version && resourceName === statusListName && resourceTypes.includes(found)) return version
  throw listNotFound(type, name)
}

/** By value. */
async function countedValues(bits: Uint8Array, layout: StatusListLayout, length: number): Promise<number[]> {
  const counts = Array<number>(2 ** layout.statusSize).fill(0)
  for (let index = 0; index < length; index++) {
    const value = getEntry(bits, layout, index)
    counts[value] = (counts[value] ?? 0) + 1
    if (index % COUNTED_TOGETHER === COUNTED_TOGETHER - 1) await new Promise(setImmediate)
  }
  return counts
}

function describedValue(type: StatusListType, layout: StatusListLayout, value: number) {
  const purposes = layout.purposes.length > 0 ? layout.purposes : [undefined]
  const reports = purposes.map((purpose) => type.report(layout, value, purpose))
  const is = (flag: 'revoked' | 'suspended') =>
    reports.some((report) => report[flag] !== undefined) && { [flag]: reports.some((report) => report[flag]) }
  const message = reports.find((report) => report.message !== undefined)?.message
  return {
    value,
    valid: reports.every(({ valid }) => valid),
    ...is('revoked'),
    ...is('suspended'),
    ...(message !== undefined && { message }),
    actions: ACTIONS.filter((action) => leadsElsewhere(type, layout, action, value)),
  }
}

function leadsElsewhere(type: StatusListType, layout: StatusListLayout, action: string, value: number): boolean {
  try {
    return type.nextValue(layout, action, value) !== value
  } catch (error) {
    if (isAgentError(error)) return false
    throw error
  }
}
