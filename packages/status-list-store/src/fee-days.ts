import { NETWORKS, type PaymentLimits, type PaymentRefusal, type SpentBudget } from '@vidimus/core-types'
import { sql, type Connection, type Reader } from '@vidimus/database'

/** What a payment takes from the budgets of a day. */
export interface FeeBooking {
  account: string
  network: string
  /** as {@link dayOf} has it */
  day: string
  ncheq: bigint
}

const DAY_MS = 86_400_000
/** From this part of a budget on the account is told, in percent. */
const NEARLY_SPENT_PERCENT = 80n

/** The day in UTC, `YYYY-MM-DD`. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

const endOf = (day: string): Date => new Date(Date.parse(day) + DAY_MS)

/**
 * Counts a payment towards the budgets of its day, or refuses it.
 *
 * @param following - ncheq that has to be left beside
 */
export async function book(
  connection: Connection,
  booking: FeeBooking,
  { accountDay, networkDay }: PaymentLimits,
  following = 0n,
): Promise<{ refused: PaymentRefusal } | { nearing: SpentBudget[] }> {
  const { network, day, account, ncheq } = booking
  const until = endOf(day)
  const nearing: SpentBudget[] = []
  for (const [limit, most, spent] of [
    ['accountDay', accountDay, () => spentBy(connection, network, day, account)],
    ['networkDay', networkDay, () => spentBy(connection, network, day)],
  ] as const) {
    if (most === undefined) continue
    const before = await spent()
    const left = before < most ? most - before : 0n
    if (ncheq + following > left) return { refused: { limit, most, left, moreAt: until } }
    const used = before + ncheq
    if (isNearlySpent(used, most) && !isNearlySpent(before, most)) nearing.push({ limit, used, most, until })
  }
  await add(connection, booking, ncheq)
  return { nearing }
}

/** Takes back what {@link book} has counted; payments that were begun before there were limits count for no day. */
export async function unbook(connection: Connection, booking: FeeBooking): Promise<void> {
  if (booking.day !== '') await add(connection, booking, -booking.ncheq)
}

/** In ncheq, of one account or of all; each account has one row. */
export async function spentBy(
  reader: Reader,
  network: string,
  day: string,
  account?: string,
): Promise<bigint> {
  const ofAccount = account === undefined ? sql`` : sql`AND "account_id" = ${account}`
  const [row] = await reader.query<{ ncheq: string }>(
    sql`SELECT CAST(COALESCE(SUM("ncheq"), 0) AS TEXT) AS "ncheq" FROM "status_list_fee_day"
      WHERE "network" = ${network} AND "day" = ${day} ${ofAccount}`,
  )
  return BigInt(row?.ncheq ?? 0)
}

/** In ncheq, by network; of one account or of all. */
export async function spentOn(
  reader: Reader,
  day: string,
  account?: string,
): Promise<ReadonlyMap<string, bigint>> {
  const spent = new Map<string, bigint>()
  for (const network of NETWORKS) spent.set(network, await spentBy(reader, network, day, account))
  return spent
}

async function add(
  connection: Connection,
  { account, network, day }: FeeBooking,
  ncheq: bigint,
): Promise<void> {
  const amount = String(ncheq)
  await connection.run(
    sql`INSERT INTO "status_list_fee_day" ("network", "day", "account_id", "ncheq")
      VALUES (${network}, ${day}, ${account}, CAST(${amount} AS BIGINT))
      ON CONFLICT ("network", "day", "account_id") DO UPDATE
      SET "ncheq" = "status_list_fee_day"."ncheq" + CAST(${amount} AS BIGINT)`,
  )
}

const isNearlySpent = (used: bigint, most: bigint): boolean =>
  used * 100n >= most * NEARLY_SPENT_PERCENT && most > 0n
