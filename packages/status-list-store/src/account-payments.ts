import { randomUUID } from 'node:crypto'
import {
  AgentError,
  currentAccount,
  type PaymentClaim,
  type StatusListPayment,
  type StatusListPayments,
} from '@vidimus/core-types'
import { sql, type Connection, type Database, type Sql } from '@vidimus/database'

interface PaymentRow {
  id: string
  network: string
  did: string
  list_name: string
  address: string
  amount: string
  tx_hash: string
  paid_at: string
}

/**
 * What accounts paid for encrypted lists. A payment is noted down before it is made, and its row decides between all
 * processes who makes it; it goes only when its holder knows that nothing was paid.
 */
export class AccountPayments implements StatusListPayments {
  /** tells this process from others that share the database */
  private readonly holder = randomUUID()

  constructor(
    private readonly database: Database,
    private readonly clock: () => Date,
  ) {}

  async find(claim: PaymentClaim, notBefore: Date): Promise<StatusListPayment | undefined> {
    const [row] = await this.database.query<PaymentRow>(
      sql`${SELECT} WHERE ${SETTLED} AND ${isPaidFor(currentAccount().id, claim)}
        AND "paid_at" >= ${notBefore.toISOString()} ORDER BY "paid_at" DESC, "id" LIMIT 1`,
    )
    return row && toPayment(row)
  }

  async begin(claim: PaymentClaim): Promise<{ id: string; begunAt: Date; mine: boolean }> {
    const account = currentAccount().id
    const id = randomUUID()
    const row = await this.database.write((connection) => this.insertOrFind(connection, account, id, claim))
    return { id: row.id, begunAt: new Date(row.begun_at), mine: row.id === id }
  }

  async takeOver(id: string, begunAt: Date): Promise<boolean> {
    // Later than before even where the clock stands still: whoever else saw the old time is too late.
    const now = new Date(Math.max(this.clock().getTime(), begunAt.getTime() + 1))
    const taken = sql`UPDATE "status_list_payment" SET "begun_at" = ${now.toISOString()},
      "holder" = ${this.holder} WHERE ${isOwn(id)} AND ${BEGUN} AND "begun_at" = ${begunAt.toISOString()}`
    return (await this.database.write((connection) => connection.run(taken))) === 1
  }

  async settle(id: string, { txHash, paidAt }: { txHash: string; paidAt: Date }): Promise<void> {
    const own = isOwn(id)
    await this.database.write(async (connection) => {
      const changed = await connection.run(
        sql`UPDATE "status_list_payment" SET "state" = 'settled', "tx_hash" = ${txHash},
          "paid_at" = ${paidAt.toISOString()} WHERE ${own} AND ${BEGUN}`,
      )
      if (changed === 1) return
      const known = await connection.query(sql`SELECT "id" FROM "status_list_payment" WHERE ${own}`)
      if (known.length === 0) throw unknownPayment(id, txHash)
    })
  }

  async drop(id: string): Promise<void> {
    // Whoever took the payment over may be paying right now.
    const dropped = sql`DELETE FROM "status_list_payment"
      WHERE ${isOwn(id)} AND ${BEGUN} AND "holder" = ${this.holder}`
    await this.database.write((connection) => connection.run(dropped))
  }

  async list(): Promise<StatusListPayment[]> {
    const rows = await this.database.query<PaymentRow>(
      sql`${SELECT} WHERE ${SETTLED} AND "account_id" = ${currentAccount().id}
        ORDER BY "paid_at" DESC, "id"`,
    )
    return rows.map(toPayment)
  }

  private async insertOrFind(
    connection: Connection,
    account: string,
    id: string,
    claim: PaymentClaim,
  ): Promise<{ id: string; begun_at: string }> {
    const { list, network, feePaymentAddress, feePaymentAmount } = claim
    await connection.run(sql`INSERT INTO "status_list_payment" ("id", "account_id", "network", "did",
      "list_name", "resource_type", "address", "amount", "state", "holder", "begun_at") VALUES (${id},
      ${account}, ${network}, ${list.did}, ${list.statusListName}, ${list.resourceType},
      ${feePaymentAddress}, ${feePaymentAmount}, 'begun', ${this.holder},
      ${this.clock().toISOString()}) ON CONFLICT DO NOTHING`)
    const [row] = await connection.query<{ id: string; begun_at: string }>(
      sql`SELECT "id", "begun_at" FROM "status_list_payment"
        WHERE ${BEGUN} AND ${isPaidFor(account, claim)}`,
    )
    if (row) return row
    throw new AgentError('version_conflict', 'a payment was settled while the same one was begun')
  }
}

const SELECT = sql`SELECT "id", "network", "did", "list_name", "address", "amount", "tx_hash", "paid_at"
  FROM "status_list_payment"`

// In the text of statements: SQLite uses no partial index for a value that comes later.
const BEGUN = sql`"state" = 'begun'`
const SETTLED = sql`"state" = 'settled'`

const isPaidFor = (
  account: string,
  { network, feePaymentAddress, feePaymentAmount }: PaymentClaim,
): Sql => sql`"account_id" = ${account} AND "network" = ${network}
  AND "address" = ${feePaymentAddress} AND "amount" = ${feePaymentAmount}`

/**
 * Has to be called before a transaction is asked for: what runs in one may run in the scope of whoever came first.
 */
const isOwn = (id: string): Sql => sql`"id" = ${id} AND "account_id" = ${currentAccount().id}`

const unknownPayment = (id: string, txHash: string) =>
  new AgentError('internal_error', `the account has no payment ${id}, which the transfer ${txHash} has paid`)

const toPayment = (row: PaymentRow): StatusListPayment => ({
  id: row.id,
  network: row.network,
  did: row.did,
  statusListName: row.list_name,
  feePaymentAddress: row.address,
  feePaymentAmount: row.amount,
  txHash: row.tx_hash,
  paidAt: row.paid_at,
})
