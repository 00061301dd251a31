import {
  NETWORKS,
  type AccountRows,
  type PaymentLimits,
  type PaymentRefusal,
  type SpentBudget,
} from '@vidimus/core-types'
import type { Connection, Reader } from './connection.js'
import type { Database } from './database.js'
import { sql, type Sql } from './sql.js'
import { TableOfAccounts } from './table-of-accounts.js'

/** The amount that something takes from daily budgets. */
export interface DayBooking {
  account: string
  network: string
  /** as {@link utcDay} has it */
  day: string
  ncheq: bigint
}

const DAY_MS = 86_400_000
/** From this percentage of a budget on, the account is notified. */
const NEARLY_SPENT_PERCENT = 80n

/** The day in UTC, `YYYY-MM-DD`. */
export const utcDay = (time: Date): string => time.toISOString().slice(0, 10)

const dayEnd = (day: string): Date => new Date(Date.parse(day) + DAY_MS)

/**
 * The spending of accounts in a day (UTC) on each network, in a table with the columns `network`, `day`, `account_id`
 * and `ncheq`. Each account has its own row, so that accounts do not conflict.
 */
export class DayBudgets {
  /** @param table - its name */
  constructor(private readonly table: Sql) {}

  /**
   * Counts towards the budgets of a day, or refuses. Must be called in the transaction of what costs it.
   *
   * @param following - ncheq that must be left beside
   */
  async book(
    connection: Connection,
    booking: DayBooking,
    { accountDay, networkDay }: Pick<PaymentLimits, 'accountDay' | 'networkDay'>,
    following = 0n,
  ): Promise<{ refused: PaymentRefusal } | { nearing: SpentBudget[] }> {
    const { network, day, account, ncheq } = booking
    const until = dayEnd(day)
    const nearing: SpentBudget[] = []
    for (const [limit, most, spent] of [
      ['accountDay', accountDay, () => this.spentBy(connection, network, day, account)],
      ['networkDay', networkDay, () => this.spentBy(connection, network, day)],
    ] as const) {
      if (most === undefined) continue
      const before = await spent()
      const left = before < most ? most - before : 0n
      if (ncheq + following > left) return { refused: { limit, most, left, moreAt: until } }
      const used = before + ncheq
      if (isNearlySpent(used, most) && !isNearlySpent(before, most))
        nearing.push({ limit, used, most, until })
    }
    await this.add(connection, booking, ncheq)
    return { nearing }
  }

  /** Takes back what {@link book} has counted; entries without a day were never counted. */
  async unbook(connection: Connection, booking: DayBooking): Promise<void> {
    if (booking.day !== '') await this.add(connection, booking, -booking.ncheq)
  }

  /** In ncheq, of one account or of all. */
  async spentBy(reader: Reader, network: string, day: string, account?: string): Promise<bigint> {
    const ofAccount = account === undefined ? sql`` : sql`AND "account_id" = ${account}`
    const [row] = await reader.query<{ ncheq: string }>(
      sql`SELECT CAST(COALESCE(SUM("ncheq"), 0) AS TEXT) AS "ncheq" FROM ${this.table}
        WHERE "network" = ${network} AND "day" = ${day} ${ofAccount}`,
    )
    return BigInt(row?.ncheq ?? 0)
  }

  /** In ncheq, by network; of one account or of all. */
  async spentOn(reader: Reader, day: string, account?: string): Promise<ReadonlyMap<string, bigint>> {
    const spent = new Map<string, bigint>()
    for (const network of NETWORKS) spent.set(network, await this.spentBy(reader, network, day, account))
    return spent
  }

  /**
   * The spending of an account, as its rows: once it is deleted, the network's budgets keep counting it, for nobody.
   */
  rowsOf(database: Pick<Database, 'query' | 'write'>, name: string): AccountRows {
    const table = this.table.text('sqlite').replaceAll('"', '')
    const rows = new TableOfAccounts(database, { name, table, id: ['network', 'day', 'account_id'] })
    return {
      name,
      tables: [table],
      fate: 'made nameless',
      count: (account) => rows.count(account),
      erase: (account) => database.write((connection) => this.makeNameless(connection, account)),
    }
  }

  private async makeNameless(connection: Connection, account: string): Promise<void> {
    const spent = await connection.query<{ network: string; day: string; ncheq: string }>(
      sql`SELECT "network", "day", CAST("ncheq" AS TEXT) AS "ncheq" FROM ${this.table} WHERE "account_id" = ${account}`,
    )
    for (const { network, day, ncheq } of spent) {
      await this.add(connection, { account: '', network, day, ncheq: 0n }, BigInt(ncheq))
    }
    await connection.run(sql`DELETE FROM ${this.table} WHERE "account_id" = ${account}`)
  }

  private async add(
    connection: Connection,
    { account, network, day }: DayBooking,
    ncheq: bigint,
  ): Promise<void> {
    const amount = String(ncheq)
    await connection.run(
      sql`INSERT INTO ${this.table} ("network", "day", "account_id", "ncheq")
        VALUES (${network}, ${day}, ${account}, CAST(${amount} AS BIGINT))
        ON CONFLICT ("network", "day", "account_id") DO UPDATE
        SET "ncheq" = ${this.table}."ncheq" + CAST(${amount} AS BIGINT)`,
    )
  }
}

const isNearlySpent = (used: bigint, most: bigint): boolean =>
  used * 100n >= most * NEARLY_SPENT_PERCENT && most > 0n
