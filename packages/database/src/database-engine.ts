import type { QueueName } from '@vidimus/core-types'
import type { Connection, Reader } from './connection.js'
import type { Lane } from './lanes.js'
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

/** The database-specific part behind {@link Database}. */
export interface DatabaseEngine extends MeasuredEngine {
  readonly dialect: Dialect
  /** where it is, for the operator; without a password */
  readonly location: string
  /** waiting write transactions */
  readonly queueLength: number
  /** whether its open files were deleted or replaced: nothing is stored any more */
  readonly isLost: boolean

  /**
   * Applies the migrations and opens.
   *
   * @param importing - whether an unfinished import is allowed
   * @param readsOnly - applies none, and requires that none is missing
   * @returns the names of the applied ones, oldest first
   */
  open(importing: boolean, readsOnly: boolean): Promise<string[]>
  /** Names of the migrations that {@link open} would apply, oldest first; changes nothing. */
  pendingMigrations(readsOnly: boolean): Promise<string[]>
  /** Waits for work in progress. */
  close(): Promise<void>

  query<Row>(statement: Sql): Promise<Row[]>
  remember<T>(homes: readonly number[], key: string, read: (reader: Reader) => Promise<T>): Promise<T>
  write<T>(work: (connection: Connection) => Promise<T>, lane: Lane | undefined): Promise<T>
  inTurn<T>(name: QueueName, work: () => Promise<T>, options: TurnOptions): Promise<T>
  readConsistently<T>(work: (reader: Reader) => Promise<T>): Promise<T>
  /** See {@link Database.alterTables}; a file has nothing of the kind. */
  alterTables?<T>(work: (connection: Reader) => Promise<T>): Promise<T>
  lock(name: QueueName): Promise<Release | undefined>
  /** Registers the presence of this process, from the first call until {@link close}. @returns its id */
  presence(): Promise<string>
  isPresent(id: string): Promise<boolean>
  /** How many other processes are present. */
  othersPresent(): Promise<number>
  now(): Promise<Date>
  /** Empties the write-ahead log. @returns whether it is empty */
  emptyLog(): Promise<boolean>
  /** How far a standby is behind; `undefined` if it is not a standby. */
  behind?(): Promise<Behind | undefined>
  /** How the connections of a server are divided; files have none. */
  connections?(): Promise<{ room: ServerRoom; poolSize: number }>
  /** Waits until every transaction has ended that is under way at this moment, in whatever process. */
  olderTransactionsEnd(): Promise<void>
}
