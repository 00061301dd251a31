import type { Sql } from './sql.js'

/** Runs statements; inside {@link Database.write} all of them belong to one transaction. */
export interface Connection {
  /** @returns the rows, with column names as the statement writes them */
  query<Row>(statement: Sql): Promise<Row[]>
  /** As {@link query}, for what nothing can change that was sent before in the same work: that is not sent for its sake. */
  queryApart<Row>(statement: Sql): Promise<Row[]>
  /** @returns how many rows the statement changed */
  run(statement: Sql): Promise<number>
  /**
   * Takes a write of a transaction whose outcome is not needed, and returns at once: it goes to the database with the
   * statements sent after it, in order, all in one go. If it fails, nothing of the transaction is committed, and
   * everything after it in the same work throws.
   *
   * @param refused - replaces the database's error; it also gets the errors of other statements, and returns those
   *   that are not its own
   */
  send(statement: Sql, refused?: (error: unknown) => unknown): void
  /** Calls `then` once the transaction is committed, before whoever waits for it goes on; never if it is undone. */
  whenCommitted(then: () => void): void
  /**
   * One object for all works that share the transaction, until one of them is undone: to know by it what they have read and changed,
   * so that those that follow need not read it again.
   */
  readonly shared: object
}

/** Statements that read. */
export type Reader = Pick<Connection, 'query'>
