import type { QuotaName } from '@vidimus/core-types'
import type { Connection } from './connection.js'

/**
 * What is counted as it comes and goes, so that nobody counts rows to answer a request. The bytes of a ledger and those of
 * kept answers make up the quota `bytes`; they are written by different transactions, which so do not meet.
 */
export type TalliedKind = 'dids' | 'keys' | 'statusLists' | 'resources' | 'ledgerBytes' | 'answerBytes'

/** What a change adds, or takes away where it is negative. */
export type TalliedChange = Readonly<Partial<Record<TalliedKind, number>>>

/** What accounts may store, for whoever stores something. */
export interface AccountQuotas {
  /**
   * Counts a change. Must be called in its transaction.
   *
   * @param onReserve - it may take what is kept for changes of what is there
   * @throws AgentError `invalid_input` where something that is added is more than the account may have
   */
  count(connection: Connection, account: string, change: TalliedChange, onReserve?: boolean): Promise<void>
  /** What an operator has set for the account, or else `usual`. */
  limitOf(
    reader: Pick<Connection, 'query'>,
    account: string,
    quota: QuotaName,
    usual: number,
  ): Promise<number>
  /** Whether the account has room for so many bytes more, its reserve included. */
  hasRoomFor(account: string, bytes: number): Promise<boolean>
}

/** What an account has of a kind. */
export interface StoredShare {
  /** its id */
  account: string
  kind: TalliedKind
  n: number
}

/** Counts in its rows what was tallied while they came and went. */
export interface CountsStored {
  /** whoever counts one of them counts all rows of it */
  readonly storedKinds: readonly TalliedKind[]
  /** Of the accounts that have any; the rows are read as they are, all of them. */
  readonly countStored: (reader: Pick<Connection, 'query'>) => Promise<StoredShare[]>
}

export interface HasCountsStored {
  readonly countsStored: CountsStored | undefined
}
