import type { Connection } from './connection.js'
import type { Database } from './database.js'
import { isAway, isFull } from './errors.js'

interface Waiting<T> {
  row: T
  /** after a transaction that failed: one whose COMMIT was not confirmed may have stored it */
  again: boolean
  /** somebody waits for it, and learns whether it is stored */
  isAwaited: boolean
  isStored: boolean
}

/**
 * Rows that are written beside what they are about. Those of the same moment share a transaction, in order; if the database cannot be
 * written, they are kept until it can.
 */
export class DeferredRows<T> {
  private waiting: Waiting<T>[] = []
  private failed = false
  private writing: Promise<void> = Promise.resolve()

  /** @param insert - stores one row; `again`: after a transaction that failed, it may be there already and is stored once */
  constructor(
    private readonly database: Pick<Database, 'write'>,
    private readonly insert: (connection: Connection, row: T, again: boolean) => Promise<void>,
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
    this.waiting.push({ row, again: false, isAwaited: false, isStored: false })
    return this.flush()
  }

  /** Never rejects. @returns whether the row is stored; otherwise it is not kept */
  async store(row: T): Promise<boolean> {
    const waiting: Waiting<T> = { row, again: false, isAwaited: true, isStored: false }
    this.waiting.push(waiting)
    await this.flush()
    return waiting.isStored
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
          for (const { row, again } of rows) await this.insert(connection, row, again)
        },
        { spans: 'rows of any accounts are stored as they come' },
      )
      for (const waiting of rows) waiting.isStored = true
      this.failed = false
    } catch (error) {
      for (const waiting of rows) waiting.again = true
      if (!isAway(error)) await this.writeEach(rows)
      const left = rows.filter(({ isStored }) => !isStored)
      this.failed = left.length > 0 && !isFull(error)
      // They come before what was added meanwhile.
      this.waiting = [...left.filter(({ isAwaited }) => !isAwaited), ...this.waiting]
    }
  }

  /** One that cannot be stored must not block the others. */
  private async writeEach(rows: readonly Waiting<T>[]): Promise<void> {
    for (const waiting of rows) {
      try {
        await this.database.write((connection) => this.insert(connection, waiting.row, true))
        waiting.isStored = true
      } catch {
        // The others come first; it is kept, or its caller learns of it.
      }
    }
  }
}
