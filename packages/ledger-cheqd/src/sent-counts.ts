import { randomBytes } from 'node:crypto'
import { joinSql, sql, type Connection, type Reader } from '@vidimus/database'
import type { Network } from '@vidimus/ledger'

/** The place of a transaction among those that this installation has signed for a payer. */
export interface SentCount {
  /** of this installation, whichever others use the payer as well */
  mark: string
  /** from 1; each signed transaction has the next one, whether it is executed or not */
  number: number
}

/** What the database knows of the transactions of a payer. */
export interface SentBefore extends SentCount {
  payer: string
  /** the newest sequence of a transaction of ours that was executed, -1 before any */
  executed: number
}

/** Numbers of lost transactions that may still be executed after a restore are below. */
const SKIPPED_NUMBERS = 1_000_000

/**
 * Counts the transactions that are signed, in the database before one is sent, and in its memo: a chain that has a greater number
 * has executed what the database has forgotten.
 */
export class SentCounts {
  constructor(private readonly network: Network) {}

  /** @returns that of the next transaction */
  async next(reader: Reader, payer: string): Promise<SentCount> {
    const [known] = await this.read(reader, [payer])
    return known
      ? { mark: known.mark, number: known.number + 1 }
      : { mark: randomBytes(8).toString('hex'), number: 1 }
  }

  /** @returns `false` if another process has signed since */
  async take(write: Connection, payer: string, { mark, number }: SentCount): Promise<boolean> {
    const taken = await write.run(
      sql`INSERT INTO "cheqd_sent" ("network", "payer", "mark", "number", "executed")
        VALUES (${this.network}, ${payer}, ${mark}, ${number}, ${-1})
        ON CONFLICT ("network", "payer") DO UPDATE SET "number" = excluded."number"
          WHERE "cheqd_sent"."mark" = excluded."mark" AND "cheqd_sent"."number" = excluded."number" - 1`,
    )
    return taken === 1
  }

  /** The transaction with this sequence was executed; they are settled in order. */
  async noteExecuted(write: Connection, payer: string, sequence: number): Promise<void> {
    await write.run(
      sql`UPDATE "cheqd_sent" SET "executed" = ${sequence} WHERE "network" = ${this.network} AND "payer" = ${payer}`,
    )
  }

  /**
   * @param payers - absent: all of the network
   * @returns those that anything was signed for
   */
  async read(reader: Reader, payers?: readonly string[]): Promise<SentBefore[]> {
    const these = payers ? sql` AND "payer" IN (${joinSql(payers)})` : sql``
    const rows = await reader.query<{
      payer: string
      mark: string
      number: number | string
      executed: number | string
    }>(
      sql`SELECT "payer", "mark", "number", "executed" FROM "cheqd_sent" WHERE "network" = ${this.network}${these}
        ORDER BY "payer"`,
    )
    return rows.map(({ payer, mark, number, executed }) => ({
      payer,
      mark,
      number: Number(number),
      executed: Number(executed),
    }))
  }

  /** After a restore: what has used a sequence up to now is known, and what was lost on its way has smaller numbers. */
  async skip(write: Connection, { payer, number }: SentBefore, sequence: number): Promise<void> {
    await write.run(
      sql`UPDATE "cheqd_sent" SET "number" = ${number + SKIPPED_NUMBERS}, "executed" = ${sequence - 1}
        WHERE "network" = ${this.network} AND "payer" = ${payer}`,
    )
  }
}

const MEMO = /^vidimus ([0-9a-f]{16}) ([1-9][0-9]{0,14})$/

export const countMemo = ({ mark, number }: SentCount): string => `vidimus ${mark} ${number}`

/** @returns `undefined` for the memo of a payment, or of somebody else */
export function countOf(memo: string): SentCount | undefined {
  const [, mark, number] = MEMO.exec(memo) ?? []
  return mark === undefined ? undefined : { mark, number: Number(number) }
}
