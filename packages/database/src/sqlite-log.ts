import { outsideOfRequests } from '@vidimus/core-types'
import type { SqliteConnection } from './sqlite-connection.js'
import { sql, type Sql } from './sql.js'

interface Bounds {
  /** of 4 KiB: with as many in the log they are moved into the file */
  pages: number
  /** as few may be left for the writer to move */
  rest: number
  /** COMMITs between two looks at how many there are */
  lookEvery: number
}

/**
 * In a large database each row is on different pages, anywhere in the file: the more pages are moved at once, the
 * more of them are adjacent.
 */
const BOUNDS: Bounds = { pages: 16_000, rest: 1_000, lookEvery: 32 }

/** More pages arrive while some are moved; a writer that is faster than the disk finally waits for it. */
const MOST_ROUNDS = 5

/**
 * Moves committed pages from the write-ahead log into the file, over a separate connection: SQLite would have a
 * COMMIT do it, which then waits for thousands of disk positions.
 */
export class SqliteLog {
  private commits = 0
  private moving: Promise<void> | undefined
  private hasRest = false

  constructor(
    private readonly connection: Pick<SqliteConnection, 'query' | 'close'>,
    private readonly bounds: Bounds = BOUNDS,
  ) {}

  /** Takes note of a COMMIT, and waits for nothing. */
  committed(): void {
    this.commits += 1
    if (this.commits % this.bounds.lookEvery === 0) this.moving ??= outsideOfRequests(() => this.move())
  }

  /**
   * If no transaction is open: moves the little that is left. The next one then restarts the log.
   *
   * @returns `undefined` if nothing is
   */
  finish(): Promise<unknown> | undefined {
    if (!this.hasRest) return undefined
    this.hasRest = false
    return this.ask(MOVE).catch(() => undefined)
  }

  /** Resolves when nothing is being moved. */
  async idle(): Promise<void> {
    await this.moving
  }

  async close(): Promise<void> {
    await this.idle()
    await this.connection.close()
  }

  private async move(): Promise<void> {
    try {
      let left = await this.ask(LOOK)
      if (left < this.bounds.pages) return
      for (let round = 0; round < MOST_ROUNDS && left > this.bounds.rest; round += 1) {
        await this.ask(MOVE)
        left = await this.ask(LOOK)
      }
      this.hasRest = true
    } catch {
      // It stays in the log, where nothing is lost, and is retried; finally a COMMIT does it.
    } finally {
      this.moving = undefined
    }
  }

  /** @returns how many pages are still to be moved */
  private async ask(how: Sql): Promise<number> {
    const [row] = await this.connection.query<{ log: number; checkpointed: number }>(how)
    return row ? row.log - row.checkpointed : 0
  }
}

// https://www.sqlite.org/pragma.html#pragma_wal_checkpoint
const LOOK = sql`PRAGMA wal_checkpoint(NOOP)`
const MOVE = sql`PRAGMA wal_checkpoint(PASSIVE)`
