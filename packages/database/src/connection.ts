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
   * Takes a write of a transaction that nobody needs to know more of, and returns at once: it goes to the database with the
   * statements that are sent after it, in their order, all of them in one go. Where it fails, nothing of the transaction
   * is committed, and whatever comes after it in the same work throws.
   *
   * @param refused - what is thrown in place of the database's error; it gets the errors of statements beside it as well,
   * and gives back what is not its own
   */
  send(statement: Sql, refused?: (error: unknown) => unknown): void
}

/** Statements that read. */
export type Reader = Pick<Connection, 'query'>
