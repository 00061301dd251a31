import {
  type StatusListName,
  type Did,
  AgentError,
  Cache,
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
import { expiryGroup } from './expiry-groups.js'
import { publishNext, type MemberParts } from './member-creation.js'

/** After a failed attempt in the background, in milliseconds; doubled with each further one. */
const RETRY = { least: 5000, most: 600_000 }

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

/** What this process knows of a series; it may forget it at any time. */
interface Ahead {
  /** the next member is published */
  isReady: boolean
  failures: number
  /** of {@link performance} */
  retryAt: number
}

/**
 * The members that indices of series are handed out of. The next member is published in the background once enough
 * indices of one are allocated, and at the latest by the request that needs it: so no request is refused because a
 * list is full.
 */
export class ListSeries {
  readonly members = new Counter(MEMBERS, [['ahead'], ['late'], ['failed']])
  private readonly open = new Cache<number>('series')
  private readonly ahead = new Cache<Ahead>('series')
  /** by series; they never reject */
  private readonly running = new Map<string, Promise<void>>()

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

  /** Publishes the next member in the background, if it will be needed. @param allocated - from 0 to 1 */
  prepare({ series }: OpenMember, allocated: number, context: WritingContext): void {
    // A group that nobody expects needs a member at once.
    if (series.period === undefined && allocated < this.parts.nextMemberAt) return
    const key = seriesKey(series.name)
    const { isReady = false, retryAt = 0 } = this.ahead.get(key) ?? {}
    if (isReady || this.running.has(key) || performance.now() < retryAt) return
    const account = currentAccount()
    const inScope = () => runInAccountScope(account, () => this.publishAhead(series, context))
    this.track(key, outsideOfRequests(inScope))
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

  /** Resolves once nothing is published in the background any more. */
  async idle(): Promise<void> {
    await Promise.all(this.running.values())
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
    this.ahead.delete(seriesKey(series.name))
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

  /** Never rejects: whoever needs the member gets the error of its own attempt. */
  private async publishAhead(series: StatusListSeries, context: WritingContext): Promise<void> {
    const key = seriesKey(series.name)
    const { failures = 0 } = this.ahead.get(key) ?? {}
    const begun: Ahead = { isReady: false, failures, retryAt: 0 }
    this.ahead.set(key, begun)
    try {
      if (await publishNext(series, this.parts, context)) this.members.add(1, 'ahead')
      // Otherwise somebody has taken a member meanwhile, perhaps this one.
      if (this.ahead.get(key) === begun) this.ahead.set(key, { isReady: true, failures: 0, retryAt: 0 })
    } catch (error) {
      this.members.add(1, 'failed')
      const pause = Math.min(RETRY.most, RETRY.least * 2 ** failures)
      this.ahead.set(key, { isReady: false, failures: failures + 1, retryAt: performance.now() + pause })
      log(
        'warn',
        'the next member of a series of status lists could not be published ahead; it will be retried',
        {},
        error,
      )
      if (failures === 0) await this.tellBlocked(series, error)
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
  const told = problemsError(cause.code, [{ path: 'statusListName', message }])
  return new AgentError(told.code, told.message, { cause, details: told.details })
}
