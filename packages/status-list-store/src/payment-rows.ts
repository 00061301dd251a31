import { ncheqIn, type BegunPayment, type PaymentClaim, type StatusListPayment } from '@vidimus/core-types'
import { sql, type Connection, type Reader, type Sql, type DayBooking } from '@vidimus/database'

export interface PaymentRow {
  id: string
  network: string
  did: string
  list_name: string
  address: string
  amount: string
  tx_hash: string
  paid_at: string
}

export interface BegunRow {
  id: string
  network: string
  address: string
  amount: string
  begun_at: string
  day: string
}

/** How long a payment with an unknown outcome counts. */
const OPEN_END = '9999-12-31T23:59:59.999Z'

export const SELECT_PAYMENT = sql`SELECT "id", "network", "did", "list_name", "address", "amount", "tx_hash",
  "paid_at" FROM "status_list_payment"`

export const SELECT_BEGUN = sql`SELECT "id", "network", "address", "amount", "begun_at", "day"
  FROM "status_list_payment"`

// Literals in the statement: SQLite does not use a partial index for a bound value.
export const BEGUN = sql`"state" = 'begun'`
export const SETTLED = sql`"state" = 'settled'`

export const isPaidFor = (
  account: string,
  { network, feePaymentAddress, feePaymentAmount }: PaymentClaim,
): Sql => sql`"account_id" = ${account} AND "network" = ${network}
  AND "address" = ${feePaymentAddress} AND "amount" = ${feePaymentAmount}`

export const isOfList = (account: string, { network, list }: PaymentClaim): Sql =>
  sql`"account_id" = ${account} AND "network" = ${network} AND "did" = ${list.did}
    AND "list_name" = ${list.statusListName} AND "resource_type" = ${list.resourceType}`

/**
 * Payments for a list that satisfy one of its conditions, whatever it demands by now: those for the same condition, and
 * those made before the list had such a condition.
 */
export const meets = ({ condition }: PaymentClaim): Sql =>
  sql`("condition_number" = ${condition} OR "conditions" <= ${condition})`

export async function findBegunRow(
  reader: Reader,
  account: string,
  claim: PaymentClaim,
): Promise<BegunRow | undefined> {
  const [same] = await reader.query<BegunRow>(
    sql`${SELECT_BEGUN} WHERE ${BEGUN} AND ${isPaidFor(account, claim)}`,
  )
  if (same) return same
  const [ofList] = await reader.query<BegunRow>(
    sql`${SELECT_BEGUN} WHERE ${isOfList(account, claim)} AND "counts_until" = ${OPEN_END}
      AND ${BEGUN} AND ${meets(claim)} ORDER BY "begun_at", "id" LIMIT 1`,
  )
  return ofList
}

/** Completed and pending payments of the account for a list that still count, and when the first of them expires. */
export async function countingForList(
  reader: Reader,
  account: string,
  claim: PaymentClaim,
  now: Date,
): Promise<{ ncheq: bigint; until?: Date }> {
  const rows = await reader.query<{ amount: string; counts_until: string }>(
    sql`SELECT "amount", "counts_until" FROM "status_list_payment"
      WHERE ${isOfList(account, claim)} AND "counts_until" >= ${now.toISOString()} ORDER BY "counts_until"`,
  )
  const ncheq = rows.reduce((sum, { amount }) => sum + ncheqIn(amount), 0n)
  const [first] = rows
  const ends = first !== undefined && first.counts_until !== OPEN_END
  return { ncheq, ...(ends && { until: new Date(first.counts_until) }) }
}

export async function insertBegun(
  connection: Connection,
  account: string,
  { list, windowMs, condition, conditions }: PaymentClaim,
  row: BegunRow,
  holder: string,
): Promise<void> {
  await connection.run(sql`INSERT INTO "status_list_payment" ("id", "account_id", "network", "did",
    "list_name", "resource_type", "address", "amount", "state", "holder", "begun_at", "day",
    "condition_number", "conditions", "window_ms", "counts_until") VALUES (${row.id}, ${account},
    ${row.network}, ${list.did}, ${list.statusListName}, ${list.resourceType}, ${row.address},
    ${row.amount}, 'begun', ${holder}, ${row.begun_at}, ${row.day}, ${condition}, ${conditions},
    ${windowMs}, ${OPEN_END})`)
}

export const bookingOf = (account: string, { network, day, amount }: BegunRow): DayBooking => ({
  account,
  network,
  day,
  ncheq: ncheqIn(amount),
})

export const toBegun = ({ id, begun_at, address, amount }: BegunRow, mine: boolean): BegunPayment => ({
  id,
  begunAt: new Date(begun_at),
  mine,
  feePaymentAddress: address,
  feePaymentAmount: amount,
  nearing: [],
})

export const toPayment = (row: PaymentRow): StatusListPayment => ({
  id: row.id,
  network: row.network,
  did: row.did,
  statusListName: row.list_name,
  feePaymentAddress: row.address,
  feePaymentAmount: row.amount,
  txHash: row.tx_hash,
  paidAt: row.paid_at,
})
