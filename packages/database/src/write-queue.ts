import type { Connection } from './connection.js'
import { sql } from './sql.js'

interface Waiting {
  work: (connection: Connection) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

type Outcome = { value: unknown } | { error: unknown }

/** Works that share one COMMIT at the most: bounds how long the first of them waits for the last. */
const MAX_SHARED_COMMIT = 64

/**
 * Runs write transactions one after the other on the only write connection of SQLite. Works that are waiting when a
 * transaction begins share its COMMIT, each in a savepoint of its own: a failing one is undone alone, and nobody is
 * answered before the COMMIT that makes the answer durable.
 */
export class WriteQueue {
  private readonly waiting: Waiting[] = []
  private draining: Promise<void> | undefined

  constructor(private readonly connection: Connection) {}

  /** Works that have not begun. */
  get length(): number {
    return this.waiting.length
  }

  run<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ work, resolve: resolve as (value: unknown) => void, reject })
      this.draining ??= this.drain()
    })
  }

  /** Resolves when nothing is waiting or running. */
  async idle(): Promise<void> {
    while (this.draining) await this.draining
  }

  private async drain(): Promise<void> {
    // Give callers of the same turn the chance to share the first COMMIT.
    await Promise.resolve()
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, MAX_SHARED_COMMIT)
      try {
        const outcomes = await this.commitTogether(batch)
        batch.forEach((waiting, n) => settle(waiting, outcomes[n]))
      } catch (error) {
        for (const waiting of batch) waiting.reject(error)
      }
    }
    this.draining = undefined
  }

  private async commitTogether(batch: readonly Waiting[]): Promise<Outcome[]> {
    // IMMEDIATE: takes the write lock now, so that another process cannot get between our reads and our writes.
    await this.connection.run(sql`BEGIN IMMEDIATE`)
    try {
      const [only, ...others] = batch
      const outcomes =
        others.length > 0 || !only
          ? await this.inSavepoints(batch)
          : [{ value: await only.work(this.connection) }]
      await this.connection.run(sql`COMMIT`)
      return outcomes
    } catch (error) {
      await this.rollBack()
      throw error
    }
  }

  private async inSavepoints(batch: readonly Waiting[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    for (const { work } of batch) outcomes.push(await this.inSavepoint(work))
    return outcomes
  }

  private async inSavepoint(work: Waiting['work']): Promise<Outcome> {
    await this.connection.run(sql`SAVEPOINT work`)
    try {
      const value = await work(this.connection)
      await this.connection.run(sql`RELEASE work`)
      return { value }
    } catch (error) {
      // Fails where SQLite has rolled back the whole transaction by itself (disk full, I/O error): then nothing of
      // the batch may be reported as done.
      await this.connection.run(sql`ROLLBACK TO work`)
      await this.connection.run(sql`RELEASE work`)
      return { error }
    }
  }

  private async rollBack(): Promise<void> {
    try {
      await this.connection.run(sql`ROLLBACK`)
    } catch {
      // SQLite has rolled back by itself already; were it anything else, the next BEGIN would report it.
    }
  }
}

function settle(waiting: Waiting, outcome: Outcome | undefined): void {
  if (outcome && 'value' in outcome) waiting.resolve(outcome.value)
  else waiting.reject(outcome?.error ?? new Error('a write transaction ended without an outcome'))
}
