import type { Account } from './account.js'
import type { CredentialRegister, NewRegistration } from './credential-register.js'
import type { PageRequest } from './paging.js'
import type { PaymentPage, StatusListPayment } from './status-list.js'
import type { StatusListLocation } from './status-list-type.js'

/**
 * What status lists need beside the ledger, kept in the database of the service: which indices are given out, the keys
 * of encrypted lists, and what was paid. Everything is durable when a method resolves, and safe against other
 * processes on the same database.
 */
export interface StatusListStore {
  readonly indices: StatusListIndices
  readonly keys: StatusListKeys
  readonly payments: StatusListPayments
  readonly turns: StatusListTurns
  readonly addresses: StatusListAddresses
  readonly renewals: StatusListRenewals
  readonly register: CredentialRegister
}

/** When a list must be signed anew, before it lapses. */
export interface StatusListRenewal {
  list: StatusListLocation
  /** for how long its versions are valid, in milliseconds; left out: nobody has looked yet */
  spanMs?: number
  at: Date
}

/** The lists that say until when they are valid. */
export interface StatusListRenewals {
  /** Notes down a list that is about to be published, unless it is noted already. */
  note(renewal: StatusListRenewal): Promise<void>
  find(list: StatusListLocation): Promise<StatusListRenewal | undefined>
  /** Those whose time has come by then, the earliest first. */
  due(by: Date, most: number): Promise<StatusListRenewal[]>
  /**
   * Takes a list on, for as long as `until`: nobody else does before.
   *
   * @param renewal - as it was found
   * @returns `false` where somebody else was faster
   */
  claim(renewal: StatusListRenewal, until: Date): Promise<boolean>
  /** Notes when it is next. */
  settle(renewal: StatusListRenewal): Promise<void>
  /** A list that is valid for ever, or is nobody's any more. */
  forget(list: StatusListLocation): Promise<void>
  /** The accounts that have the publisher among their DIDs, disabled ones included. */
  holders(did: string): Promise<Account[]>
}

/** A list that has an https address at this service. */
export interface AddressedList extends StatusListLocation {
  /** the https address that is the identity of the list; left out: that is its DID URL */
  url?: string
}

/** Which lists are found at https addresses of this service. An address is never taken back: credentials name it for good. */
export interface StatusListAddresses {
  /**
   * Notes down that a list is found under its id (`listIdOf`).
   *
   * @param list - `url`: before its first version is published, the identity that it is about to have
   * @param options - `settled`: the list is published, and its identity will not change any more
   */
  note(list: AddressedList, options: { settled: boolean }): Promise<void>
  find(id: string): Promise<AddressedList | undefined>
  /** The lists whose identity is their https address, in the order of their ids. */
  urls(of: { resourceType: string; did?: string | undefined }): Promise<string[]>
}

/** The indices of lists that belong to credentials. An index is given out once, whatever happens to its credential. */
export interface StatusListIndices {
  /**
   * Takes indices: all that are wanted, or none of them.
   *
   * @param credential - whose they are: registered in the account in scope, in the same transaction
   * @returns the indices in the order asked for; where some are not to be had, `undefined` in their places, and then the
   * others are not taken either
   */
  take(wanted: readonly WantedIndex[], credential?: NewRegistration): Promise<readonly (number | undefined)[]>
}

export type WantedIndex = FreeIndex | NamedIndex

/** An index that is free in all of some lists, and that nobody can foretell. */
export interface FreeIndex {
  /** at least one, the shortest first: what it gives is inside of the others */
  lists: readonly StatusListLocation[]
  /** how many the shortest list has */
  entries: number
  /** for indices that were set without being taken; they are passed over */
  isUsed: (index: number) => boolean
}

/** A certain index in some lists, whatever its value there. */
export interface NamedIndex {
  lists: readonly StatusListLocation[]
  index: number
  /** it serves also where it is taken already: for a credential that is issued anew */
  again?: boolean
}

/** The keys of encrypted lists: 32 bytes, sealed at rest, one for each list for as long as it lives. */
export interface StatusListKeys {
  find(list: StatusListLocation): Promise<Uint8Array | undefined>
  /** The key of a list; a new random one where it has none. */
  findOrCreate(list: StatusListLocation): Promise<Uint8Array>
}

/** Turns at writing a list, among the processes that share the store. */
export interface StatusListTurns {
  /**
   * Lets `work` write a list while others wait. It spares those whose work would be in vain, and is no lock: `work` may
   * also meet others.
   *
   * @param list - a name that is the same in all processes
   * @param options - `patient`: rather late than in vain, for who has met others over and over
   * @throws AgentError `unavailable`, and what `work` throws
   */
  take<T>(list: string, work: () => Promise<T>, options: { patient: boolean }): Promise<T>
}

/** What a payment must be, to count. */
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

/** The most that may be spent, in ncheq; what is left out has no limit. */
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
  /** when there is more; left out: not by waiting */
  moreAt?: Date
}

/** A payment that was begun, by this call or before. */
export interface BegunPayment {
  /** the memo of the transfer */
  id: string
  begunAt: Date
  /** `false` where the account has begun it before, in this process or another, and its outcome is not known yet */
  mine: boolean
  /** what it was begun with: the list may ask for something else by now */
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
  /** when it begins anew */
  until: Date
}

/** Payments of the account in scope. */
export interface StatusListPayments {
  /**
   * The newest settled payment that counts now: to that address of that amount, or for that condition of the list
   * whatever it asked for then. Who has met all conditions of a list owes none that was added within the window.
   */
  find(claim: PaymentClaim, now: Date): Promise<StatusListPayment | undefined>
  /** A payment for the claim that was begun and is not settled. */
  findBegun(claim: PaymentClaim): Promise<BegunPayment | undefined>
  /**
   * Notes down that this account is about to pay, before anything is paid, and counts it towards the limits, all in
   * one transaction.
   *
   * Nobody else settles such a payment from now on, so who is about to pay looks with {@link find} once more: somebody
   * may have been done between the first look and this. Then {@link drop} takes it back.
   *
   * @param following - ncheq that will be begun right afterwards, and must be left as well
   */
  begin(
    claim: PaymentClaim,
    limits: PaymentLimits,
    following?: bigint,
  ): Promise<BegunPayment | { refused: PaymentRefusal }>
  /**
   * Takes over a payment that somebody began and left. It counts for the day of this.
   *
   * @returns whether nobody else was faster
   */
  takeOver(
    id: string,
    begunAt: Date,
    limits: PaymentLimits,
  ): Promise<{ taken: boolean; refused?: PaymentRefusal }>
  /** Notes down that it was paid, whoever began it. Repeating this changes nothing. */
  settle(id: string, paid: { txHash: string; paidAt: Date }): Promise<void>
  /** Forgets a payment that was begun and did not happen; nothing happens where somebody else has taken it over. */
  drop(id: string): Promise<void>
  /** newest first */
  list(page?: PageRequest): Promise<PaymentPage>
  /** What the account has spent today, in ncheq by network. */
  spentToday(): Promise<ReadonlyMap<string, bigint>>
}
