import { randomUUID } from 'node:crypto'
import {
  AgentError,
  currentAccount,
  currentActor,
  placeText,
  readPage,
  readPlace,
  handOverWithin,
  type AuditRows,
  type BegunPayment,
  type HandOver,
  type PageRequest,
  type PaymentClaim,
  type PaymentLimits,
  type PaymentPage,
  type PaymentRefusal,
  type StatusListPayment,
  type StatusListPayments,
} from '@vidimus/core-types'
import {
  countRows,
  dayOf,
  joinSql,
  readRows,
  sql,
  type Connection,
  type Database,
  type DayBooking,
  type Listing,
  type Sql,
} from '@vidimus/database'
import { FEE_DAYS } from './fee-days.js'
import {
  BEGUN,
  bookingOf,
  countingForList,
  findBegunRow,
  insertBegun,
  isOfList,
  isPaidFor,
  meets,
  SELECT_BEGUN,
  SELECT_PAYMENT,
  SETTLED,
  toBegun,
  toPayment,
  type BegunRow,
  type PaymentRow,
} from './payment-rows.js'

/**
 * What accounts paid for encrypted lists. A payment is recorded before it is made, and its row decides across all
 * processes who makes it; the row is deleted only once its holder knows that nothing was paid. Spending limits are
 * enforced in the transaction that writes the row.
 */
export class AccountPayments implements StatusListPayments {
  /** distinguishes this process from others that share the database */
  private readonly holder = randomUUID()

  constructor(
    private readonly database: Database,
    private readonly clock: () => Date,
    private readonly audit?: AuditRows,
  ) {}

  async find(claim: PaymentClaim, now: Date): Promise<StatusListPayment | undefined> {
    const account = currentAccount().id
    const notBefore = new Date(now.getTime() - claim.windowMs).toISOString()
    const [paid] = await this.database.query<PaymentRow>(
      sql`${SELECT_PAYMENT} WHERE ${SETTLED} AND ${isPaidFor(account, claim)}
        AND "paid_at" >= ${notBefore} ORDER BY "paid_at" DESC, "id" LIMIT 1`,
    )
    if (paid) return toPayment(paid)
    const [earlier] = await this.database.query<PaymentRow>(
      sql`${SELECT_PAYMENT} WHERE ${SETTLED} AND ${isOfList(account, claim)} AND ${meets(claim)}
        AND "counts_until" >= ${now.toISOString()} ORDER BY "counts_until" DESC, "id" LIMIT 1`,
    )
    return earlier && toPayment(earlier)
  }

  async findBegun(claim: PaymentClaim): Promise<BegunPayment | undefined> {
    const row = await findBegunRow(this.database, currentAccount().id, claim)
    return row && toBegun(row, false)
  }

  async begin(
    claim: PaymentClaim,
    limits: PaymentLimits,
    following = 0n,
  ): Promise<BegunPayment | { refused: PaymentRefusal }> {
    const account = currentAccount().id
    return this.database.write(async (connection) => {
      const begun = await findBegunRow(connection, account, claim)
      return begun ? toBegun(begun, false) : this.beginIn(connection, account, claim, limits, following)
    })
  }

  async takeOver(
    id: string,
    begunAt: Date,
    limits: PaymentLimits,
  ): Promise<{ taken: boolean; refused?: PaymentRefusal }> {
    // Later than before even if the clock has not advanced: a process that saw the old time is too late.
    const now = new Date(Math.max(this.clock().getTime(), begunAt.getTime() + 1))
    const account = currentAccount().id
    const own = isOwn(id)
    return this.database.write(async (connection) => {
      const [row] = await connection.query<BegunRow>(
        sql`${SELECT_BEGUN} WHERE ${own} AND ${BEGUN} AND "begun_at" = ${begunAt.toISOString()}`,
      )
      if (!row) return { taken: false }
      const refused = await moveToDay(connection, bookingOf(account, row), dayOf(now), limits)
      if (refused) return { taken: false, refused }
      await connection.run(sql`UPDATE "status_list_payment" SET "begun_at" = ${now.toISOString()},
        "holder" = ${this.holder}, "day" = ${dayOf(now)} WHERE ${own}`)
      return { taken: true }
    })
  }

  handOver(id: string): HandOver {
    const own = this.isHeld(id)
    return handOverWithin(this.database, async (transaction) => {
      const connection = transaction as Connection
      return (
        (await connection.run(sql`UPDATE "status_list_payment" SET "holder" = "holder" WHERE ${own}`)) === 1
      )
    })
  }

  async settle(id: string, { txHash, paidAt, actor = currentActor() }: SettledPayment): Promise<void> {
    const own = isOwn(id)
    await this.database.write(async (connection) => {
      const [row] = await connection.query<SettledRow>(
        sql`SELECT "window_ms", "did", "address", "amount" FROM "status_list_payment" WHERE ${own}`,
      )
      if (!row) throw unknownPayment(id, txHash)
      const until = new Date(paidAt.getTime() + Number(row.window_ms))
      const settled = await connection.run(
        sql`UPDATE "status_list_payment" SET "state" = 'settled', "tx_hash" = ${txHash},
          "paid_at" = ${paidAt.toISOString()}, "counts_until" = ${until.toISOString()} WHERE ${own} AND ${BEGUN}`,
      )
      if (settled === 0) return
      const detail = `${row.amount} to ${row.address} for ${row.did}`
      await this.audit?.recordWithin(connection, { event: 'payment-made', subject: txHash, detail }, actor)
    })
  }

  async drop(id: string): Promise<void> {
    const account = currentAccount().id
    // The process that took the payment over may be paying right now.
    const own = this.isHeld(id)
    await this.database.write(async (connection) => {
      const [row] = await connection.query<BegunRow>(sql`${SELECT_BEGUN} WHERE ${own}`)
      if (!row) return
      await connection.run(sql`DELETE FROM "status_list_payment" WHERE ${own}`)
      await FEE_DAYS.unbook(connection, bookingOf(account, row))
    })
  }

  async list(page: PageRequest = {}): Promise<PaymentPage> {
    const range = readPage(page)
    const own = sql`WHERE ${SETTLED} AND "account_id" = ${currentAccount().id}`
    const listing: Listing<PaymentRow, StatusListPayment> = {
      rows: (after) => sql`${SELECT_PAYMENT} ${own}
        ${after === undefined ? sql`` : sql`AND ("paid_at", "id") < (${joinSql(readPlace(after, 2))})`}
        ORDER BY "paid_at" DESC, "id" DESC`,
      placeOf: ({ paid_at: paidAt, id }) => placeText([paidAt, id]),
      toItem: toPayment,
    }
    const { items: payments, ...rest } = await readRows(this.database, listing, range)
    const ids = () => sql`SELECT "id" FROM "status_list_payment" ${own}`
    return { ...(await countRows(this.database, { rows: ids })), payments, ...rest }
  }

  spentToday(): Promise<ReadonlyMap<string, bigint>> {
    return FEE_DAYS.spentOn(this.database, dayOf(this.clock()), currentAccount().id)
  }

  private isHeld(id: string): Sql {
    return sql`${isOwn(id)} AND ${BEGUN} AND "holder" = ${this.holder}`
  }

  private async beginIn(
    connection: Connection,
    account: string,
    claim: PaymentClaim,
    limits: PaymentLimits,
    following: bigint,
  ): Promise<BegunPayment | { refused: PaymentRefusal }> {
    const now = this.clock()
    const row: BegunRow = {
      id: randomUUID(),
      network: claim.network,
      address: claim.feePaymentAddress,
      amount: claim.feePaymentAmount,
      begun_at: now.toISOString(),
      day: dayOf(now),
    }
    const booking = bookingOf(account, row)
    if (limits.list !== undefined) {
      const counting = await countingForList(connection, account, claim, now)
      const tooDear = refusedForList(counting, limits.list, booking.ncheq + following)
      if (tooDear) return { refused: tooDear }
    }
    const booked = await FEE_DAYS.book(connection, booking, limits, following)
    if ('refused' in booked) return booked
    await insertBegun(connection, account, claim, row, this.holder)
    return { ...toBegun(row, true), nearing: booked.nearing }
  }
}

type SettledPayment = Parameters<StatusListPayments['settle']>[1]

interface SettledRow extends Pick<PaymentRow, 'did' | 'address' | 'amount'> {
  window_ms: number | string
}

/** @returns why it cannot count for that day */
async function moveToDay(
  connection: Connection,
  booking: DayBooking,
  day: string,
  limits: PaymentLimits,
): Promise<PaymentRefusal | undefined> {
  if (booking.day === day) return undefined
  const booked = await FEE_DAYS.book(connection, { ...booking, day }, limits)
  if ('refused' in booked) return booked.refused
  await FEE_DAYS.unbook(connection, booking)
  return undefined
}

function refusedForList(
  { ncheq, until }: { ncheq: bigint; until?: Date },
  most: bigint,
  asked: bigint,
): PaymentRefusal | undefined {
  const left = ncheq < most ? most - ncheq : 0n
  return asked > left ? { limit: 'list', most, left, ...(until && { moreAt: until }) } : undefined
}

/** Must be called before a transaction is requested: code inside it may run in the account scope of another caller. */
const isOwn = (id: string): Sql => sql`"id" = ${id} AND "account_id" = ${currentAccount().id}`

const unknownPayment = (id: string, txHash: string) =>
  new AgentError('internal_error', `the account has no payment ${id}, which the transfer ${txHash} paid`)
