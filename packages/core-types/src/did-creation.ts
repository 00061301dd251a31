import type { IIdentifier, IPluginMethodMap } from '@veramo/core-types'
import type { TransactionStep } from './open-transaction.js'
import type { HandOver } from './with-version.js'

/** A ledger's part in the transaction that stores what follows from it; see `LedgerParticipation` of `@vidimus/ledger`. */
export interface LedgerPart<T = void> {
  /** whose transactions it can be part of */
  database: object
  write: TransactionStep<T>
  /** why it changes rows of several homes, if it does */
  spans?: string
  /** the meaning of a failed transaction, if the ledger caused it; anything else is returned */
  refused: (error: unknown) => unknown
}

/**
 * The interface between a DID provider that writes to a ledger and the stores of the account. A ledger in the same
 * database is part of the transaction that stores the DID. No transaction spans any other: the intent is made durable
 * before it is contacted.
 */
export interface IDIDCreation extends IPluginMethodMap {
  /**
   * Makes the keys of the DID and the intent to create it durable. A provider calls it right before it submits a new
   * DID to a ledger. If the creation fails, the keys are removed; if the process dies, another one asks the resolver
   * whether the DID exists, and completes or undoes the creation.
   *
   * @param args - `together`: the creation on a ledger that may be in the database of the stores
   * @returns `joined`: the DID is created with the transaction that stores it, and the ledger must not be contacted; otherwise what
   *   must still be the case when the ledger gets it
   * @throws AgentError `alias_taken`, `did_taken`, `unavailable`
   */
  didCreationRecord(args: {
    identifier: Omit<IIdentifier, 'provider'>
    together?: LedgerPart
  }): Promise<{ joined: boolean; handOver?: HandOver }>
}
