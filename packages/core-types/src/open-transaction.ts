/**
 * A running transaction, on its way between rooms that know each other only by the database that they share: what can be done
 * with it, the package of that database knows.
 */
export interface OpenTransaction {
  readonly query: unknown
  readonly run: unknown
  readonly send: unknown
}

/** Writes in a transaction of a database; may be run again from the beginning. */
export type TransactionStep<T = void> = (transaction: OpenTransaction) => Promise<T>
