import type { IAgentContext } from '@veramo/core-types'
import {
  asDid,
  checkArguments,
  memberName,
  problemsError,
  readPage,
  type AccountEventSink,
  type IDIDHolding,
  type ListFill,
  type StatusListCreateArgs,
  type StatusListMember,
  type StatusListMembersArgs,
  type StatusListFactsArgs,
  type StatusListFactsResult,
  type StatusListMembersResult,
  type StatusListSeries,
  type StatusListSeriesFacts,
  type StatusListSeriesStore,
  type StatusListStore,
  type StatusListType,
  type StatusListWarning,
  type StoredMember,
} from '@vidimus/core-types'
import type { StatusListMethods } from '@vidimus/core-types/schemas'
import { demandHeldDid, type WritingContext } from '../agent-context.js'
import { createList, type ListCreation } from '../creation/create-list.js'
import type { DocumentedList } from '../versions/decoded-list.js'
import { listNamed, type ListName, type LocatedList } from '../versions/list-location.js'
import { ClosedMembers } from './closed-members.js'
import { createSeries, demandFreeName } from './create-series.js'
import { NO_EXPIRY } from './expiry-groups.js'
import { ListSeries } from './list-series.js'
import { withMembersNamed } from './series-of-name.js'

interface MethodParts {
  types: readonly StatusListType[]
  store: Pick<StatusListStore, 'series' | 'indices'> | undefined
  creation: Omit<ListCreation, 'now' | 'first' | 'records'>
  nextMemberAt: number
  events: AccountEventSink | undefined
  described: StatusListMethods
  clock: () => Date
}

/** Series of lists; only with a store for them. */
export class SeriesMethods {
  /** absent: there are none */
  readonly series: ListSeries | undefined
  private readonly closing: ClosedMembers | undefined
  private readonly kept: StatusListSeriesStore | undefined

  constructor(private readonly parts: MethodParts) {
    const { store, events, clock } = parts
    const kept = store?.series
    this.kept = kept
    this.series = kept && new ListSeries({ ...parts, kept })
    this.closing = kept && new ClosedMembers(kept, events, clock)
  }

  get methods() {
    const { kept } = this
    const { store } = this.parts
    if (!kept || !store) return {}
    return {
      /** {@inheritDoc @vidimus/core-types#IStatusListSeries.statusListMembers} */
      statusListMembers: (args: StatusListMembersArgs, context: WritingContext) =>
        this.members(args, kept, context),
      /** {@inheritDoc @vidimus/core-types#IStatusListSeries.statusListFacts} */
      statusListFacts: (args: StatusListFactsArgs, context: WritingContext) =>
        this.facts(args, store, context),
    }
  }

  get measurements() {
    return [...(this.series ? [this.series.members] : []), ...(this.closing ? [this.closing.closed] : [])]
  }

  /** Begins to publish members in the background, and to close them from time to time. */
  begin(context: WritingContext): void {
    this.series?.begin(context)
    this.closing?.begin()
  }

  async stop(): Promise<void> {
    await this.closing?.stop()
    await this.series?.stop()
  }

  /**
   * Creates a list, or a series with its first member.
   *
   * @throws AgentError as {@link createList} and {@link createSeries}
   */
  async create(
    type: StatusListType,
    { series: asSeries, ...args }: StatusListCreateArgs,
    context: WritingContext,
  ): Promise<{
    published: DocumentedList
    series?: StatusListSeriesFacts
    warnings?: StatusListWarning[]
  }> {
    const { kept, parts } = this
    const found = type.creationWarnings?.([...new Set([args.statusPurpose].flat())]) ?? []
    const warnings = found.length > 0 ? { warnings: found } : {}
    await demandFreeName(type, { ...args, series: asSeries }, kept)
    if (asSeries !== true || !kept) {
      const creation = { ...parts.creation, now: parts.clock() }
      return { published: await createList(type, args, creation, context), ...warnings }
    }
    const { published, series } = await createSeries(type, args, { ...parts, kept }, context)
    return { published, series: await seriesFacts(series, kept), ...warnings }
  }

  /**
   * Does something with a list. If its name is that of a series of the account instead, the refusal names members.
   *
   * @throws AgentError `invalid_input`, and what `work` throws
   */
  orNaming<T>(
    name: ListName,
    type: StatusListType,
    context: IAgentContext<IDIDHolding>,
    work: () => Promise<T>,
  ): Promise<T> {
    return withMembersNamed(name, [type], { series: this.series, context }, work)
  }

  /** Facts about a series that the account in scope has. */
  async seriesFacts(series: StatusListSeries): Promise<StatusListSeriesFacts | undefined> {
    return this.kept && seriesFacts(series, this.kept)
  }

  /** How full a list is of which the account in scope holds the DID. */
  async fill({ location, list: { entries } }: LocatedList): Promise<Partial<ListFill>> {
    const { store } = this.parts
    if (!store) return {}
    const [found] = await store.indices.fills(location.did, [location])
    return { allocated: found?.allocated ?? 0, ...(entries > 0 && { entries }) }
  }

  private async members(
    given: StatusListMembersArgs,
    kept: StatusListSeriesStore,
    context: WritingContext,
  ): Promise<StatusListMembersResult> {
    const { statusListMembers } = this.parts.described
    const { limit, after, ...args } = checkArguments(statusListMembers.arguments, given)
    const name = listNamed(args)
    const { did, statusListName } = name
    await demandHeldDid(did, 'publish', context)
    const page = readPage({ limit, after })
    const found = await kept.find(did, [statusListName])
    if (found.length === 0) throw noSuchSeries(did, statusListName)
    const series = await Promise.all(found.map((one) => seriesFacts(one, kept)))
    const { members, ...next } = await kept.members(name, page)
    return { series, members: members.map(shownMember), ...next }
  }

  private async facts(
    given: StatusListFactsArgs,
    { series, indices }: Pick<StatusListStore, 'series' | 'indices'>,
    context: WritingContext,
  ): Promise<StatusListFactsResult> {
    const { statusListFacts } = this.parts.described
    const { did, lists } = checkArguments(statusListFacts.arguments, given)
    await demandHeldDid(did, 'publish', context)
    const located = lists.map(({ statusListName, resourceType }) => ({
      ...listNamed({ did, statusListName }),
      resourceType,
    }))
    const found = (await series.among(did, located)).map(shownMember)
    const members = new Map(found.map((one) => [nameInDid(one), one]))
    const fills = new Map((await indices.fills(asDid(did), located)).map((one) => [nameInDid(one), one]))
    return {
      lists: lists.map((list) => {
        const member = members.get(nameInDid(list))
        const { allocated = 0, entries = 0 } = fills.get(nameInDid(list)) ?? {}
        return { ...list, allocated, ...(entries > 0 && { entries }), ...(member && { member }) }
      }),
    }
  }
}

async function seriesFacts(
  { name, template, period }: StatusListSeries,
  kept: StatusListSeriesStore,
): Promise<StatusListSeriesFacts> {
  const { length } = template
  return {
    name: name.statusListName,
    ...(length !== undefined && { length }),
    ...(period !== undefined && { period }),
    members: await kept.count(name),
  }
}

export const shownMember = ({ series, n, state, group = '' }: StoredMember): StatusListMember => ({
  statusListName: memberName(series.statusListName, n),
  resourceType: series.resourceType,
  series: series.statusListName,
  state,
  ...(group !== '' && group !== NO_EXPIRY && { expireBefore: group }),
})

const nameInDid = (list: { statusListName: string; resourceType: string }): string =>
  JSON.stringify([list.statusListName, list.resourceType])

const noSuchSeries = (did: string, name: string) =>
  problemsError('list_not_found', [
    { path: 'statusListName', message: `"${did}" has no series of status lists "${name}"` },
  ])
