import { LedgerError, type Network } from '@vidimus/ledger'
import { sql, type Connection, type Sql } from '@vidimus/database'

/** Reads committed rows, or those of the running transaction; nobody changes what it gives. */
export interface Read {
  query<Row>(statement: Sql): Promise<readonly Row[]>
}
/** The running transaction. */
export type Write = Connection

/** The place of one message in the history of a ledger. */
export interface Block {
  network: Network
  /** one more than that of the message before */
  height: number
  /** later than that of the message before */
  time: Date
}

/** Every message and every payment writes the row of its network: see `Database.write`. */
export const laneOf = (network: Network): string => `ledger ${network}`

/**
 * Opens the next block. The row of the network is written first, so that on a database with several writers the next
 * one waits for this transaction or fails.
 *
 * @throws LedgerError of phase `conflict` where another process was faster
 */
export async function openBlock(write: Write, network: Network, now: Date): Promise<Block> {
  const [last] = await write.query<{ height: number | string; last_time: string }>(
    sql`SELECT "height", "last_time" FROM "ledger_state" WHERE "network" = ${network}`,
  )
  if (!last) {
    const first = { network, height: 1, time: now }
    await write.run(sql`INSERT INTO "ledger_state" ("network", "height", "last_time")
      VALUES (${network}, ${first.height}, ${now.toISOString()})`)
    return first
  }
  const before = Number(last.height)
  const time = new Date(Math.max(now.getTime(), Date.parse(last.last_time) + 1))
  const changed = await write.run(sql`UPDATE "ledger_state" SET "height" = ${before + 1},
    "last_time" = ${time.toISOString()} WHERE "network" = ${network} AND "height" = ${before}`)
  if (changed !== 1) throw conflict('another process wrote to the ledger at the same time')
  return { network, height: before + 1, time }
}

/** Somebody else was faster; the same call may succeed after reading again. */
export const conflict = (message: string, cause?: unknown): LedgerError =>
  new LedgerError(message, {
    codespace: 'vidimus',
    code: 1,
    phase: 'conflict',
    retryable: true,
    ...(cause === undefined ? {} : { cause }),
  })
