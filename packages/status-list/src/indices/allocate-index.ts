import {
  problemsError,
  type AgentError,
  type AccountEventSink,
  type ListFill,
  type NamedStatusList,
  type NewRegistration,
  type StatusListAllocateArgs,
  type StatusListAllocateOneArgs,
  type StatusListAllocation,
  type StatusListIndices,
  type StatusListLocation,
  type StatusListType,
  type WantedIndex,
} from '@vidimus/core-types'
import type { ListAddresses } from '../addresses/list-addresses.js'
import { isInRange, outsideList } from './index-range.js'
import { publishingAct, demandHeldDid, withHolding, type WritingContext } from '../agent-context.js'
import { trustedList } from '../checks/list-at.js'
import { getEntry } from '../encoding/entries.js'
import { nearlyFullEvent } from '../versions/list-event.js'
import { listNamed, type LocatedList } from '../versions/list-location.js'
import { listsForPurposes, listsOfName } from '../versions/named-lists.js'
import { ofSeries, refuseMember, type OpenedSeries } from '../series/series-of-name.js'
import type { ListSeries } from '../series/list-series.js'
import { openOwnList, type DecodedList } from '../versions/decoded-list.js'
import { type PublishedLists } from '../versions/published-lists.js'

/** The sources for a credential's requests. */
export interface AllocationSources {
  /** All configured types, or the one that the caller named. @throws AgentError `unknown_list_type` */
  typesOf: (listType: string | undefined) => readonly StatusListType[]
  lists: PublishedLists
  addresses: ListAddresses
  /** absent: there are none */
  series: ListSeries | undefined
  /** absent: nobody is told that a list is nearly full */
  events: AccountEventSink | undefined
  context: WritingContext
  now: Date
}

/** A request against which nothing speaks but that its index may be taken. */
export interface PlannedAllocation {
  wanted: WantedIndex
  entryMember: StatusListAllocation['entryMember']
  /** The result, once the index is allocated. */
  allocationAt: (index: number) => StatusListAllocation
  /** The message if it is not available. */
  refusal: AgentError
  /** Of a series: takes another member, after which the request is planned anew. */
  advance?: () => Promise<void>
}

/** A list that an index is taken of, as it is now. */
interface OpenedList {
  located: LocatedList
  list: DecodedList
}

/**
 * Allocates an index of a list for a credential: the one that the caller names, or an unpredictable free one.
 *
 * @throws AgentError as {@link planAllocation}; `list_full`, `index_taken`
 */
export async function allocateIndex(
  { register, ...args }: StatusListAllocateOneArgs,
  indices: StatusListIndices,
  sources: AllocationSources,
): Promise<StatusListAllocation> {
  for (;;) {
    const planned = await planAllocation(args, sources, register)
    const [index] = await indices.take([planned.wanted], newRegistration(register, sources))
    if (index !== undefined) return planned.allocationAt(index)
    if (!planned.advance) throw await refusalNow(planned, indices)
    await planned.advance()
  }
}

/**
 * Determines the index for a request, without allocating it. An index whose entry is set already was used without
 * being allocated, and is skipped.
 *
 * Several purposes get the same index. If each has a list of its own (StatusList2021), it is allocated in all of
 * them.
 *
 * @param credential - that it is for
 * @throws AgentError as `statusListAllocate` does, each with a detail at its argument; and `malformed_list`,
 *   `invalid_credential` if the list cannot be trusted: a credential that points there would not verify
 */
export async function planAllocation(
  args: StatusListAllocateArgs,
  sources: AllocationSources,
  credential?: { expiresAt?: string | undefined },
): Promise<PlannedAllocation> {
  const { typesOf, lists, addresses, context, now } = sources
  const { did, statusListName, statusPurpose, statusListIndex } = args
  const types = typesOf(args.listType)
  // Before reading a list that may belong to others.
  const purpose = types.every((type) => type.secure !== undefined) ? 'assertionMethod' : 'publish'
  const held = context.holding?.did === did ? context : await withHolding(did, purpose, context)
  const purposes = [statusPurpose ?? []].flat()
  const name = listNamed(args)
  const inSeries = await ofSeries(
    types,
    { ...name, statusListIndex },
    purposes,
    credential?.expiresAt,
    sources,
  )
  const named = inSeries ?? (await listsOfName(types, name, purposes, lists, held))
  const act = publishingAct(named.type)
  // The holding may be for another purpose.
  if (held.holding?.purpose !== act) await demandHeldDid(did, act, held)
  const chosen = listsForPurposes(named, name, purposes)
  if (!inSeries) await refuseMember(name.did, chosen, sources)
  const opened = [...new Set(chosen.map(({ located }) => located))]
    .map((located) => {
      trustedList(located, now)
      return { located, list: openOwnList(located) }
    })
    .sort((a, b) => a.list.entries - b.list.entries)
  const { type, entryMember = 'credentialStatus', entryContexts = [] } = named.type
  const called = await Promise.all(
    chosen.map(async ({ purpose, located: { list, location } }) => {
      return { purpose, layout: list.layout, list: await addresses.ofOwnList(location, list) }
    }),
  )
  const allocationAt = (index: number): StatusListAllocation => {
    const entries = called.map(({ purpose, layout, list }) => named.type.entry(layout, list, index, purpose))
    const placed = entryMember === 'status' ? entries.slice(0, 1) : entries
    const { location } = chosen[0]?.located ?? {}
    return {
      listType: type,
      statusListName: location?.statusListName ?? '',
      index,
      entryMember,
      entries: placed,
      contexts: [...entryContexts],
    }
  }
  const choice =
    statusListIndex === undefined ? anyList(statusListName, opened) : certain(statusListIndex, opened)
  const wanted = { ...choice.wanted, ...onlyPurpose(chosen) }
  const planned = { ...choice, wanted, entryMember, allocationAt }
  if (inSeries) return inMembers(planned, inSeries, credential?.expiresAt)
  const told = tellingNearlyFull(
    sources,
    called.map(({ list }) => list),
  )
  return { ...planned, wanted: { ...wanted, ...told } }
}

/** @param lists - all that are wanted, as credentials name them */
export function tellingNearlyFull(
  { events }: Pick<AllocationSources, 'events'>,
  lists: readonly NamedStatusList[],
): Pick<WantedIndex, 'nearlyFull'> {
  if (!events) return {}
  const nearlyFull = (location: StatusListLocation, fill: ListFill) => {
    const named = lists.find(({ resourceType }) => resourceType === location.resourceType)
    return { events, event: nearlyFullEvent({ url: '', ...location, ...named }, fill) }
  }
  return { nearlyFull }
}

/** An index of a series: of another member if this one has none. */
function inMembers(
  planned: PlannedAllocation,
  { advance, prepare }: OpenedSeries,
  expiry = 'never',
): PlannedAllocation {
  const { wanted } = planned
  if (!('isUsed' in wanted)) return planned
  const left = (indices: number) => prepare(1 - indices / wanted.entries)
  return { ...planned, wanted: { ...wanted, expiry, left }, advance }
}

/** Why an index is not available: a list may have ended before every index was allocated. */
export async function refusalNow(
  { wanted, refusal }: PlannedAllocation,
  indices: StatusListIndices,
): Promise<AgentError> {
  if (refusal.code !== 'list_full') return refusal
  const ended = await Promise.all(wanted.lists.map((list) => indices.hasEndedByRestore(list)))
  if (!ended.includes(true)) return refusal
  const message = `the status list "${wanted.lists[0]?.statusListName}" allocates nothing more, as the database was restored from a backup and does not know which indices are allocated; create another list`
  return problemsError('list_full', [{ path: 'statusListName', message }])
}

/** Of several purposes that share an index, the register needs none: it is right for each of them. */
function onlyPurpose(chosen: readonly { purpose?: string | undefined }[]): { purpose?: string } {
  const [purpose, ...others] = chosen.map((one) => one.purpose)
  return purpose === undefined || others.length > 0 ? {} : { purpose }
}

/** The data that the register stores with the index. */
export const newRegistration = (
  credential: StatusListAllocateOneArgs['register'],
  { now }: Pick<AllocationSources, 'now'>,
): NewRegistration | undefined =>
  credential && {
    ...credential,
    issuedAt: now.toISOString(),
    ...(credential.expiresAt !== undefined && { expiresAt: new Date(credential.expiresAt).toISOString() }),
  }

type Choice = Pick<PlannedAllocation, 'wanted' | 'refusal'>

function anyList(name: string, opened: readonly OpenedList[]): Choice {
  const message =
    opened.length === 1
      ? `every index of the status list "${name}" is allocated`
      : `the lists "${name}" have no index that is free in all of them; request each purpose separately`
  return {
    wanted: {
      lists: listLocations(opened),
      entries: shortestList(opened),
      isUsed: (index) => opened.some(({ list }) => isSet(list, index)),
    },
    refusal: problemsError('list_full', [{ path: 'statusListName', message }]),
  }
}

function certain(index: number, opened: readonly OpenedList[]): Choice {
  const entries = shortestList(opened)
  if (!isInRange(index, entries)) {
    const message = outsideList(index, entries)
    throw problemsError('index_out_of_range', [{ path: 'statusListIndex', message }])
  }
  if (opened.some(({ list }) => isSet(list, index))) throw taken(`${index} is in use: its entry is set`)
  return {
    wanted: { lists: listLocations(opened), entries, index },
    refusal: taken(`${index} is already allocated`),
  }
}

const taken = (message: string): AgentError =>
  problemsError('index_taken', [{ path: 'statusListIndex', message }])

const listLocations = (opened: readonly OpenedList[]) => opened.map(({ located }) => located.location)

const shortestList = (opened: readonly OpenedList[]): number =>
  Math.min(...opened.map(({ list }) => list.entries))

const isSet = ({ bits, layout, entries }: DecodedList, index: number): boolean =>
  index >= entries || getEntry(bits, layout, index) !== 0
