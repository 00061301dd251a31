import { setTimeout } from 'node:timers/promises'
import type { RunningTransaction } from './batched-work.js'
import { isBusy } from './errors.js'
import { ChangedHomes } from './home-versions.js'
import { sql, type Sql } from './sql.js'
import type { SqliteConnection } from './sqlite-connection.js'
import type { SqliteFiles } from './sqlite-files.js'
import type { SqliteLog } from './sqlite-log.js'
import type { Transact } from './write-queue.js'

/** The longest pause between two checks whether another process has ended its transaction. */
const LOOK_EVERY_MS = 5

/** After how long of one transaction right behind the other there is a gap for other processes, and how long it is. */
const GAP_AFTER_MS = 50
const GAP_MS = 1

interface TransactionOptions {
  /** how long a transaction of another process is waited for */
  busyTimeoutMs: number
  /** those that the connection has open */
  files: Pick<SqliteFiles, 'mustBeThere' | 'mustHaveStayed'>
  log: Pick<SqliteLog, 'committed' | 'finish'>
  /** tables whose rows are cached */
  remembered: ReadonlySet<string>
}

/** Runs transactions on a connection that is used for nothing else. */
export function transactionsOn(
  writer: SqliteConnection,
  { busyTimeoutMs, files, log, remembered }: TransactionOptions,
): Transact {
  writer.answerAtOnce()
  const gaps = new Gaps()
  return async function transact(works) {
    const gap = gaps.leave()
    if (gap) await gap
    files.mustBeThere()
    const moved = log.finish()
    if (moved) await moved
    const transaction = new SqliteTransaction(writer, busyTimeoutMs)
    try {
      const counting = new ChangedHomes(transaction, 'sqlite', remembered)
      const result = await works(counting)
      await counting.commit([])
      // A commit into a file that nothing can open again must not be acknowledged.
      files.mustHaveStayed()
      log.committed()
      return result
    } catch (error) {
      await transaction.rollBack()
      throw error
    } finally {
      gaps.ended()
    }
  }
}

// IMMEDIATE: takes the write lock now, so that another process cannot get between our reads and our writes.
const BEGIN = sql`BEGIN IMMEDIATE`
const COMMIT = sql`COMMIT`
const ROLLBACK = sql`ROLLBACK`

/** Begins with its first statement, and in one driver call with it if that is a write. */
class SqliteTransaction implements RunningTransaction {
  readonly pipelined = false
  private begun: Promise<void> | undefined
  private isBegun = false
  private isCommitted = false

  constructor(
    private readonly writer: SqliteConnection,
    private readonly busyTimeoutMs: number,
  ) {}

  query<Row>(statement: Sql): Promise<Row[]> {
    return this.onceBegun(() => this.writer.query<Row>(statement))
  }

  run(statement: Sql): Promise<number> {
    return this.onceBegun(() => this.writer.run(statement))
  }

  execute(statements: readonly Sql[]): Promise<void> {
    if (!this.begun) return (this.begun = this.beginWith(statements))
    return this.onceBegun(() => this.writer.execute(statements))
  }

  async commit(statements: readonly Sql[]): Promise<void> {
    if (this.isCommitted || (!this.begun && statements.length === 0)) return
    await this.execute([...statements, COMMIT])
    this.isCommitted = true
  }

  async rollBack(): Promise<void> {
    if (!this.begun) return
    try {
      await this.writer.run(ROLLBACK)
    } catch {
      // SQLite has rolled back by itself already, or never begun; were it anything else, the next BEGIN would report it.
    }
  }

  private onceBegun<T>(work: () => Promise<T>): Promise<T> {
    if (this.isBegun) return work()
    this.begun ??= this.beginWith([])
    return this.begun.then(work)
  }

  /** SQLite's own waiting looks every 100 ms at last, too seldom to meet a gap. */
  private async beginWith(statements: readonly Sql[]): Promise<void> {
    const end = performance.now() + this.busyTimeoutMs
    for (;;) {
      try {
        await this.writer.execute([BEGIN, ...statements])
        this.isBegun = true
        return
      } catch (error) {
        // Only BEGIN waits for others, so that nothing was done yet.
        if (!isBusy(error) || performance.now() >= end) throw error
      }
      await setTimeout(Math.random() * LOOK_EVERY_MS)
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

  /** @returns `undefined` if it is not time for one */
  leave(): Promise<void> | undefined {
    const now = performance.now()
    if (now - this.lastEnd >= GAP_MS) this.since = now
    return now - this.since < GAP_AFTER_MS ? undefined : this.pause()
  }

  private async pause(): Promise<void> {
    await setTimeout(GAP_MS)
    this.since = performance.now()
  }

  ended(): void {
    this.lastEnd = performance.now()
  }
}
