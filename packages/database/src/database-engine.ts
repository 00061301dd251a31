import type { Connection, Reader } from './connection.js'
import type { MeasuredEngine } from './measurements.js'
import type { ServerRoom } from './postgres-share.js'
import type { Dialect, Sql } from './sql.js'
import type { TurnOptions } from './turn-options.js'

/** Gives a lock back. */
export type Release = () => Promise<void>

/** How far a standby is behind its primary, and how far it may be. */
export interface Behind {
  seconds: number
  most: number
}

/** What a kind of database does in its own way, behind {@link Database}. */
export interface DatabaseEngine extends MeasuredEngine {
  readonly dialect: Dialect
  /** where it is, for the operator; without a password */
  readonly location: string
  /** write transactions that wait for their turn */
  readonly queueLength: number
  /** whether the files that it has open were deleted or replaced: nothing is stored any more */
  readonly isLost: boolean

  /**
   * Applies the migrations and opens.
   *
   * @param importing - whether an unfinished import may be there
   * @param readsOnly - applies none, and demands that there is none to apply
   * @returns the names of those that were applied, oldest first
   */
  open(importing: boolean, readsOnly: boolean): Promise<string[]>
  /** Names of the migrations that {@link open} would apply, oldest first; changes nothing. */
  pendingMigrations(readsOnly: boolean): Promise<string[]>
  /** Waits for what is under way. */
  close(): Promise<void>

  query<Row>(statement: Sql): Promise<Row[]>
  remember<T>(home: number, key: string, read: (reader: Reader) => Promise<T>): Promise<T>
  write<T>(work: (connection: Connection) => Promise<T>, lane: string | undefined): Promise<T>
  inTurn<T>(name: string, work: () => Promise<T>, options: TurnOptions): Promise<T>
  readConsistently<T>(work: (reader: Reader) => Promise<T>): Promise<T>
  lock(name: string): Promise<Release | undefined>
  /** Shows that this process is there, from the first call until {@link close}. @returns the id that stands for it */
  presence(): Promise<string>
  isPresent(id: string): Promise<boolean>
  now(): Promise<Date>
  /** Leaves nothing in the write-ahead log. @returns whether it is empty */
  emptyLog(): Promise<boolean>
  /** How far a standby is behind; `undefined` where it is none. */
  behind?(): Promise<Behind | undefined>
  /** How the connections of a server are divided; files have none. */
  connections?(): Promise<{ room: ServerRoom; poolSize: number }>
  /** Waits until every transaction has ended that is under way at this moment, in whatever process. */
  olderTransactionsEnd(): Promise<void>
}
