import { hasMethods } from './required-methods.js'

/** An object that sees by what is outside of the database whether that was restored from a backup. */
export interface NoticesRestore {
  /**
   * A quick look, right after the database was opened. What cannot be reached shows nothing.
   *
   * @returns what the database has forgotten, as the beginning of a sentence; `undefined`: nothing is ahead of it
   */
  noticeRestore(): Promise<string | undefined>
  /**
   * What is ahead is known to the operator from now on, and is taken over from there. It may be called again.
   *
   * @throws Error if it cannot be reached
   */
  acceptRestore?(): Promise<void>
  /** A service starts on the database: from now on it may have been restored again. */
  serveRestored?(): Promise<void>
}

export const noticesRestore = (value: unknown): value is NoticesRestore => hasMethods(value, 'noticeRestore')

/** What an operator does about it. */
export const AFTER_RESTORE =
  'the database was restored from a backup and has forgotten what happened since. Run: vidimus restored'
