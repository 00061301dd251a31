import type { Sql } from './sql.js'

/** Runs statements; inside {@link Database.write} all of them belong to one transaction. */
export interface Connection {
  /** @returns the rows, with column names as the statement writes them */
  query<Row>(statement: Sql): Promise<Row[]>
  /** @returns how many rows the statement changed */
  run(statement: Sql): Promise<number>
}

/** Statements that read. */
export type Reader = Pick<Connection, 'query'>
