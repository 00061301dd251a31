import type { IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import type { UsedOf } from './account-usage.js'
import type { NextPage, PageRequest, Total } from './paging.js'
import type * as schemas from './schemas/index.js'

export type StatusListCreateArgs = z.output<typeof schemas.StatusListCreateArgs>

/** The addresses of a list: its DID URL, and its https address under the public URL of the service. */
export type StatusListAddress = NonNullable<StatusListCreateArgs['address']>

/** A published version; frozen, as callers who get the same version share it. */
export type StatusListPublication = z.output<typeof schemas.StatusListPublication>

export type StatusListCreateResult = z.output<typeof schemas.StatusListCreateResult>

export type StatusListUpdateArgs = z.output<typeof schemas.StatusListUpdateArgs>

export type StatusListUpdateResult = z.output<typeof schemas.StatusListUpdateResult>

export type StatusListSignArgs = z.output<typeof schemas.StatusListSignArgs>

export type StatusListSignResult = z.output<typeof schemas.StatusListSignResult>

export type StatusListCheckArgs = z.output<typeof schemas.StatusListCheckArgs>

export type StatusListCheckResult = z.output<typeof schemas.StatusListCheckResult>

export type StatusListSearchArgs = z.output<typeof schemas.StatusListSearchArgs>

export type StatusListSearchResult = z.output<typeof schemas.StatusListSearchResult>

/** A fee that the service paid for the account, to unlock an encrypted list of somebody else. */
export type StatusListPayment = z.output<typeof schemas.StatusListPayment>

/** What a server that hands out a published list tells of it. */
export type StatusListDelivery = z.output<typeof schemas.StatusListDelivery>

/** A list that has an https address under the public URL of the service. */
export type LocatedStatusList = z.output<typeof schemas.LocatedStatusList>

/** What a configured type of status list is like. */
export type StatusListTypeFacts = z.output<typeof schemas.StatusListTypeFacts>

/** Credential status lists, published as DID-Linked Resources. */
export interface IStatusList extends IPluginMethodMap {
  statusListCreate(args: StatusListCreateArgs): Promise<StatusListCreateResult>
  statusListUpdate(args: StatusListUpdateArgs): Promise<StatusListUpdateResult>
  /**
   * Publishes the list once more, as it is: signed with the key that signs now, and valid for the same span from now on.
   *
   * @throws AgentError as `statusListUpdate` does
   */
  statusListSign(args: StatusListSignArgs): Promise<StatusListSignResult>
  statusListCheck(args: StatusListCheckArgs): Promise<StatusListCheckResult>
  /** @throws AgentError `list_not_found` */
  statusListSearch(args: StatusListSearchArgs): Promise<StatusListSearchResult>
  /** The configured types. */
  statusListTypes(): Promise<StatusListTypeFacts[]>
}

/** Payments of an account, as far as a page reaches. */
export type PaymentPage = { payments: StatusListPayment[] } & Total & NextPage

/** Fees for encrypted lists of others. */
export interface IStatusListPayments extends IPluginMethodMap {
  /** What was paid for the account in scope, newest first. @throws AgentError `invalid_input` */
  statusListPayments(args?: PageRequest): Promise<PaymentPage>
  /** What the account in scope has spent today (UTC), and may spend, in CHEQ by network. */
  statusListFees(): Promise<Record<string, UsedOf>>
}

/** Lists that say until when they are valid. */
export interface IStatusListRenewals extends IPluginMethodMap {
  /**
   * Signs anew what is about to lapse, each list in the scope of an account that holds its publisher; and again from time to
   * time after that. For the start of a server: it needs no scope.
   */
  statusListRenew(args: {}): Promise<{ renewed: number }>
}

/** Published lists, for whoever serves them to verifiers. */
export interface IStatusListDelivery extends IPluginMethodMap {
  /** How a published resource is to be handed out; `null` where it is no status list of a configured type. */
  statusListDelivery(args: { resourceType: string; data: string }): Promise<StatusListDelivery | null>
  /**
   * A published resource in every form that there is, the published one first.
   *
   * @returns empty where it is no status list of a configured type
   */
  statusListForms(args: {
    resourceType: string
    data: string
  }): Promise<{ forms: { mediaType: string; data: string }[] }>
  /** Where the list is published that has an id (`listIdOf`); `null` where no list here has it. */
  statusListLocate(args: { statusListId: string }): Promise<LocatedStatusList | null>
  /**
   * The addresses of lists of the type that relying parties fetch together, as far as that is an https address.
   *
   * @param args - `did`: those that it publishes alone
   */
  statusListAggregation(args: { did?: string }): Promise<{ urls: string[] }>
}
