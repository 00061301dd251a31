import type { IAgentContext } from '@veramo/core-types'
import {
  type Did,
  AgentError,
  isAgentError,
  problemsError,
  type IDIDHolding,
  type StatusListSeries,
  type StatusListType,
} from '@vidimus/core-types'
import { holdsDid, type WritingContext } from '../agent-context.js'
import type { ListName, LocatedList } from '../versions/list-location.js'
import { onlyType, type NamedLists } from '../versions/named-lists.js'
import type { PublishedLists } from '../versions/published-lists.js'
import type { ListSeries, OpenMember } from './list-series.js'

interface Sources {
  series: ListSeries | undefined
  lists: PublishedLists
  context: WritingContext
}

/** The open members of the series with a name, as lists. */
export interface OpenedSeries extends NamedLists {
  /** They have no index that is free in all of them. */
  advance: () => Promise<void>
  /** @param allocated - share of their indices, from 0 to 1 */
  prepare: (allocated: number) => void
}

/**
 * Opens a member of each series with a name, for a credential that expires then.
 *
 * @param types - to search
 * @param purposes - requested by the caller; decides between types that both have a series of this name
 * @returns `undefined` if there is no such series
 * @throws AgentError `invalid_input`; `unavailable`; and as {@link ListSeries.openMember}
 */
export async function ofSeries(
  types: readonly StatusListType[],
  { did, statusListName, statusListIndex }: ListName & { statusListIndex?: number | undefined },
  purposes: readonly string[],
  expiresAt: string | undefined,
  { series, lists, context }: Sources,
): Promise<OpenedSeries | undefined> {
  const all = (await series?.named(did, statusListName)) ?? []
  const found = types.flatMap((type) => {
    const ofType = all.filter(({ template }) => template.listType === type.type)
    return ofType.length > 0 ? [{ type, ofType }] : []
  })
  const fitting = found.filter(({ ofType }) =>
    purposes.every((purpose) => ofType.some((one) => seriesPurposes(one).includes(purpose))),
  )
  const chosen = onlyType(fitting.length > 0 ? fitting : found, { did, statusListName })
  if (!series || !chosen) return undefined
  if (statusListIndex !== undefined) {
    const message = `must be omitted, as "${statusListName}" is a series, which chooses member and index`
    throw problemsError('invalid_input', [{ path: 'statusListIndex', message }])
  }
  const { type } = chosen
  const wanted = chosen.ofType.filter(
    (one) => purposes.length === 0 || seriesPurposes(one).some((purpose) => purposes.includes(purpose)),
  )
  const members: OpenMember[] = []
  for (const one of wanted.length > 0 ? wanted : chosen.ofType) {
    members.push(await series.openMember(one, expiresAt, context))
  }
  const located: LocatedList[] = []
  for (const { location } of members) {
    const published = await lists.read(type, location, context)
    if (!published) throw notVisibleYet(location)
    located.push({ ...published, location })
  }
  return {
    type,
    located,
    advance: async () => {
      for (const one of members) await series.openMember(one.series, expiresAt, context, one.n)
    },
    prepare: (allocated) => {
      for (const one of members) series.prepare(one, allocated, context)
    },
  }
}

/**
 * The series chooses in which of its members a credential lies.
 *
 * @throws AgentError `invalid_input`
 */
export async function refuseMember(
  did: Did,
  chosen: readonly { located: LocatedList }[],
  { series }: Pick<Sources, 'series'>,
): Promise<void> {
  for (const { located } of chosen) {
    const { statusListName, resourceType } = located.location
    const member = await series?.memberAt({ did, statusListName, resourceType })
    if (!member) continue
    const { statusListName: name } = member.series
    const message = `is a member of the series "${name}"; name the series, which chooses the member`
    throw problemsError('invalid_input', [{ path: 'statusListName', message }])
  }
}

/** How many members a refusal names. */
const NAMED_MEMBERS = 5

/**
 * Does something with a list, and says so if its name is that of a series instead.
 *
 * @throws AgentError `invalid_input`, its detail at the path `statusListName`, and what `work` throws
 */
export function withMembersNamed<T>(
  { did, statusListName }: ListName,
  types: readonly StatusListType[],
  { series, context }: Pick<Sources, 'series'> & { context: IAgentContext<IDIDHolding> },
  work: () => Promise<T>,
): Promise<T> {
  return work().catch(async (error: unknown) => {
    if (!series || !isAgentError(error) || error.code !== 'list_not_found') throw error
    const found = await ownSeries({ did, statusListName }, types, series, context)
    const [one] = found
    if (!one) throw error
    const { names, total } = await series.newestMembers(one, NAMED_MEMBERS)
    const more = total > names.length ? ` and ${total - names.length} more` : ''
    const message = `"${statusListName}" is a series; name one of its members: ${names.join(', ')}${more}`
    throw problemsError('invalid_input', [{ path: 'statusListName', message }])
  })
}

/** The series with a name, if the account in scope holds the DID: it is not published which there are. */
export async function ownSeries(
  { did, statusListName }: ListName,
  types: readonly StatusListType[],
  series: ListSeries,
  context: IAgentContext<IDIDHolding>,
): Promise<StatusListSeries[]> {
  const found = await series.named(did, statusListName)
  const ofTypes = found.filter(({ template }) => types.some(({ type }) => type === template.listType))
  return ofTypes.length > 0 && (await holdsDid(did, 'publish', context)) ? ofTypes : []
}

const seriesPurposes = ({ template }: StatusListSeries): string[] => [template.statusPurpose].flat()

const notVisibleYet = ({ statusListName }: ListName) =>
  new AgentError('unavailable', `the ledger does not show the status list "${statusListName}" yet; try again`)
