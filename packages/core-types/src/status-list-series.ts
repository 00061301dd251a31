import type { IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import type { Account } from './account.js'
import { asListName, type Did, type StatusListName } from './names.js'
import type { PageRange } from './paging.js'
import type * as schemas from './schemas/index.js'
import type { StatusListCreateArgs } from './status-list.js'
import type { StatusListLocation } from './status-list-type.js'
import type { WithVersion } from './with-version.js'

/** A member of a series, as callers see it. */
export type StatusListMember = z.output<typeof schemas.StatusListMember>
export type StatusListSeriesFacts = z.output<typeof schemas.StatusListSeriesFacts>
export type StatusListMembersArgs = z.output<typeof schemas.StatusListMembersArgs>
export type StatusListMembersResult = z.output<typeof schemas.StatusListMembersResult>
export type StatusListFacts = z.output<typeof schemas.StatusListFacts>
export type StatusListFactsArgs = z.output<typeof schemas.StatusListFactsArgs>
export type StatusListFactsResult = z.output<typeof schemas.StatusListFactsResult>

/** What every member of a series is created with. */
export type MemberTemplate = Omit<
  StatusListCreateArgs,
  'did' | 'statusListName' | 'series' | 'period' | 'alsoKnownAs' | 'encodedList' | 'validUntil'
> & {
  /** how long versions are valid, in milliseconds; absent: for ever */
  validForMs?: number
}

/** A name whose members are lists. */
export interface StatusListSeries {
  /** `statusListName` is the name of the series */
  name: StatusListLocation
  template: MemberTemplate
  /** ISO 8601; absent: credentials are not grouped by their expiry */
  period?: string
}

/** The next member of a series, until it is published, or somebody else has it: then nothing of it counts any more. */
export interface HeldMember {
  readonly n: number
  /** of its first version, the same in every attempt to publish it */
  readonly resourceId: string
  /** no member of its series was published before */
  readonly isFirst: boolean
  /** attempts in the background that have failed */
  readonly failures: number
  /** for its first version, which is not made once somebody else has it */
  readonly record: WithVersion
  /**
   * Its list is published, or it never will: another one has its name, or nobody can publish it any more.
   *
   * @throws OverdueWorkError if somebody else has it
   */
  end(state: 'ready' | 'taken'): Promise<void>
  /** Leaves it to the background. Never rejects. */
  release(): Promise<void>
}

/**
 * The series of an installation and their members. The group of a member is the end of the period in which its
 * credentials expire, in UTC; `never` for those that do not; empty for series without a period.
 */
export interface StatusListSeriesStore {
  /**
   * Records a series together with its first member, which is not published yet.
   *
   * @returns `undefined` if there is one with this name; its first member has that id if the same request made it
   */
  create(series: StatusListSeries, firstResourceId: string): Promise<HeldMember | undefined>
  /** Those with one of these names, of any resource type. */
  find(did: Did, names: readonly StatusListName[]): Promise<StatusListSeries[]>
  /**
   * The member that indices of a group are handed out of; a member that is ready is taken if there is none yet.
   *
   * @param full - a member that has no free index any more
   * @returns `undefined` if a member must be published first
   */
  open(series: StatusListLocation, group: string, full?: number): Promise<number | undefined>
  /**
   * The next member, which is published by one at a time: here, or in the background.
   *
   * @returns `ready` if there is a published member that no group has taken; `busy` if somebody publishes one; `gone` if the series
   *   was deleted
   */
  begin(series: StatusListLocation): Promise<HeldMember | 'ready' | 'busy' | 'gone'>
  /** Has the next member published in the background, for the account in scope, unless one is ready. */
  prepare(series: StatusListLocation): Promise<void>
  /**
   * Publishes members in the background, from the first call on, together with all processes that share the store.
   *
   * @param work - `publish`: by the first of the accounts that can; called again after an error, which `failed` gets
   */
  run(work: {
    publish: (series: StatusListSeries, member: HeldMember, holders: readonly Account[]) => Promise<void>
    failed: (error: unknown) => void
  }): void
  /** Leaves the rest to others. */
  stop(): Promise<void>
  /** Deletes a series of which no member was ever published. */
  drop(series: StatusListLocation): Promise<void>
  /** The resource id that a member was published with, or will be. */
  resourceIdOf(series: StatusListLocation, n: number): Promise<string | undefined>
  /** Published members, the newest first; of all series with the name if no resource type is given. */
  members(
    series: Pick<StatusListLocation, 'did' | 'statusListName'> & Partial<StatusListLocation>,
    page: PageRange,
  ): Promise<{ members: StoredMember[]; next?: string }>
  count(series: StatusListLocation): Promise<number>
  /** Which of these lists are members. */
  among(did: string, lists: readonly StatusListLocation[]): Promise<StoredMember[]>
  /** Full members whose credentials have all expired by then, which are not closed yet. */
  expired(by: Date, most: number): Promise<StoredMember[]>
  /** @returns whether this call has closed it */
  close(member: StoredMember, by: Date): Promise<boolean>
  /** The accounts that have the publisher among their DIDs, disabled ones included. */
  holders(did: string): Promise<Account[]>
}

export interface StoredMember {
  series: StatusListLocation
  n: number
  state: StatusListMember['state']
  group?: string
  /** when the last of its credentials expires, rounded up to a day; `never` if one does not; absent: it has none */
  lastExpiry?: string
}

/** Members are named after their series: `<series>.<n>`. */
export const memberName = (series: StatusListName, n: number): StatusListName => asListName(`${series}.${n}`)

/** The longest number of a member, with its dot. */
export const MEMBER_SUFFIX_BYTES = 10

const MEMBER = /^(.+)\.([1-9]\d{0,8})$/s

/** @returns `undefined` for a name that no member has */
export function readMemberName(name: string): { series: StatusListName; n: number } | undefined {
  const [, series, n] = MEMBER.exec(name) ?? []
  return series === undefined ? undefined : { series: asListName(series), n: Number(n) }
}

/** Series of status lists, of DIDs that the account in scope holds. */
export interface IStatusListSeries extends IPluginMethodMap {
  /** The members of a series, the newest first. @throws AgentError `list_not_found`, `did_not_found` */
  statusListMembers(args: StatusListMembersArgs): Promise<StatusListMembersResult>
  /** How full lists of a DID are, and which are members of series, in their order. @throws AgentError `did_not_found` */
  statusListFacts(args: StatusListFactsArgs): Promise<StatusListFactsResult>
}
