import { setTimeout } from 'node:timers/promises'
import sqlite3 from 'sqlite3'
import type { Release } from './database-engine.js'
import { isBusy, toDatabaseError } from './errors.js'

/** The taker of a lock may keep no reference, and SQLite's objects release theirs when they are collected. */
const held = new Set<FileLock>()

/**
 * A lock that ends with this process, however it ends: SQLite's own on a file, held by the operating system.
 *
 * The file stays: if it were removed, two processes could hold a lock on two files of its name.
 */
export class FileLock {
  private constructor(private readonly database: sqlite3.Database) {}

  /** @param file - created if it does not exist */
  static async open(file: string): Promise<FileLock> {
    const database = await new Promise<sqlite3.Database>((resolve, reject) => {
      const opened = new sqlite3.Database(file, (error) =>
        error ? reject(toDatabaseError(error)) : resolve(opened),
      )
    })
    database.configure('busyTimeout', 0)
    return new FileLock(database)
  }

  /** @returns `false` if another process has it */
  async take(): Promise<boolean> {
    // Without a journal in a file, which a full disk would have no room for.
    const taken = await this.unlessBusy('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    if (taken) held.add(this)
    return taken
  }

  /** Whether it is free; many may ask concurrently. */
  isFree(): Promise<boolean> {
    return this.unlessBusy('SELECT COUNT(*) FROM sqlite_schema')
  }

  /** Gives it back as well. */
  close(): Promise<void> {
    held.delete(this)
    return new Promise<void>((resolve, reject) => {
      this.database.close((error) => (error ? reject(toDatabaseError(error)) : resolve()))
    })
  }

  private async unlessBusy(statement: string): Promise<boolean> {
    try {
      await this.execute(statement)
      return true
    } catch (error) {
      if (isBusy(error)) return false
      throw error
    }
  }

  private execute(statement: string): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.database.exec(statement, (error) => (error ? reject(toDatabaseError(error)) : resolve()))
    })
  }
}

/**
 * Takes a {@link FileLock}.
 *
 * @param file - created if it does not exist
 * @returns `undefined` if another process has it
 */
export async function lockFile(file: string): Promise<Release | undefined> {
  const lock = await FileLock.open(file)
  let taken = false
  try {
    taken = await lock.take()
  } finally {
    if (!taken) await lock.close()
  }
  return taken ? () => lock.close() : undefined
}

/** The interval of attempts; SQLite does not notify of a free lock. */
const RETRY_MS = 50

/** As {@link lockFile}, but waits until the lock is free. */
export async function lockFileInTurn(file: string): Promise<Release> {
  for (;;) {
    const release = await lockFile(file)
    if (release) return release
    await setTimeout(RETRY_MS)
  }
}
