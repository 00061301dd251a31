import { joinSql, sql } from '@vidimus/database'
import type { LedgerPayment, LedgerPaymentQuery, Network } from '@vidimus/ledger'
import { blockAfter, type Block, type Read, type Write } from './block.js'

const MOST_PAYMENTS = 100

interface PaymentRow {
  hash: string
  height: number | string
  time: string
  sender: string
  recipient: string
  amount: string
  memo: string
}

/** Opens the next block of the money of a network, which has one place. */
export async function openPaymentBlock(write: Write, network: Network, now: Date): Promise<Block> {
  const [last] = await write.query<{ height: number | string; last_time: string }>(
    sql`SELECT "height", "last_time" FROM "ledger_state" WHERE "network" = ${network}`,
  )
  const before = last && { height: Number(last.height), time: new Date(last.last_time) }
  const block = blockAfter(network, before, now)
  await write.run(sql`INSERT INTO "ledger_state" ("network", "height", "last_time")
    VALUES (${network}, ${block.height}, ${block.time.toISOString()}) ON CONFLICT ("network")
    DO UPDATE SET "height" = excluded."height", "last_time" = excluded."last_time"`)
  return block
}

/** In ncheq; 0 for accounts that are not known. */
export async function readBalance(read: Read, network: Network, address: string): Promise<bigint> {
  const [row] = await read.query<{ balance: string }>(
    sql`SELECT "balance" FROM "ledger_account" WHERE "network" = ${network} AND "address" = ${address}`,
  )
  return BigInt(row?.balance ?? 0)
}

export async function addToBalance(
  write: Write,
  network: Network,
  address: string,
  ncheq: bigint,
): Promise<void> {
  const balance = String((await readBalance(write, network, address)) + ncheq)
  await write.run(sql`INSERT INTO "ledger_account" ("network", "address", "balance", "seeded")
    VALUES (${network}, ${address}, ${balance}, ${null})
    ON CONFLICT ("network", "address") DO UPDATE SET "balance" = ${balance}`)
}

/** Gives an account its first money, unless it was given before. */
export async function seedAccount(
  write: Write,
  network: Network,
  address: string,
  ncheq: bigint,
): Promise<void> {
  const seeded = await write.query(sql`SELECT "seeded" FROM "ledger_account"
    WHERE "network" = ${network} AND "address" = ${address} AND "seeded" IS NOT NULL`)
  if (seeded.length > 0) return
  await addToBalance(write, network, address, ncheq)
  await write.run(sql`UPDATE "ledger_account" SET "seeded" = ${String(ncheq)}
    WHERE "network" = ${network} AND "address" = ${address}`)
}

export async function appendPayment(
  write: Write,
  { network }: Block,
  { txHash, height, time, from, to, amount, memo }: LedgerPayment,
): Promise<void> {
  await write.run(sql`INSERT INTO "ledger_payment" ("network", "hash", "height", "time", "sender", "recipient",
    "amount", "memo") VALUES (${network}, ${txHash}, ${height}, ${time.toISOString()}, ${from}, ${to},
    ${String(amount)}, ${memo})`)
}

/** Newest first, at most 100. */
export async function findPayments(
  read: Read,
  network: Network,
  { to, memo, amount, notBefore }: LedgerPaymentQuery,
): Promise<LedgerPayment[]> {
  const conditions = [
    sql`"network" = ${network}`,
    sql`"recipient" = ${to}`,
    ...(memo === undefined ? [] : [sql`"memo" = ${memo}`]),
    ...(amount === undefined ? [] : [sql`"amount" = ${String(amount)}`]),
    ...(notBefore === undefined ? [] : [sql`"time" >= ${notBefore.toISOString()}`]),
  ]
  const rows = await read.query<PaymentRow>(
    sql`SELECT "hash", "height", "time", "sender", "recipient", "amount", "memo" FROM "ledger_payment"
      WHERE ${joinSql(conditions, ' AND ')} ORDER BY "height" DESC LIMIT ${MOST_PAYMENTS}`,
  )
  return rows.map(toPayment)
}

const toPayment = (row: PaymentRow): LedgerPayment => ({
  txHash: row.hash,
  height: Number(row.height),
  time: new Date(row.time),
  from: row.sender,
  to: row.recipient,
  amount: BigInt(row.amount),
  memo: row.memo,
})
