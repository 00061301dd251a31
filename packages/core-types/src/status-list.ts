import type { IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import type { UsedOf } from './account-usage.js'
import type { NextPage, PageRequest, Total } from './paging.js'
import type { StatusListLocation } from './status-list-type.js'
import type * as schemas from './schemas/index.js'

export type StatusListCreateArgs = z.output<typeof schemas.StatusListCreateArgs>

/** The addresses of a list: its DID URL, and its https address under the public URL of the service. */
export type StatusListAddress = NonNullable<StatusListCreateArgs['address']>

/** A published version; frozen, as callers that get the same version share it. */
export type StatusListPublication = z.output<typeof schemas.StatusListPublication>

export type StatusListCreateResult = z.output<typeof schemas.StatusListCreateResult>

export type StatusListUpdateArgs = z.output<typeof schemas.StatusListUpdateArgs>

export type StatusListUpdateResult = z.output<typeof schemas.StatusListUpdateResult>

export type StatusListSignArgs = z.output<typeof schemas.StatusListSignArgs>

/** What a receipt of an update says. */
export type StatusReceipt = z.output<typeof schemas.StatusReceipt>
export type StatusListReceiptVerifyArgs = z.output<typeof schemas.StatusListReceiptVerifyArgs>
export type StatusListReceiptVerifyResult = z.output<typeof schemas.StatusListReceiptVerifyResult>

export type StatusListSignResult = z.output<typeof schemas.StatusListSignResult>

export type StatusListCheckArgs = z.output<typeof schemas.StatusListCheckArgs>

export type StatusListCheckResult = z.output<typeof schemas.StatusListCheckResult>

export type StatusListSearchArgs = z.output<typeof schemas.StatusListSearchArgs>

export type StatusListSearchResult = z.output<typeof schemas.StatusListSearchResult>

export type StatusListEntriesArgs = z.output<typeof schemas.StatusListEntriesArgs>

/** All entries of a version of a list, whatever its type. */
export type StatusListEntries = z.output<typeof schemas.StatusListEntries>

/** A fee that the service paid for the account, to unlock an encrypted list of someone else. */
export type StatusListPayment = z.output<typeof schemas.StatusListPayment>

/** A server's data about a published list. */
export type StatusListDelivery = z.output<typeof schemas.StatusListDelivery>

/** A list that has an https address under the public URL of the service. */
export type LocatedStatusList = z.output<typeof schemas.LocatedStatusList>

/** The properties of a configured status list type. */
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
  /** Verifies the receipt of an update; one that does not verify is an answer that says why. */
  statusListReceiptVerify(args: StatusListReceiptVerifyArgs): Promise<StatusListReceiptVerifyResult>
  statusListCheck(args: StatusListCheckArgs): Promise<StatusListCheckResult>
  /** @throws AgentError `list_not_found` */
  statusListSearch(args: StatusListSearchArgs): Promise<StatusListSearchResult>
  /**
   * All entries of a version, as its type reads them. Of encrypted lists only what is in clear.
   *
   * @throws AgentError `list_not_found`, `malformed_list`, `invalid_credential`
   */
  statusListEntries(args: StatusListEntriesArgs): Promise<StatusListEntries>
  /** The configured types. */
  statusListTypes(): Promise<StatusListTypeFacts[]>
}

/** Payments of an account, as far as a page reaches. */
export type PaymentPage = { payments: StatusListPayment[] } & Total & NextPage

/** Fees for encrypted lists of others. */
export interface IStatusListPayments extends IPluginMethodMap {
  /** Payments for the account in scope, newest first. @throws AgentError `invalid_input` */
  statusListPayments(args?: PageRequest): Promise<PaymentPage>
  /** Today's spending (UTC) and limits of the account in scope, in CHEQ by network. */
  statusListFees(): Promise<Record<string, UsedOf>>
}

/** Lists that state until when they are valid. */
export interface IStatusListRenewals extends IPluginMethodMap {
  /**
   * Signs lists again that are about to expire, and publishes the changes of lists with a pace, each in the scope of an account that holds its publisher, and repeats
   * this from time to time. For the start of a server: it needs no scope.
   */
  statusListRenew(args: {}): Promise<{ renewed: number }>
  /**
   * Publishes waiting changes of all lists of a DID now, before it cannot publish any more.
   *
   * @returns how many lists had some
   * @throws AgentError as `statusListUpdate` does
   */
  statusListPublishWaiting(args: { did: string }): Promise<{ published: number }>
}

export type StatusListIdentifyArgs = z.output<typeof schemas.StatusListIdentifyArgs>
export type StatusListRestoreArgs = z.output<typeof schemas.StatusListRestoreArgs>
export type StatusListRestoreResult = z.output<typeof schemas.StatusListRestoreResult>

/** After the database was restored from a backup. For the command that does it: they need no scope. */
export interface IStatusListRestores extends IPluginMethodMap {
  /**
   * Which list a published copy is of; the copy is verified.
   *
   * @throws AgentError `malformed_list`, `invalid_credential`, `list_encrypted`
   */
  statusListRestoreIdentify(args: StatusListIdentifyArgs): Promise<StatusListLocation>
  /**
   * Takes over what lost versions of a list said, and skips the indices that may have been allocated since the backup.
   *
   * @param args - `restore`: absent: nothing is changed
   */
  statusListRestore(args: StatusListRestoreArgs): Promise<StatusListRestoreResult>
}

/** Published lists, for serving to verifiers. */
export interface IStatusListDelivery extends IPluginMethodMap {
  /** How to serve a published resource; `null` if it is not a status list of a configured type. */
  statusListDelivery(args: { resourceType: string; data: string }): Promise<StatusListDelivery | null>
  /**
   * A published resource in every available form, the published one first.
   *
   * @returns empty if it is not a status list of a configured type
   */
  statusListForms(args: {
    resourceType: string
    data: string
  }): Promise<{ forms: { mediaType: string; data: string }[] }>
  /** Where the list with an id (`listIdOf`) is published; `null` if there is no such list here. */
  statusListLocate(args: { statusListId: string }): Promise<LocatedStatusList | null>
  /**
   * The addresses of lists of the type that relying parties fetch together, for https addresses.
   *
   * @param args - `did`: only those that it publishes
   */
  statusListAggregation(args: { did?: string }): Promise<{ urls: string[] }>
}
