import {
  type StatusListName,
  type Did,
  AgentError,
  Cache,
  overdueWork,
  type Account,
  type HeldMember,
  Counter,
  currentAccount,
  isAgentError,
  log,
  memberName,
  outsideOfRequests,
  problemsError,
  readMemberName,
  runInAccountScope,
  tellAccount,
  type AccountEventSink,
  type StatusListLocation,
  type StatusListSeries,
  type StoredMember,
} from '@vidimus/core-types'
import type { WritingContext } from '../agent-context.js'
import { MEMBERS } from '../measurements.js'
import { listUrl } from '../types/list-url.js'
import { byAHolder } from '../renewal/by-a-holder.js'
import { expiryGroup } from './expiry-groups.js'
import { leave, publishMember, publishNext, type MemberParts } from './member-creation.js'

export interface SeriesParts extends MemberParts {
  /** share of the indices of a member that is allocated when the next one is published */
  nextMemberAt: number
  events: AccountEventSink | undefined
}

/** A member that indices are handed out of, for the credentials of one group. */
export interface OpenMember {
  series: StatusListSeries
  group: string
  n: number
  location: StatusListLocation
}

/**
 * The members that indices of series are handed out of. The next member is published in the background once enough
 * indices of one are allocated, and at the latest by the request that needs it: so no request is refused because a
 * list is full.
 */
export class ListSeries {
  readonly members = new Counter(MEMBERS, [['ahead'], ['late'], ['failed']])
  private readonly open = new Cache<number>('series')
  /** series whose next member is there, or asked for, as far as this process knows; it may forget it at any time */
  private readonly prepared = new Cache<true>('series')
  /** by series; they never reject */
  private readonly running = new Map<string, Promise<void>>()
  private stopping = false

  constructor(private readonly parts: SeriesParts) {}

  /** The series with a name, of any resource type. */
  named(did: Did, name: StatusListName): Promise<readonly StatusListSeries[]> {
    return this.parts.kept.find(did, [name])
  }

  /**
   * The member for a credential.
   *
   * @param expiresAt - of the credential; absent: never
   * @param full - without a free index
   * @throws AgentError as {@link publishNext}
   */
  async openMember(
    series: StatusListSeries,
    expiresAt: string | undefined,
    context: WritingContext,
    full?: number,
  ): Promise<OpenMember> {
    const group = expiryGroup(series.period, expiresAt)
    const key = seriesKey(series.name, group)
    if (full !== undefined) this.open.delete(key)
    const known = this.open.get(key)
    const n = known ?? (await this.takeMember(series, group, context, full))
    this.open.set(key, n)
    const statusListName = memberName(series.name.statusListName, n)
    return { series, group, n, location: { ...series.name, statusListName } }
  }

  /** Publishes members in the background, in every process that shares the store. */
  begin(context: WritingContext): void {
    if (this.stopping) return
    this.parts.kept.run({
      publish: (series, member, holders) => this.publishAhead(series, member, holders, context),
      failed: (error) => {
        this.members.add(1, 'failed')
        const message =
          'the next member of a series of status lists could not be published ahead; it will be retried'
        log('warn', message, {}, error)
      },
    })
  }

  /** Has the next member published in the background, if it will be needed. @param allocated - from 0 to 1 */
  prepare({ series }: OpenMember, allocated: number, context: WritingContext): void {
    // A group that nobody expects needs a member at once.
    if (series.period === undefined && allocated < this.parts.nextMemberAt) return
    const key = seriesKey(series.name)
    if (this.prepared.get(key)) return
    this.prepared.set(key, true)
    this.begin(context)
    const account = currentAccount()
    const inScope = () => runInAccountScope(account, () => this.parts.kept.prepare(series.name))
    const asked = outsideOfRequests(inScope).catch((error: unknown) => {
      this.prepared.delete(key)
      if (!isAgentError(error)) log('error', 'the next member of a series could not be asked for', {}, error)
    })
    this.track(`ahead ${key}`, asked)
  }

  /** The member that a list is. */
  async memberAt(list: StatusListLocation): Promise<StoredMember | undefined> {
    if (!readMemberName(list.statusListName)) return undefined
    const [member] = await this.parts.kept.among(list.did, [list])
    return member
  }

  /** @returns `undefined` before the first one is published */
  async newestMember({ name }: StatusListSeries): Promise<StoredMember | undefined> {
    const { members } = await this.parts.kept.members(name, { limit: 1, offset: 0 })
    return members[0]
  }

  /** The names of the newest members, and how many there are. */
  async newestMembers({ name }: StatusListSeries, most: number): Promise<{ names: string[]; total: number }> {
    const { kept } = this.parts
    const { members } = await kept.members(name, { limit: most, offset: 0 })
    return {
      names: members.map(({ n }) => memberName(name.statusListName, n)),
      total: await kept.count(name),
    }
  }

  async stop(): Promise<void> {
    this.stopping = true
    await Promise.all(this.running.values())
    await this.parts.kept.stop()
  }

  private async takeMember(
    series: StatusListSeries,
    group: string,
    context: WritingContext,
    full: number | undefined,
  ): Promise<number> {
    const { kept } = this.parts
    let taken = await kept.open(series.name, group, full)
    while (taken === undefined) {
      await this.publishNow(series, context)
      taken = await kept.open(series.name, group)
    }
    // Whichever member was ready may be this one.
    this.prepared.delete(seriesKey(series.name))
    return taken
  }

  /** For a request that waits. */
  private async publishNow(series: StatusListSeries, context: WritingContext): Promise<void> {
    const key = seriesKey(series.name)
    const running = this.running.get(key)
    // If it fails, this caller tries for itself, and gets the error.
    if (running) return running
    const publishing = publishNext(series, this.parts, context)
    this.track(key, publishing)
    try {
      if (await publishing) this.members.add(1, 'late')
    } catch (error) {
      this.members.add(1, 'failed')
      throw blocked(series, error)
    }
  }

  private async publishAhead(
    series: StatusListSeries,
    member: HeldMember,
    holders: readonly Account[],
    context: WritingContext,
  ): Promise<void> {
    const publish = async () => {
      if (await publishMember(series, member, this.parts, context)) this.members.add(1, 'ahead')
      else await this.parts.kept.prepare(series.name)
      return true
    }
    try {
      if (!(await byAHolder(holders, publish))) await member.end('taken')
    } catch (error) {
      await leave(series, member, error, this.parts.kept)
      const [asker] = holders
      if (asker && member.failures === 0 && !overdueWork(error))
        await runInAccountScope(asker, () => this.tellBlocked(series, error))
      throw error
    }
  }

  private track(key: string, work: Promise<unknown>): void {
    const done = work
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => this.running.delete(key))
    this.running.set(key, done)
  }

  private tellBlocked({ name }: StatusListSeries, error: unknown): Promise<void> {
    const { did, statusListName } = name
    const reason = isAgentError(error)
      ? { code: error.code, reason: error.message }
      : { code: 'internal_error' }
    const event = {
      type: 'list.series-blocked' as const,
      subject: listUrl(name),
      data: { did, statusListName, ...reason },
    }
    return tellAccount(this.parts.events, event, 'that the next member of a series could not be created')
  }
}

const seriesKey = ({ did, statusListName, resourceType }: StatusListLocation, group?: string): string =>
  JSON.stringify([did, statusListName, resourceType, group])

/** What prevents the next member prevents the entry that a caller asked for. */
function blocked({ name }: StatusListSeries, cause: unknown): unknown {
  if (!isAgentError(cause)) return cause
  const message = `the series "${name.statusListName}" needs another member, which cannot be created: ${cause.message}`
  if (cause.code === 'unavailable') return new AgentError('unavailable', message, { cause })
  const told = problemsError(cause.code, [{ ...cause.details[0], path: 'statusListName', message }])
  return new AgentError(told.code, told.message, { cause, details: told.details })
}
