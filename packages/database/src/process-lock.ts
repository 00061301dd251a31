import { setTimeout } from 'node:timers/promises'
import sqlite3 from 'sqlite3'
import type { Release } from './database-engine.js'
import { toDatabaseError } from './errors.js'

/**
 * Takes a lock that ends with this process, however it ends: SQLite's own on a file, which the operating system keeps.
 *
 * The file stays: were it removed, two processes could hold a lock on two files of its name.
 *
 * @param file - made where it does not exist
 * @returns `undefined` where somebody else has it
 */
export async function lockFile(file: string): Promise<Release | undefined> {
  const database = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened = new sqlite3.Database(file, (error) =>
      error ? reject(toDatabaseError(error)) : resolve(opened),
    )
  })
  const release = () =>
    new Promise<void>((resolve, reject) => {
      database.close((error) => (error ? reject(toDatabaseError(error)) : resolve()))
    })
  try {
    database.configure('busyTimeout', 0)
    await new Promise<void>((resolve, reject) => {
      database.exec('BEGIN EXCLUSIVE', (error) => (error ? reject(error) : resolve()))
    })
    return release
  } catch (error) {
    await release()
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') return undefined
    throw toDatabaseError(error)
  }
}

/** How often it is tried again; SQLite tells nobody that a lock is free. */
const RETRY_MS = 50

/** As {@link lockFile}, but waits until the lock is free. */
export async function lockFileInTurn(file: string): Promise<Release> {
  for (;;) {
    const release = await lockFile(file)
    if (release) return release
    await setTimeout(RETRY_MS)
  }
}
