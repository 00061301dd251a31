import { log, outsideOfRequests } from '@vidimus/core-types'
import { sql, type Database } from '@vidimus/database'
import type { Network } from '@vidimus/ledger'

/** Clocks of processes differ, and a chain may be faster for a while. */
const SLACK_BLOCKS = 3600
/** So long after no node had a block any more, it is taken for one that there never was. */
const FORGET_AFTER_MS = 60 * 60 * 1000

interface Noted {
  height: number
  /** when it was known first, milliseconds since 1970 */
  at: number
  /** since when no node has it; `undefined`: one had it last */
  missedSince: number | undefined
}

const NOTHING: Noted = { height: 0, at: 0, missedSince: undefined }

/**
 * The newest block that any process on the database has written in or read from, so that no reader gets an older
 * state. A node can claim a block that does not exist: so it may only be as far ahead as a chain can be, and is
 * dropped if no node has it for an hour. If the database cannot be used, each process only has its own knowledge.
 */
export class KnownHeight {
  /** as the database had it last */
  private noted = NOTHING
  /** not in the database yet */
  private own = 0
  private reading: Promise<number> | undefined
  /** how often this process has recorded a block */
  private notes = 0

  /** @param clock - milliseconds since 1970 */
  constructor(
    private readonly database: Pick<Database, 'query' | 'write'>,
    private readonly chain: { network: Network; chainId: string; shortestBlockMs: number },
    private readonly clock: () => number = Date.now,
  ) {}

  /** As far as it is known without a look at the database. */
  get last(): number {
    return Math.max(this.noted.height, this.own)
  }

  /** Concurrent callers share one read of the database; later ones share the next one. */
  read(): Promise<number> {
    this.reading ??= Promise.resolve().then(() => {
      this.reading = undefined
      return this.readNow()
    })
    return this.reading
  }

  private async readNow(): Promise<number> {
    await this.look().catch(() => undefined)
    const { missedSince } = this.noted
    if (missedSince !== undefined && this.clock() - missedSince >= FORGET_AFTER_MS) await this.forget()
    return this.last
  }

  /** Whether the chain can have the block by now. */
  isPlausible(height: number): boolean {
    const { height: before, at } = this.noted
    const passed = Math.max(0, this.clock() - at)
    return before === 0 || height <= before + SLACK_BLOCKS + passed / this.chain.shortestBlockMs
  }

  /** A block that was read from; responses based on it must wait until this is done. */
  async saw(height: number): Promise<void> {
    if (height > this.last) this.own = height
    if (height >= this.last && (this.own > 0 || this.noted.missedSince !== undefined)) await this.note()
  }

  /** A block that this process has written in. */
  wrote(height: number): void {
    if (height <= this.last) return
    this.own = height
    void outsideOfRequests(() => this.note())
  }

  /** No node has it. */
  async missed(): Promise<void> {
    const now = new Date(this.clock()).toISOString()
    await this.database
      .write((connection) =>
        connection.run(
          sql`UPDATE "cheqd_known_height" SET "missed_since" = ${now} WHERE "network" = ${this.chain.network}
            AND "chain_id" = ${this.chain.chainId} AND "height" = ${this.noted.height} AND "missed_since" IS NULL`,
        ),
      )
      .catch(() => undefined)
  }

  private async look(): Promise<void> {
    const { network, chainId } = this.chain
    const { notes } = this
    const [row] = await this.database.query<{
      height: number | string
      noted_at: string
      missed_since: string | null
    }>(
      sql`SELECT "height", "noted_at", "missed_since" FROM "cheqd_known_height"
        WHERE "network" = ${network} AND "chain_id" = ${chainId}`,
    )
    const found = row
      ? {
          height: Number(row.height),
          at: Date.parse(row.noted_at),
          missedSince: row.missed_since === null ? undefined : Date.parse(row.missed_since),
        }
      : NOTHING
    // A read that began before this process recorded a block may end after it, and does not include it.
    if (this.notes === notes || found.height > this.noted.height) this.noted = found
  }

  private async note(): Promise<void> {
    const height = this.last
    const { network, chainId } = this.chain
    const at = this.clock()
    const write = this.database.write((connection) =>
      connection.run(
        sql`INSERT INTO "cheqd_known_height" ("network", "chain_id", "height", "noted_at", "missed_since")
          VALUES (${network}, ${chainId}, ${height}, ${new Date(at).toISOString()}, ${null})
          ON CONFLICT ("network", "chain_id") DO UPDATE SET "height" = excluded."height",
            "noted_at" = excluded."noted_at", "missed_since" = NULL
            WHERE excluded."height" >= "cheqd_known_height"."height"`,
      ),
    )
    try {
      await write
      this.notes += 1
      if (height >= this.noted.height) this.noted = { height, at, missedSince: undefined }
      if (this.own <= height) this.own = 0
    } catch {
      // This process knows it all the same, and notes it with the next block.
    }
  }

  private async forget(): Promise<void> {
    const { network, chainId } = this.chain
    const { height } = this.noted
    await this.database
      .write((connection) =>
        connection.run(
          sql`DELETE FROM "cheqd_known_height" WHERE "network" = ${network} AND "chain_id" = ${chainId}
            AND "height" = ${height}`,
        ),
      )
      .catch(() => undefined)
    this.noted = NOTHING
    this.own = 0
    log('warn', 'for an hour no node had a block that one had claimed: it is ignored', { network, height })
  }
}
