import {
  problemsError,
  type StatusListAllocateArgs,
  type StatusListAllocation,
  type StatusListIndices,
  type StatusListType,
} from '@vidimus/core-types'
import type { WritingContext } from './agent-context.js'
import { trustedList } from './check-list.js'
import { getEntry } from './entries.js'
import type { LocatedList } from './list-location.js'
import { listsForPurposes, listsOfName, type PurposeInList } from './named-lists.js'
import { openOwnList, type DecodedList, type PublishedLists } from './published-lists.js'

/** A list that an index is taken of, as it is now. */
interface OpenedList {
  located: LocatedList
  list: DecodedList
}

/** Lists that give out their indices together seldom disagree; where they nearly always do, this ends it. */
const MOST_ATTEMPTS = 100

/**
 * Takes an index of a list for a credential: the one that the caller names, or a free one that nobody can foretell.
 * An index whose entry is set already was used without being taken, and is passed over.
 *
 * Several purposes get one and the same index. Where each has a list of its own (StatusList2021), it is taken in all
 * of them; an index that is free in some of them only is given up, and stays taken there.
 *
 * @param types - where to look: all configured ones, or the one that the caller named
 * @throws AgentError as `statusListAllocate` does, each with a detail at the argument that it is about; and
 * `malformed_list`, `invalid_credential` where the list cannot be trusted: a credential that points there would not
 * verify
 */
export async function allocateIndex(
  args: StatusListAllocateArgs,
  types: readonly StatusListType[],
  indices: StatusListIndices,
  lists: PublishedLists,
  context: WritingContext,
  now: Date,
): Promise<StatusListAllocation> {
  const wanted = [args.statusPurpose ?? []].flat()
  const named = await listsOfName(types, nameOf(args), wanted, lists, context)
  const chosen = listsForPurposes(named, args, wanted)
  const opened = [...new Set(chosen.map(({ located }) => located))]
    .map((located) => {
      trustedList(located, now)
      return { located, list: openOwnList(located) }
    })
    // the shortest list first, so that what it gives is inside of the others
    .sort((a, b) => a.list.entries - b.list.entries)
  const { statusListIndex } = args
  const index =
    statusListIndex === undefined
      ? await takeFree(args.statusListName, opened, indices)
      : await takeNamed(statusListIndex, opened, indices)
  return allocationOf(named.type, chosen, index)
}

async function takeFree(
  name: string,
  opened: readonly OpenedList[],
  indices: StatusListIndices,
): Promise<number> {
  const [first, ...others] = opened
  const isUsed = (index: number) => opened.some(({ list }) => isSet(list, index))
  for (let attempt = 1; first && attempt <= MOST_ATTEMPTS; attempt++) {
    const index = await indices.take(first.located.location, first.list.entries, isUsed)
    if (index === undefined) break
    if (await takenInAll(index, others, indices)) return index
  }
  const message =
    others.length === 0
      ? `every index of the status list "${name}" is given out`
      : `the lists "${name}" have no index that is free in all of them; ask for each purpose alone`
  throw problemsError('list_full', [{ path: 'statusListName', message }])
}

async function takeNamed(
  index: number,
  opened: readonly OpenedList[],
  indices: StatusListIndices,
): Promise<number> {
  const entries = Math.min(...opened.map(({ list }) => list.entries))
  if (index >= entries) {
    const message = `${index} is outside the list (0 to ${entries - 1})`
    throw problemsError('index_out_of_range', [{ path: 'statusListIndex', message }])
  }
  const used = opened.some(({ list }) => isSet(list, index))
  if (!used && (await takenInAll(index, opened, indices))) return index
  const message = used ? `${index} is in use: its entry is set` : `${index} is given out already`
  throw problemsError('index_taken', [{ path: 'statusListIndex', message }])
}

async function takenInAll(
  index: number,
  opened: readonly OpenedList[],
  indices: StatusListIndices,
): Promise<boolean> {
  for (const { located } of opened) {
    if (!(await indices.reserve(located.location, index))) return false
  }
  return true
}

const isSet = ({ bits, layout, entries }: DecodedList, index: number): boolean =>
  index >= entries || getEntry(bits, layout, index) !== 0

function allocationOf(
  type: StatusListType,
  chosen: readonly PurposeInList[],
  index: number,
): StatusListAllocation {
  const { entryMember = 'credentialStatus', entryContexts = [] } = type
  const entries = chosen.map(({ purpose, located }) =>
    type.entry(located.list.layout, located.location, index, purpose),
  )
  return {
    listType: type.type,
    index,
    entryMember,
    entries: entryMember === 'status' ? entries.slice(0, 1) : entries,
    contexts: [...entryContexts],
  }
}

const nameOf = ({ did, statusListName }: StatusListAllocateArgs) => ({ did, statusListName })
