import {
  isAgentError,
  memberName,
  type StatusListSearchArgs,
  type StatusListSearchResult,
  type StatusListType,
} from '@vidimus/core-types'
import { holdsDid, publishingAct, type WritingContext } from '../agent-context.js'
import { demandKnownPurpose } from '../checks/check-list.js'
import type { PacedLists } from '../pace/paced-lists.js'
import type { ShownPublications } from '../updates/shown-publications.js'
import {
  listNamed,
  listNotFound,
  readFirst,
  readForPurpose,
  type LocatedList,
} from '../versions/list-location.js'
import type { PublishedLists } from '../versions/published-lists.js'
import { shownMember, type SeriesMethods } from './series-methods.js'
import { ownSeries } from './series-of-name.js'

interface Sources {
  lists: PublishedLists
  publications: ShownPublications
  paces: PacedLists
  ofSeries: SeriesMethods
  context: WritingContext
}

/**
 * Reads a list by its name; by that of a series of the account, its newest member.
 *
 * @throws AgentError `list_not_found`, `purpose_mismatch`, `malformed_list`, `invalid_credential`
 */
export async function searchList(
  type: StatusListType,
  args: StatusListSearchArgs,
  sources: Sources,
): Promise<StatusListSearchResult> {
  const { ofSeries, context } = sources
  if (args.statusPurpose !== undefined) demandKnownPurpose(type, args.statusPurpose)
  try {
    const located = await named(type, args, sources)
    const answer = await shown(type, located, sources)
    const found = await ofSeries.series?.memberAt(located.location)
    const isOwn = found && (await holdsDid(args.did, 'publish', context))
    return { found: true, ...answer, ...(isOwn && { member: shownMember(found) }) }
  } catch (error) {
    if (!isAgentError(error) || error.code !== 'list_not_found') throw error
    const answer = await newestOfSeries(type, args, sources)
    if (!answer) throw error
    return answer
  }
}

function named(
  type: StatusListType,
  { statusPurpose, ...args }: StatusListSearchArgs,
  { lists, context }: Sources,
): Promise<LocatedList> {
  const name = listNamed(args)
  return statusPurpose === undefined
    ? readFirst(type, name, type.resourceTypes(), lists, context)
    : readForPurpose(type, name, statusPurpose, lists, context)
}

async function newestOfSeries(
  type: StatusListType,
  { statusPurpose, ...args }: StatusListSearchArgs,
  sources: Sources,
): Promise<StatusListSearchResult | undefined> {
  const { ofSeries, lists, context } = sources
  const { series } = ofSeries
  const found = series ? await ownSeries(listNamed(args), [type], series, context) : []
  const one = found.find(({ template }) =>
    statusPurpose === undefined ? true : [template.statusPurpose].flat().includes(statusPurpose),
  )
  const newest = one && (await series?.newestMember(one))
  const facts = one && (await ofSeries.seriesFacts(one))
  if (!one || !newest || !facts) return undefined
  const location = { ...one.name, statusListName: memberName(one.name.statusListName, newest.n) }
  const published = await lists.read(type, location, context)
  if (!published) throw listNotFound(type, location)
  const answer = await shown(type, { ...published, location }, sources)
  return { found: true, ...answer, series: facts, member: shownMember(newest) }
}

async function shown(
  type: StatusListType,
  located: LocatedList,
  { lists, publications, paces, ofSeries, context }: Sources,
): Promise<Omit<StatusListSearchResult, 'found'>> {
  if (located.list.failure) throw located.list.failure.error
  const { location } = located
  const isOwn = await holdsDid(location.did, publishingAct(type), context)
  const own = isOwn ? { ...(await ofSeries.fill(located)), ...(await paces.shown(location)) } : {}
  return { ...own, ...publications.of(type, await lists.documented(type, located, context)) }
}
