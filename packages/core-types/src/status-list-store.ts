import type { StatusListPayment } from './status-list.js'
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
}

/** The indices of lists that belong to credentials. An index is given out once, whatever happens to its credential. */
export interface StatusListIndices {
  /**
   * Takes indices: all that are wanted, or none of them.
   *
   * @returns the indices in the order asked for; where some are not to be had, `undefined` in their places, and then the
   * others are not taken either
   */
  take(wanted: readonly WantedIndex[]): Promise<readonly (number | undefined)[]>
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

/** What a payment has to be, to count. */
export interface PaymentClaim {
  list: StatusListLocation
  network: string
  feePaymentAddress: string
  /** `<n>ncheq`, exactly */
  feePaymentAmount: string
}

/** Payments of the account in scope. */
export interface StatusListPayments {
  /** The newest settled payment to that address of that amount since then. */
  find(claim: PaymentClaim, notBefore: Date): Promise<StatusListPayment | undefined>
  /**
   * Notes down that this account is about to pay, before anything is paid.
   *
   * Nobody else settles such a payment from now on, so who is about to pay looks with {@link find} once more: somebody
   * may have been done between the first look and this. Then {@link drop} takes it back.
   *
   * @returns the id for the memo of the transfer; `mine: false` where the same account has begun the same payment
   * before, in this process or another, and its outcome is not known yet
   */
  begin(claim: PaymentClaim): Promise<{ id: string; begunAt: Date; mine: boolean }>
  /** Takes over a payment that somebody began and left. @returns whether nobody else was faster */
  takeOver(id: string, begunAt: Date): Promise<boolean>
  /** Notes down that it was paid, whoever began it. Repeating this changes nothing. */
  settle(id: string, paid: { txHash: string; paidAt: Date }): Promise<void>
  /** Forgets a payment that was begun and did not happen; nothing happens where somebody else has taken it over. */
  drop(id: string): Promise<void>
  /** newest first */
  list(): Promise<StatusListPayment[]>
}
