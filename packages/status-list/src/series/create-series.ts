import { randomUUID } from 'node:crypto'
import {
  memberName,
  BOUNDS,
  hasMoreBytes,
  problemsError,
  readMemberName,
  type HeldMember,
  type MemberTemplate,
  type Problem,
  type StatusListCreateArgs,
  type StatusListSeries,
  type StatusListSeriesStore,
  type StatusListType,
} from '@vidimus/core-types'
import type { WritingContext } from '../agent-context.js'
import { listExists, readParameters } from '../creation/create-list.js'
import { ownFirstVersion } from '../creation/repeated-creation.js'
import { listNamed } from '../versions/list-location.js'
import type { DocumentedList } from '../versions/decoded-list.js'
import { listResourceName } from '../versions/published-lists.js'
import { periodProblem } from './expiry-groups.js'
import { memberArgs, publishNext, type MemberParts } from './member-creation.js'

/** A series with the member that its creation has published. */
export interface CreatedSeries {
  series: StatusListSeries
  published: DocumentedList
}

/**
 * Creates a series: records it, and publishes its first member, so that whatever prevents members is found now.
 *
 * @throws AgentError `invalid_input` with every problem, `list_exists`, and as `createList` does
 */
export async function createSeries(
  type: StatusListType,
  args: StatusListCreateArgs,
  parts: MemberParts,
  context: WritingContext,
): Promise<CreatedSeries> {
  const { kept, clock, creation } = parts
  const now = clock()
  const series = newSeries(type, args, now)
  // What every member will be made of, judged once, before anything is stored.
  await readParameters(type, memberArgs(series, 1, now), { ...creation, now }, seriesProblems(args))
  const first = ownFirstVersion()
  if (await context.agent.linkedResourceGetLatestMetadata(listResourceName(series.name))) {
    throw listExists(args.statusListName, type)
  }
  const begun = await kept.create(series, first?.resourceId ?? randomUUID())
  if (!begun) {
    const isOwn = first?.repeated && (await kept.resourceIdOf(series.name, 1)) === first.resourceId
    if (!isOwn) throw listExists(args.statusListName, type)
  }
  return { series, published: await firstMember(series, parts, type, begun, context) }
}

async function firstMember(
  series: StatusListSeries,
  parts: MemberParts,
  type: StatusListType,
  begun: HeldMember | undefined,
  context: WritingContext,
): Promise<DocumentedList> {
  const { kept, creation } = parts
  const isPublished = !begun && (await kept.count(series.name)) > 0
  const published = isPublished ? undefined : await publishNext(series, parts, context, begun)
  if (published) return published
  const { lists } = creation
  const location = { ...series.name, statusListName: memberName(series.name.statusListName, 1) }
  const found = await lists.read(type, location, context)
  if (!found) throw listExists(series.name.statusListName, type)
  return lists.documented(type, found, context)
}

function newSeries(type: StatusListType, args: StatusListCreateArgs, now: Date): StatusListSeries {
  const {
    did,
    statusListName,
    series: _series,
    period,
    validUntil,
    encodedList: _bits,
    alsoKnownAs: _names,
    ...rest
  } = args
  const [purpose] = [args.statusPurpose].flat()
  const [resourceType = ''] = type.resourceTypes(purpose)
  const template: MemberTemplate = {
    ...rest,
    ...(validUntil !== undefined && { validForMs: Date.parse(validUntil) - now.getTime() }),
  }
  const name = { ...listNamed({ did, statusListName }), resourceType }
  return { name, template, ...(period !== undefined && { period }) }
}

function seriesProblems({
  statusListName,
  period,
  encodedList,
  alsoKnownAs,
}: StatusListCreateArgs): Problem[] {
  const problems: Problem[] = []
  const notForSeries = 'is for one list, not for a series'
  if (hasMoreBytes(statusListName, BOUNDS.seriesNameBytes)) {
    const message = `must have at most ${BOUNDS.seriesNameBytes} bytes for a series, whose members are named after it`
    problems.push({ path: 'statusListName', message })
  }
  if (encodedList !== undefined) problems.push({ path: 'encodedList', message: notForSeries })
  if (alsoKnownAs !== undefined) problems.push({ path: 'alsoKnownAs', message: notForSeries })
  const message = period === undefined ? undefined : periodProblem(period)
  if (message !== undefined) problems.push({ path: 'period', message })
  return problems
}

/**
 * Makes sure that the name of a new list is not one that a series has for itself or for its members.
 *
 * @throws AgentError `invalid_input`, `list_exists`
 */
export async function demandFreeName(
  type: StatusListType,
  { did, statusListName, statusPurpose, period, series }: StatusListCreateArgs,
  kept: StatusListSeriesStore | undefined,
): Promise<void> {
  if (series !== true && period !== undefined) {
    throw problemsError('invalid_input', [{ path: 'period', message: 'is only for a series' }])
  }
  if (!kept) {
    if (series !== true) return
    const message = 'is not possible: this agent has no status list store'
    throw problemsError('invalid_input', [{ path: 'series', message }])
  }
  const resourceTypes = type.resourceTypes([statusPurpose].flat()[0])
  const member = readMemberName(statusListName)
  const name = listNamed({ did, statusListName })
  const names = [name.statusListName, ...(member ? [member.series] : [])]
  const found = await kept.find(name.did, names)
  const ofType = found.filter(({ name }) => resourceTypes.includes(name.resourceType))
  const owner = ofType.find(({ name }) => name.statusListName === member?.series)
  if (owner) {
    const message = `is the name of a member of the series "${owner.name.statusListName}", which creates its own`
    throw problemsError('invalid_input', [{ path: 'statusListName', message }])
  }
  // A series of this name may be that of an earlier run of the same request.
  if (ofType.length > 0 && series !== true) throw listExists(statusListName, type)
}
