import type { QuotaName } from '@vidimus/core-types'
import type { Connection } from './connection.js'

/**
 * Tallies that change with their rows, so that no request counts rows. The bytes of a ledger and those of stored
 * responses make up the quota `bytes`; they are written by different transactions, which so do not conflict.
 */
export type TalliedKind = 'dids' | 'keys' | 'statusLists' | 'resources' | 'ledgerBytes' | 'answerBytes'

/** Whether it is counted in the home of the account; otherwise in those of the DIDs whose rows they are. */
export const isCountedByAccount = (kind: TalliedKind): boolean =>
  kind === 'dids' || kind === 'keys' || kind === 'answerBytes'

/** What a change adds, or removes if it is negative. */
export type TalliedChange = Readonly<Partial<Record<TalliedKind, number>>>

/** The quotas of accounts, for code that stores something. */
export interface AccountQuotas {
  /**
   * Counts a change. Must be called in its transaction.
   *
   * @param options - `home`: that of the changed rows. `onReserve`: it may use the reserve for changes of existing objects
   * @throws AgentError `quota_exceeded` if an addition exceeds what the account may have
   */
  count(connection: Connection, account: string, change: TalliedChange, options: CountOptions): Promise<void>
  /** The account's value set by an operator, otherwise `usual`. */
  limitOf(
    reader: Pick<Connection, 'query'>,
    account: string,
    quota: QuotaName,
    usual: number,
  ): Promise<number>
  /** Whether the account has room for this many more bytes, including its reserve. */
  hasRoomFor(account: string, bytes: number): Promise<boolean>
}

export interface CountOptions {
  home: number
  onReserve?: boolean
}

/** The tally of a kind for an account. */
export interface StoredShare {
  /** its id */
  account: string
  kind: TalliedKind
  n: number
}

/** Recounts the rows behind a tally. */
export interface CountsStored {
  /** counting one of them counts all rows of it */
  readonly storedKinds: readonly TalliedKind[]
  /** Of the accounts that have any; the rows are read as they are, all of them. */
  readonly countStored: (reader: Pick<Connection, 'query'>) => Promise<StoredShare[]>
}

export interface HasCountsStored {
  readonly countsStored: CountsStored | undefined
}
