import { setTimeout } from 'node:timers/promises'
import { isBusy } from './errors.js'
import { sql } from './sql.js'
import type { SqliteConnection } from './sqlite-connection.js'
import type { Transact } from './write-queue.js'

/** The longest pause between two looks at whether another process has ended its transaction. */
const LOOK_EVERY_MS = 10

/**
 * Runs transactions on a connection that is used for nothing else.
 *
 * @param busyTimeoutMs - how long a transaction of another process is waited for
 */
export function transactionsOn(writer: SqliteConnection, busyTimeoutMs: number): Transact {
  writer.answerAtOnce()
  return async (work) => {
    await begin(writer, busyTimeoutMs)
    try {
      const result = await work(writer)
      await writer.run(sql`COMMIT`)
      return result
    } catch (error) {
      await rollBack(writer)
      throw error
    }
  }
}

/**
 * SQLite's own waiting looks every 100 ms at last. Between the transactions of another process that has many to write
 * there is a gap of parts of a millisecond, which is then not met in ten seconds.
 */
async function begin(writer: SqliteConnection, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs
  for (;;) {
    try {
      // IMMEDIATE: takes the write lock now, so that another process cannot get between our reads and our writes.
      await writer.run(sql`BEGIN IMMEDIATE`)
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw error
    }
    await setTimeout(Math.random() * LOOK_EVERY_MS)
  }
}

async function rollBack(writer: SqliteConnection): Promise<void> {
  try {
    await writer.run(sql`ROLLBACK`)
  } catch {
    // SQLite has rolled back by itself already; were it anything else, the next BEGIN would report it.
  }
}
