import type { Account } from './account.js'
import type { AuditActor } from './audit.js'
import type { CredentialRegister } from './credential-register.js'
import type { PageRequest } from './paging.js'
import type { StatusListIndices } from './status-list-indices.js'
import type { StatusListJobs } from './status-list-jobs.js'
import type { StatusListPaces } from './status-list-pace.js'
import type { PaymentPage, StatusListPayment } from './status-list.js'
import type { StatusListSeriesStore } from './status-list-series.js'
import type { Did, QueueName } from './names.js'
import type { StatusListLocation } from './status-list-type.js'
import type { HandOver, WithVersion } from './with-version.js'

/**
 * The data of status lists beside the ledger, kept in the database of the service: allocated indices, the keys of
 * encrypted lists, and payments. Everything is durable when a method resolves, and safe against other processes on
 * the same database.
 */
export interface StatusListStore {
  readonly indices: StatusListIndices
  readonly keys: StatusListKeys
  readonly payments: StatusListPayments
  readonly turns: StatusListTurns
  readonly addresses: StatusListAddresses
  readonly renewals: StatusListRenewals
  readonly paces: StatusListPaces
  readonly register: CredentialRegister
  readonly jobs: StatusListJobs
  readonly series: StatusListSeriesStore
  readonly restores: StatusListRestores
}

/** When a list must be signed again, before it expires. */
export interface StatusListRenewal {
  list: StatusListLocation
  /** how long its versions are valid, in milliseconds; absent: not determined yet */
  spanMs?: number
  at: Date
}

/** A list that this process renews, until another one takes over. */
export interface HeldRenewal extends StatusListRenewal {
  /** Records in the transaction of the new version when the list is next. */
  withVersion(next: () => StatusListRenewal): WithVersion
}

/** What became of a list whose time had come. */
export interface EndedRenewal {
  /** absent: it is valid for ever, or belongs to nobody any more */
  next?: StatusListRenewal
  isRenewed: boolean
}

/** The lists that state until when they are valid. */
export interface StatusListRenewals {
  /** Records a list that is about to be published, unless it is recorded already. */
  note(renewal: StatusListRenewal): Promise<void>
  find(list: StatusListLocation): Promise<StatusListRenewal | undefined>
  /**
   * Renews lists whose time has come, from the first call on, together with all processes that share the store.
   *
   * @param work - `renew`: one process at a time calls it for a list, and again after an error, which `failed` gets
   * @returns how many lists it has renewed until none was due
   */
  run(work: {
    renew: (renewal: HeldRenewal) => Promise<EndedRenewal>
    failed: (error: unknown) => void
  }): Promise<number>
  /** Leaves the rest to others. */
  stop(): Promise<void>
  /** The accounts that have the publisher among their DIDs, disabled ones included. */
  holders(did: string): Promise<Account[]>
}

/** A list that has an https address at this service. */
export interface AddressedList extends StatusListLocation {
  /** the https address that is the identity of the list; absent: that is its DID URL */
  url?: string
}

/** Which lists are found at https addresses of this service. An address is never taken back: credentials name it for good. */
export interface StatusListAddresses {
  /**
   * Notes down that a list is found under its id (`listIdOf`).
   *
   * @param list - `url`: before its first version is published, the identity that it is about to have
   * @param options - `settled`: the list is published, and its identity will not change any more; `entries`: how many a
   *   new list is going to have, whose allocation order is stored as well, so that no backup has the list without it
   */
  note(list: AddressedList, options: { settled: boolean; entries?: number }): Promise<void>
  /** `settled`: it never changes; otherwise it may until the list is published */
  find(id: string): Promise<(AddressedList & { settled: boolean }) | undefined>
  /** The lists whose identity is their https address, in the order of their ids. */
  urls(of: { resourceType: string; did?: string | undefined }): Promise<string[]>
}

/** What is known about the indices that a list has allocated since the backup. */
export interface ForgottenIndices {
  /** how many the list has */
  entries: number
  /** those that are set in a published version: somebody has them */
  isUsed: (index: number) => boolean
  /** no list has allocated more than this many; absent: unknown */
  most?: number | undefined
  /** id of the restore; absent: nothing is changed */
  restore?: string | undefined
}

/** Positions in the allocation order of a list that are never allocated. */
export interface SkippedIndices {
  from: number
  /** equal to the number of entries if the list allocates nothing more */
  to: number
  /** `false`: the order was lost with the database, and with it which indices are allocated */
  isOrderKnown: boolean
}

/** After the database was restored from a backup. */
export interface StatusListRestores {
  /**
   * Begins a restore, or continues the one that was interrupted or that no service has started after; until it ends, no
   * service starts.
   *
   * @returns `undo`: as if it had not begun, before anything was changed
   */
  begin(): Promise<{ id: string; undo: () => Promise<void> }>
  end(id: string): Promise<void>
  /** The DIDs of all accounts, in the order of their names. @param after - the last one of the page before, or empty */
  dids(after: string, limit: number): Promise<Did[]>
  /** Those of the DIDs that no account has. */
  unknownDids(dids: readonly string[]): Promise<string[]>
  /** Skips what may have been allocated since the backup, once for each restore. */
  skip(list: StatusListLocation, forgotten: ForgottenIndices): Promise<SkippedIndices>
}

/** The keys of encrypted lists: 32 bytes, sealed at rest, one for each list for as long as it lives. */
export interface StatusListKeys {
  find(list: StatusListLocation): Promise<Uint8Array | undefined>
  /** The key of a list; a new random one if it has none. */
  findOrCreate(list: StatusListLocation): Promise<Uint8Array>
}

/** Turns at writing a list, among the processes that share the store. */
export interface StatusListTurns {
  /**
   * Lets `work` write a list while others wait. It avoids wasted work, and is not a lock: `work` may still run beside
   * others.
   *
   * @param list - the same in all processes
   * @param options - `patient`: rather late than in vain, after repeated conflicts
   * @throws AgentError `unavailable`, and what `work` throws
   */
  take<T>(list: QueueName, work: () => Promise<T>, options: { patient: boolean }): Promise<T>
}

/** The conditions that a payment must meet to count. */
export interface PaymentClaim {
  list: StatusListLocation
  network: string
  feePaymentAddress: string
  /** `<n>ncheq`, exactly */
  feePaymentAmount: string
  /** milliseconds for which a payment counts */
  windowMs: number
  /** which condition of the list this is, from 0 on */
  condition: number
  /** how many the list has */
  conditions: number
}

/** The spending limits, in ncheq; omitted ones do not apply. */
export interface PaymentLimits {
  /** for one list, by all payments that count at the same time */
  list?: bigint
  /** by the account on the network, within a day in UTC */
  accountDay?: bigint
  /** by all accounts on the network, within a day in UTC */
  networkDay?: bigint
}

export type PaymentLimitName = keyof PaymentLimits

/** Why nothing was begun. */
export interface PaymentRefusal {
  limit: PaymentLimitName
  /** in ncheq */
  most: bigint
  left: bigint
  /** when there is more; absent: not by waiting */
  moreAt?: Date
}

/** A payment that was begun, by this call or before. */
export interface BegunPayment {
  /** the memo of the transfer */
  id: string
  begunAt: Date
  /** `false` if the account has begun it before, in this process or another, and its outcome is not known yet */
  mine: boolean
  /** its conditions when it was begun: the list may ask for something else by now */
  feePaymentAddress: string
  feePaymentAmount: string
  /** the limits of which 80 % are spent by this payment, and were not before */
  nearing: readonly SpentBudget[]
}

/** How much of a limit of a day is spent, in ncheq. */
export interface SpentBudget {
  limit: PaymentLimitName
  used: bigint
  most: bigint
  /** when it begins again */
  until: Date
}

/** Payments of the account in scope. */
export interface StatusListPayments {
  /**
   * The newest settled payment that counts now: to that address of that amount, or for that condition of the list
   * whatever it asked for then. After meeting all conditions of a list, an account owes none that was added within
   * the window.
   */
  find(claim: PaymentClaim, now: Date): Promise<StatusListPayment | undefined>
  /** A payment for the claim that was begun and is not settled. */
  findBegun(claim: PaymentClaim): Promise<BegunPayment | undefined>
  /**
   * Records that this account is about to pay, before anything is paid, and counts it towards the limits, all in one
   * transaction.
   *
   * Nobody else settles such a payment from now on, so before paying, call {@link find} once more: another process
   * may have finished between the first look and this. Then {@link drop} takes it back.
   *
   * @param following - ncheq that will be begun right afterwards, and must be left as well
   */
  begin(
    claim: PaymentClaim,
    limits: PaymentLimits,
    following?: bigint,
  ): Promise<BegunPayment | { refused: PaymentRefusal }>
  /**
   * Takes over a payment that another process began and abandoned. It counts for the current day.
   *
   * @returns whether no other process was faster
   */
  takeOver(
    id: string,
    begunAt: Date,
    limits: PaymentLimits,
  ): Promise<{ taken: boolean; refused?: PaymentRefusal }>
  /** That this process has begun the payment, or taken it over, and no other has since. */
  handOver(id: string): HandOver
  /**
   * Records that it was paid, whoever began it. Repeating this changes nothing.
   *
   * @param paid - `actor`: whoever paid, for the audit trail; default: the caller
   */
  settle(id: string, paid: { txHash: string; paidAt: Date; actor?: AuditActor }): Promise<void>
  /** Deletes a payment that was begun and did not happen; does nothing if another process has taken it over. */
  drop(id: string): Promise<void>
  /** newest first */
  list(page?: PageRequest): Promise<PaymentPage>
  /** Today's spending of the account, in ncheq by network. */
  spentToday(): Promise<ReadonlyMap<string, bigint>>
}
