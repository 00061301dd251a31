import { setTimeout } from 'node:timers/promises'
import {
  AgentError,
  isAgentError,
  isUnclear,
  memberName,
  overdueWork,
  type HeldMember,
  type StatusListCreateArgs,
  type StatusListSeries,
  type StatusListSeriesStore,
  type StatusListType,
} from '@vidimus/core-types'
import type { WritingContext } from '../agent-context.js'
import { createList, type ListCreation } from '../creation/create-list.js'
import type { DocumentedList } from '../versions/decoded-list.js'
import { typeNamed } from '../types/type-named.js'

/** How often a process looks whether another one has published the next member, in milliseconds. */
const LOOK_EVERY_MS = 50
/** How long it waits for that: longer than a network takes to accept a list. */
const LONGEST_WAIT_MS = 120_000

export interface MemberParts {
  kept: StatusListSeriesStore
  types: readonly StatusListType[]
  /** everything that a new list needs but the time */
  creation: Omit<ListCreation, 'now' | 'first' | 'records'>
  clock: () => Date
}

/**
 * Publishes the next member of a series, or waits until another process has. A member that a process left unfinished
 * is finished with the same resource id, so that it is published once. Must be called in the scope of an account that
 * holds the DID.
 *
 * @param first - of a series that was just recorded
 * @returns the member, if this call has published it
 * @throws AgentError as {@link createList} does; `list_not_found` if the series was deleted; `unavailable`
 */
export async function publishNext(
  series: StatusListSeries,
  parts: MemberParts,
  context: WritingContext,
  first?: HeldMember,
): Promise<DocumentedList | undefined> {
  const { kept } = parts
  let given = first
  for (const end = performance.now() + LONGEST_WAIT_MS; performance.now() < end;) {
    const begun = given ?? (await kept.begin(series.name))
    given = undefined
    if (begun === 'ready') return undefined
    if (begun === 'gone') throw new AgentError('list_not_found', 'the series of status lists was deleted')
    if (begun === 'busy') {
      await setTimeout(LOOK_EVERY_MS * (0.5 + Math.random()))
      continue
    }
    try {
      const published = await publishMember(series, begun, parts, context)
      if (published) return published
    } catch (error) {
      await leave(series, begun, error, kept)
      // Somebody else is at it by now.
      if (!overdueWork(error)) throw error
    }
  }
  throw new AgentError('unavailable', 'another process takes too long to publish the next member')
}

/** @returns `undefined` if another list has its name */
export async function publishMember(
  series: StatusListSeries,
  member: HeldMember,
  parts: MemberParts,
  context: WritingContext,
): Promise<DocumentedList | undefined> {
  const published = await createMember(series, member, parts, context).catch((error: unknown) => {
    if (!isAgentError(error) || error.code !== 'list_exists') throw error
    return undefined
  })
  await member.end(published ? 'ready' : 'taken')
  return published
}

/** Leaves a member that could not be published to the background; a series that has none ends if its first one was refused. */
export async function leave(
  { name }: StatusListSeries,
  member: HeldMember,
  error: unknown,
  kept: StatusListSeriesStore,
): Promise<void> {
  try {
    // Nothing was handed out: the caller may create it again.
    if (member.isFirst && !isUnclear(error) && !overdueWork(error)) await kept.drop(name)
  } finally {
    await member.release()
  }
}

async function createMember(
  series: StatusListSeries,
  { n, resourceId, record }: HeldMember,
  { types, creation, clock, kept }: MemberParts,
  context: WritingContext,
): Promise<DocumentedList> {
  const type = typeNamed(types, series.template.listType)
  const now = clock()
  const conditions = await newestConditions(series, type, kept, creation, context)
  const args = { ...memberArgs(series, n, now), ...conditions }
  const first = { resourceId, repeated: true }
  return createList(type, args, { ...creation, now, first, records: [record] }, context)
}

/** What a member is created with, now. */
export function memberArgs(
  { name, template }: Pick<StatusListSeries, 'name' | 'template'>,
  n: number,
  now: Date,
): StatusListCreateArgs {
  const { validForMs, ...args } = template
  return {
    ...args,
    did: name.did,
    statusListName: memberName(name.statusListName, n),
    ...(validForMs !== undefined && { validUntil: new Date(now.getTime() + validForMs).toISOString() }),
  }
}

/** The publisher may have changed the conditions of members since the series was created. */
async function newestConditions(
  { name, template }: StatusListSeries,
  type: StatusListType,
  kept: StatusListSeriesStore,
  { lists }: Pick<ListCreation, 'lists'>,
  context: WritingContext,
): Promise<Pick<StatusListCreateArgs, 'paymentConditions'>> {
  if (template.encrypted !== true) return {}
  const { members } = await kept.members(name, { limit: 1, offset: 0 })
  const [newest] = members
  if (!newest) return {}
  const location = { ...name, statusListName: memberName(name.statusListName, newest.n) }
  const { paymentConditions } = (await lists.read(type, location, context))?.list.layout ?? {}
  return paymentConditions ? { paymentConditions: [...paymentConditions] } : {}
}
