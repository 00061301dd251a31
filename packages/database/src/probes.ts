import { isAway } from './errors.js'
import type { Sql } from './sql.js'

interface Waiting {
  readonly statement: Sql
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Statements of health checks, one after the other: many parts look at the same time whether their tables are there, and
 * all of them together are to take one connection. Where the database is away, all that wait are told by the first.
 */
export class Probes {
  private waiting: Waiting[] = []
  private isRunning = false

  constructor(private readonly query: (statement: Sql) => Promise<unknown>) {}

  /** @throws what the statement throws */
  run(statement: Sql): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ statement, resolve, reject })
      if (!this.isRunning) void this.runAll()
    })
  }

  private async runAll(): Promise<void> {
    this.isRunning = true
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      try {
        await this.query(next.statement)
        next.resolve()
      } catch (error) {
        const told = isAway(error) ? [next, ...this.waiting.splice(0)] : [next]
        for (const { reject } of told) reject(error)
      }
    }
    this.isRunning = false
  }
}
