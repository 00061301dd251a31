import type { Connection } from './connection.js'
import type { Database } from './database.js'
import { isAway, isFull } from './errors.js'

/**
 * Rows that nobody waits for. Those of the same moment share a transaction, in order; if the database cannot be
 * written, they are kept until it can.
 */
export class DeferredRows<T> {
  private waiting: T[] = []
  private failed = false
  private writing: Promise<void> = Promise.resolve()

  /** @param insert - stores one row; called again after a transaction that failed */
  constructor(
    private readonly database: Pick<Database, 'write'>,
    private readonly insert: (connection: Connection, row: T) => Promise<void>,
  ) {}

  /** rows that are not stored yet */
  get length(): number {
    return this.waiting.length
  }

  /** whether the last transaction failed; not for a full disk, which does not prevent reads */
  get failing(): boolean {
    return this.failed
  }

  /** Fulfilled when it was tried to store the row. Never rejects. */
  add(row: T): Promise<void> {
    this.waiting.push(row)
    return this.flush()
  }

  /** Tries to store what waits. Never rejects. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.writeWaiting())
    return this.writing
  }

  private async writeWaiting(): Promise<void> {
    const rows = this.waiting
    if (rows.length === 0) return
    this.waiting = []
    try {
      await this.database.write(
        async (connection) => {
          for (const row of rows) await this.insert(connection, row)
        },
        { spans: 'rows of any accounts are stored as they come' },
      )
      this.failed = false
    } catch (error) {
      const left = isAway(error) ? rows : await this.writeEach(rows)
      this.failed = left.length > 0 && !isFull(error)
      // They come before what was added meanwhile.
      this.waiting = [...left, ...this.waiting]
    }
  }

  /** One that cannot be stored must not block the others. @returns those that cannot */
  private async writeEach(rows: readonly T[]): Promise<T[]> {
    const left: T[] = []
    for (const row of rows) {
      try {
        await this.database.write((connection) => this.insert(connection, row))
      } catch {
        left.push(row)
      }
    }
    return left
  }
}
