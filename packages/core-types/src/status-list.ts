import type { IPluginMethodMap } from '@veramo/core-types'
import type { UsedOf } from './account-usage.js'
import type { LinkedResourceMetadata } from './linked-resource.js'
import type { NextPage, PageRequest, Total } from './paging.js'
import type { StatusMessage, PaymentCondition, StatusReport } from './status-list-type.js'

export interface StatusListCreateArgs {
  listType: string
  statusPurpose: string | string[]
  did: string
  statusListName: string
  statusListVersion?: string
  length?: number
  encoding?: string
  statusSize?: number
  statusMessages?: StatusMessage[]
  /** milliseconds */
  ttl?: number
  validUntil?: string
  /** bits to start with, in the encoding of the type */
  encodedList?: string
  alsoKnownAs?: { uri: string; description: string }[]
  /** default: false */
  encrypted?: boolean
  /** for encrypted lists; left out: nobody but the publisher can unlock it */
  paymentConditions?: PaymentCondition[]
}

/** A published version; frozen, as callers who get the same version share it. */
export interface StatusListPublication {
  resource: Record<string, unknown>
  resourceMetadata: LinkedResourceMetadata
}

export interface StatusListCreateResult extends StatusListPublication {
  created: true
  encrypted: boolean
}

export interface StatusListUpdateArgs {
  listType: string
  statusAction: string
  did: string
  statusListName: string
  /** at least one; repeated ones count once */
  indices: number[]
  statusListVersion?: string
  /** which kind of list the caller means; a list of the other kind is refused; default: false */
  encrypted?: boolean
  /** conditions from now on; for encrypted lists */
  paymentConditions?: PaymentCondition[]
}

export interface StatusListUpdateResult extends StatusListPublication {
  updated: true
  /** the indices that this call changed, ascending; empty: no version was made, unless for new conditions */
  changed: number[]
  revoked?: boolean
  suspended?: boolean
  unsuspended?: boolean
  /** of a custom state */
  status?: number
  message?: string
}

export interface StatusListCheckArgs {
  listType: string
  statusPurpose: string
  did: string
  statusListName: string
  /** what to check: united, at least one of them */
  index?: number
  indices?: number[]
  /** inclusive */
  indexRangeStart?: number
  indexRangeEnd?: number
  statusListCredential?: string
  statusSize?: number
  statusMessage?: StatusMessage[]
  makeFeePayment?: boolean
  /** the most that this call pays, in CHEQ; default: what the configuration allows */
  maxFee?: number
}

export interface StatusListCheckResult extends Partial<StatusReport> {
  checked: true
  purpose?: string
  /** one for each index, ascending */
  results?: (StatusReport & { index: number })[]
}

export interface StatusListSearchArgs {
  did: string
  statusListName: string
  listType: string
  statusPurpose?: string
}

/** A fee that the service paid for the account, to unlock an encrypted list of somebody else. */
export interface StatusListPayment {
  /** UUID; the memo of the transfer on the ledger */
  id: string
  network: string
  did: string
  statusListName: string
  feePaymentAddress: string
  /** `<n>ncheq` */
  feePaymentAmount: string
  txHash: string
  /** ISO 8601 */
  paidAt: string
}

/** What a server that hands out a published list tells of it. */
export interface StatusListDelivery {
  /** of the content, where the type has one */
  mediaType?: string
  /** milliseconds for which a copy may be used */
  ttlMs?: number
  /** ISO 8601 */
  validUntil?: string
}

/** What a configured type of status list is like. */
export interface StatusListTypeFacts {
  /** the `listType` of the API */
  type: string
  entryType: string
  purposes: string[]
  statusSizes: number[]
  /** under which lists of this type are published */
  resourceTypes: string[]
}

/** Credential status lists, published as DID-Linked Resources. */
export interface IStatusList extends IPluginMethodMap {
  statusListCreate(args: StatusListCreateArgs): Promise<StatusListCreateResult>
  statusListUpdate(args: StatusListUpdateArgs): Promise<StatusListUpdateResult>
  statusListCheck(args: StatusListCheckArgs): Promise<StatusListCheckResult>
  /** @throws AgentError `list_not_found` */
  statusListSearch(args: StatusListSearchArgs): Promise<StatusListPublication & { found: true }>
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

/** Published lists, for whoever serves them to verifiers. */
export interface IStatusListDelivery extends IPluginMethodMap {
  /** How a published resource is to be handed out; `null` where it is no status list of a configured type. */
  statusListDelivery(args: { resourceType: string; data: string }): Promise<StatusListDelivery | null>
}
