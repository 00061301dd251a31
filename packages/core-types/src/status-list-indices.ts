import type { ToldChange } from './account-events.js'
import type { NewRegistration } from './credential-register.js'
import type { Did } from './names.js'
import type { StatusListLocation } from './status-list-type.js'

/**
 * The indices of lists that belong to credentials. An index is allocated once, whatever happens to its credential.
 */
export interface StatusListIndices {
  /**
   * Allocates indices: all, or none.
   *
   * @param credential - their owner: registered in the account in scope, in the same transaction
   * @returns the indices in the requested order; if some are not available, `undefined` in their places, and then no
   *   others are allocated either
   */
  take(wanted: readonly WantedIndex[], credential?: NewRegistration): Promise<readonly (number | undefined)[]>
  /** How much of lists of a DID is allocated; lists of which nothing is stored are missing. */
  fills(did: Did, lists: readonly StatusListLocation[]): Promise<(StatusListLocation & ListFill)[]>
  /** Whether a list allocates nothing more because the database was restored from a backup. */
  hasEndedByRestore(list: StatusListLocation): Promise<boolean>
}

/** How much of a list is allocated. */
export interface ListFill {
  /** indices that are never allocated again: for a credential, in use already, or skipped after a restore */
  allocated: number
  /** of the list; 0 if it is encrypted and was created elsewhere */
  entries: number
}

export type WantedIndex = FreeIndex | NamedIndex

interface ForPurpose {
  /** of the entry at the index; absent if it has none, or several share the index */
  purpose?: string
  /** of lists that are members of series: recorded with the index, so that it is known when all have expired */
  expiry?: EntryExpiry
  /** of lists that no other list continues: the event for the account, once 90 % of one of them are allocated */
  nearlyFull?: (list: StatusListLocation, fill: ListFill) => ToldChange
}

/** When the credential of an index expires, ISO 8601 in UTC; `never` also if nobody knows. */
export type EntryExpiry = string

/** An unpredictable index that is free in all of the lists. */
export interface FreeIndex extends ForPurpose {
  /** at least one, the shortest first: its indices are within the others */
  lists: readonly StatusListLocation[]
  /** how many the shortest list has */
  entries: number
  /** for indices that were set without being taken; they are passed over */
  isUsed: (index: number) => boolean
  /** called once an index is allocated, with how many indices were not passed over yet */
  left?: (indices: number) => void
}

/** A certain index in some lists, whatever its value there. */
export interface NamedIndex extends ForPurpose {
  lists: readonly StatusListLocation[]
  /** how many the shortest list has; absent if it is unknown */
  entries?: number
  index: number
  /** it may already be allocated: for a reissued credential */
  again?: boolean
}
