import { isAway } from './errors.js'
import type { Sql } from './sql.js'

interface Waiting {
  readonly statement: Sql
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Statements of health checks, one after the other: many parts check concurrently whether their tables exist, and
 * together must take only one connection. If the database is away, the first reports it to all that wait.
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
