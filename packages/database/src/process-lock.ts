import sqlite3 from 'sqlite3'
import { toDatabaseError } from './errors.js'

/** Gives a lock back. */
export type Release = () => Promise<void>

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
      database.exec('BEGIN EXCLUSIVE', (error) => (error ? reject(toDatabaseError(error)) : resolve()))
    })
    return release
  } catch (error) {
    await release()
    if (toDatabaseError(error).code === 'SQLITE_BUSY') return undefined
    throw error
  }
}
