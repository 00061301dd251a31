import { DayBudgets, dayOf, joinSql, sql, type Connection, type Reader } from '@vidimus/database'
import { RESERVE_PARTS, type SpentBudget } from '@vidimus/core-types'
import { formatCoins, type Network } from '@vidimus/ledger'
import { overBudget } from './failures.js'
import type { StoredError, Verdict } from './outbox-message.js'

/** The cost of a message, and the limit of its account. */
export interface Expense {
  /** in ncheq */
  fee: bigint
  /** the account's daily limit on the network, in ncheq; absent: there is no limit */
  mostPerDay?: bigint | undefined
  /** it changes existing objects, and may use the reserve */
  isChange: boolean
}

interface ExpenseRow {
  id: string
  account_id: string
  fee: string
  day: string
}

export const BUDGETS = new DayBudgets(sql`"cheqd_spend_day"`)

/**
 * The daily spending of accounts on their messages. A message counts from its submission until it is known that it
 * was not executed: then it has cost nothing.
 */
export class Spending {
  constructor(private readonly network: Network) {}

  /**
   * Counts a message that has just been queued, in its transaction.
   *
   * @throws LedgerError if it exceeds the account's limit: nothing of it may stay
   */
  async book(
    write: Connection,
    { id, account, now }: { id: string; account: string; now: Date },
    { fee, mostPerDay, isChange }: Expense,
  ): Promise<SpentBudget[]> {
    const day = dayOf(now)
    const booking = { account, network: this.network, day, ncheq: fee }
    const limits = mostPerDay === undefined || account === '' ? {} : { accountDay: mostPerDay }
    const reserve = isChange ? 0n : (mostPerDay ?? 0n) / BigInt(RESERVE_PARTS)
    const booked = await BUDGETS.book(write, booking, limits, reserve)
    if ('refused' in booked) {
      const { most, left, moreAt } = booked.refused
      const free = left > reserve ? left - reserve : 0n
      throw overBudget(
        `${formatCoins(fee)} are needed, but only ${formatCoins(free)} of ${formatCoins(most)} is left that the account may spend on ${this.network} per day` +
          (isChange ? '' : `, ${formatCoins(reserve)} of it reserved for changes of existing data`) +
          `; more is available at ${(moreAt ?? now).toISOString()}`,
      )
    }
    await write.run(
      sql`UPDATE "cheqd_message" SET "fee" = CAST(${String(fee)} AS BIGINT), "day" = ${day} WHERE "id" = ${id}`,
    )
    return booked.nearing
  }

  /** The costs of messages that go into a transaction now; prices may have changed since they were queued. */
  async reprice(write: Connection, fees: ReadonlyMap<string, bigint>): Promise<void> {
    for (const { id, account_id: account, day, fee: before } of await this.find(write, [...fees.keys()])) {
      const fee = fees.get(id) ?? 0n
      if (fee === BigInt(before)) continue
      const ncheq = BigInt(before) - fee
      await BUDGETS.unbook(write, { account, network: this.network, day, ncheq })
      await write.run(
        sql`UPDATE "cheqd_message" SET "fee" = CAST(${String(fee)} AS BIGINT) WHERE "id" = ${id}`,
      )
    }
  }

  /** Messages that were not executed, in the transaction that records it. */
  async release(write: Connection, ids: readonly string[]): Promise<void> {
    for (const { id, account_id: account, fee, day } of await this.find(write, ids)) {
      await BUDGETS.unbook(write, { account, network: this.network, day, ncheq: BigInt(fee) })
      await write.run(sql`UPDATE "cheqd_message" SET "fee" = ${0}, "day" = ${''} WHERE "id" = ${id}`)
    }
  }

  /** A message that is about to be withdrawn, if it can still be. */
  async releaseQueued(write: Connection, id: string): Promise<void> {
    const rows = await write.query(
      sql`SELECT "id" FROM "cheqd_message" WHERE "id" = ${id} AND "state" = ${'queued'}`,
    )
    if (rows.length > 0) await this.release(write, [id])
  }

  /** In ncheq, of one account or of all. */
  today(reader: Reader, now: Date, account?: string): Promise<bigint> {
    return BUDGETS.spentBy(reader, this.network, dayOf(now), account)
  }

  private async find(write: Connection, ids: readonly string[]): Promise<ExpenseRow[]> {
    if (ids.length === 0) return []
    return write.query<ExpenseRow>(
      sql`SELECT "id", "account_id", CAST("fee" AS TEXT) AS "fee", "day" FROM "cheqd_message"
        WHERE "id" IN (${joinSql(ids)}) AND "day" <> ${''}`,
    )
  }
}

/** Whether a block holds the transaction of these messages, with all of them. */
export const isExecuted = (verdicts: ReadonlyMap<string, Verdict>): boolean =>
  [...verdicts.values()].some(
    (verdict) =>
      verdict.kind === 'finished' &&
      (!('error' in verdict.outcome) || verdict.outcome.error.height !== undefined),
  )

/** Those that have ended without cost; one with a height was executed, whatever its caller was told. */
export const notExecuted = (verdicts: ReadonlyMap<string, Verdict>): string[] =>
  [...verdicts].flatMap(([id, verdict]) =>
    verdict.kind === 'finished' && 'error' in verdict.outcome && isWithoutCost(verdict.outcome.error)
      ? [id]
      : [],
  )

const isWithoutCost = ({ height, phase }: StoredError): boolean => height === undefined && phase !== 'timeout'
