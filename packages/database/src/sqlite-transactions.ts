import { setTimeout } from 'node:timers/promises'
import { isBusy } from './errors.js'
import { ChangedHomes } from './home-versions.js'
import { sql } from './sql.js'
import type { SqliteConnection } from './sqlite-connection.js'
import type { SqliteFiles } from './sqlite-files.js'
import type { SqliteLog } from './sqlite-log.js'
import type { Transact } from './write-queue.js'

/** The longest pause between two looks at whether another process has ended its transaction. */
const LOOK_EVERY_MS = 5

/** After how long of one transaction right behind the other there is a gap for other processes, and how long it is. */
const GAP_AFTER_MS = 50
const GAP_MS = 1

interface TransactionOptions {
  /** how long a transaction of another process is waited for */
  busyTimeoutMs: number
  /** those that the connection has open */
  files: Pick<SqliteFiles, 'mustBeThere'>
  log: Pick<SqliteLog, 'committed' | 'finish'>
  /** tables of which anything is remembered */
  remembered: ReadonlySet<string>
}

/** Runs transactions on a connection that is used for nothing else. */
export function transactionsOn(
  writer: SqliteConnection,
  { busyTimeoutMs, files, log, remembered }: TransactionOptions,
): Transact {
  writer.answerAtOnce()
  const gaps = new Gaps()
  return async (work) => {
    await gaps.leave()
    await log.finish()
    files.mustBeThere()
    await begin(writer, busyTimeoutMs)
    try {
      const changed = new ChangedHomes(writer, 'sqlite', remembered)
      const result = await work(changed)
      await changed.countUp()
      await writer.run(sql`COMMIT`)
      // What was committed into a file that nobody can open again must not be acknowledged.
      files.mustBeThere()
      log.committed()
      return result
    } catch (error) {
      await rollBack(writer)
      throw error
    } finally {
      gaps.ended()
    }
  }
}

/**
 * Between transactions that follow each other there are parts of a millisecond, which other processes, which can only
 * look again and again, may not meet in ten seconds. These gaps they do meet.
 */
class Gaps {
  private since = 0
  private lastEnd = 0

  async leave(): Promise<void> {
    const now = performance.now()
    if (now - this.lastEnd >= GAP_MS) this.since = now
    if (now - this.since < GAP_AFTER_MS) return
    await setTimeout(GAP_MS)
    this.since = performance.now()
  }

  ended(): void {
    this.lastEnd = performance.now()
  }
}

/** SQLite's own waiting looks every 100 ms at last, too seldom to meet a gap. */
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
