import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import {
  checkArguments,
  isAgentError,
  type LinkedResourceMetadata,
  type StatusListEntries,
  type StatusListEntriesArgs,
  type StatusListLayout,
  type StatusListType,
} from '@vidimus/core-types'
import type { StatusListMethods } from '@vidimus/core-types/schemas'
import type { ReadingContext } from '../agent-context.js'
import { getEntry } from '../encoding/entries.js'
import { typeNamed } from '../types/type-named.js'
import { openList, type PublishedList } from '../versions/decoded-list.js'
import { listNamed, listNotFound, readFirst } from '../versions/list-location.js'
import type { PublishedLists } from '../versions/published-lists.js'

const compress = promisify(gzip)

/** The agent method for them. */
export const entriesMethods = ({
  types,
  lists,
  described,
}: {
  types: readonly StatusListType[]
  lists: PublishedLists
  described: Pick<StatusListMethods, 'statusListEntries'>
}) => ({
  statusListEntries: async (given: StatusListEntriesArgs, context: ReadingContext) => {
    const args = checkArguments(described.statusListEntries.arguments, given)
    return readEntries(typeNamed(types, args.listType), args, lists, context)
  },
})

/** Those with a name; others are values. */
const ACTIONS = ['revoke', 'suspend', 'reinstate'] as const
/** Other requests run meanwhile. */
const COUNTED_TOGETHER = 1_000_000

/**
 * All entries of a version of a list, and what its type says about their values: so that a client can show a list of any type.
 *
 * @throws AgentError `list_not_found`, `malformed_list`, `invalid_credential`
 */
async function readEntries(
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
    values: Array.from(counts, (entries, value) => ({
      entries,
      ...describedValue(type, layout, value),
    })).filter(({ entries, message }) => entries > 0 || message !== undefined),
  }
}

async function readVersion(
  type: StatusListType,
  { did, statusListName, resourceType, resourceId }: StatusListEntriesArgs,
  lists: PublishedLists,
  context: ReadingContext,
): Promise<PublishedList> {
  const name = listNamed({ did, statusListName })
  const resourceTypes = type.resourceTypes().filter((one) => one === (resourceType ?? one))
  if (resourceId === undefined) return readFirst(type, name, resourceTypes, lists, context)
  const [of = ''] = resourceTypes
  const location = { ...name, resourceType: resourceType ?? of }
  const isMeant = ({ resourceName, resourceType: found }: LinkedResourceMetadata) =>
    resourceName === statusListName && resourceTypes.includes(found)
  const version = await lists.version(type, location, resourceId, context).catch(async (error: unknown) => {
    // A resource of another type cannot be read as one of this.
    const other = await context.agent.linkedResourceGet({ did, resourceId })
    if (other && !isMeant(other.metadata)) throw listNotFound(type, name)
    throw error
  })
  if (version && isMeant(version.metadata)) return version
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

function leadsElsewhere(
  type: StatusListType,
  layout: StatusListLayout,
  action: string,
  value: number,
): boolean {
  try {
    return type.nextValue(layout, action, value) !== value
  } catch (error) {
    if (isAgentError(error)) return false
    throw error
  }
}
