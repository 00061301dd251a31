import { joinSql, sql, type Connection, type Database } from '@vidimus/database'
import { currentCaller, queueName, type QueueName, type SpentBudget } from '@vidimus/core-types'
import { demandHandOver, type Network, type SubmitOptions } from '@vidimus/ledger'
import {
  changes,
  MESSAGE,
  toMessage,
  toOutcome,
  toTransaction,
  type MessageRow,
  type OutcomeRow,
  type TransactionRow,
} from './outbox-columns.js'
import { OutboxOrder } from './outbox-order.js'
import { isExecuted, notExecuted, Spending, type Expense } from './spending.js'
import type {
  MessageKind,
  NewTransaction,
  Outcome,
  OutboxMessage,
  SentTransaction,
  Verdict,
} from './outbox-message.js'
import { SentCounts } from './sent-counts.js'

/** A message to be submitted. */
export type NewMessage = Pick<
  OutboxMessage,
  'id' | 'kind' | 'subject' | 'expectedPrevious' | 'memo' | 'message'
> & {
  /** what only one message may have at a time */
  slot: string | null
  /** absent: it is in no budget */
  expense?: Expense
} & Pick<SubmitOptions, 'handOver'>

/** Another process was faster: the finder reads the tables again. */
export class OvertakenError extends Error {
  override readonly name = 'OvertakenError'
}

/** Messages that wait are counted up to here. */
const MOST_COUNTED = 10_000

/** The tables of the outbox of one network. */
export class OutboxRows {
  private readonly lane: { lane: QueueName }
  private readonly order = new OutboxOrder()
  readonly spending: Spending
  readonly counts: SentCounts

  constructor(
    readonly database: Database,
    readonly network: Network,
  ) {
    this.lane = { lane: queueName('cheqd outbox', network) }
    this.spending = new Spending(network)
    this.counts = new SentCounts(network)
  }

  /**
   * @returns the budgets that are nearly spent with it; `false` if another message has the slot
   * @throws LedgerError if it costs more than its account may spend; what {@link NewMessage.handOver} throws
   */
  async add(payer: string, message: NewMessage): Promise<SpentBudget[] | false> {
    const { id, kind, subject, slot, expectedPrevious, memo, expense } = message
    const account = currentCaller()?.account.id ?? ''
    const now = await this.database.now()
    return this.write(async (write) => {
      await demandHandOver(message, this.database, write)
      const added =
        await write.run(sql`INSERT INTO "cheqd_message" ("id", "network", "payer", "kind", "subject",
        "slot", "expected_previous", "memo", "message", "state", "alone", "attempts", "gas_attempts", "queued_at", "account_id")
        VALUES (${id}, ${this.network}, ${payer}, ${kind}, ${subject}, ${slot}, ${expectedPrevious}, ${memo},
        ${Buffer.from(message.message)}, ${'queued'}, ${0}, ${0}, ${0}, ${now.toISOString()}, ${account})
        ON CONFLICT ("network", "slot") DO NOTHING`)
      if (added !== 1) return false
      return expense ? this.spending.book(write, { id, account, now }, expense) : []
    })
  }

  /** Withdraws a message that is in no transaction. @returns `false` if it is, or was */
  withdraw(id: string): Promise<boolean> {
    return this.write(async (write) => {
      await this.spending.releaseQueued(write, id)
      const gone = await write.run(
        sql`DELETE FROM "cheqd_message" WHERE "id" = ${id} AND "state" = ${'queued'}`,
      )
      return gone === 1
    })
  }

  /**
   * Messages without a transaction: of each account the oldest first, in fair order, beginning with the accounts
   * chosen longest ago.
   */
  async queued(payer: string, limit: number): Promise<OutboxMessage[]> {
    const waiting = await this.database.query<{
      id: string
      account_id: string
    }>(sql`SELECT "id", "account_id" FROM (
        SELECT "id", "account_id", "queued_at",
          ROW_NUMBER() OVER (PARTITION BY "account_id" ORDER BY "queued_at", "id") AS "place" FROM "cheqd_message"
        WHERE "network" = ${this.network} AND "payer" = ${payer} AND "state" = ${'queued'}
      ) "waiting" WHERE "place" <= ${limit} ORDER BY "queued_at", "id"`)
    const chosen = this.order.choose(waiting, limit)
    if (chosen.length === 0) return []
    const rows = await this.database.query<MessageRow>(
      sql`SELECT ${MESSAGE} FROM "cheqd_message" WHERE "id" IN (${joinSql(chosen)})`,
    )
    const byId = new Map(rows.map((row) => [row.id, toMessage(row)]))
    return chosen.flatMap((id) => byId.get(id) ?? [])
  }

  /** Notes whose messages of {@link queued} the next transaction is for. */
  took(messages: readonly OutboxMessage[]): void {
    this.order.took(messages.map(({ id }) => id))
  }

  /** The messages of a transaction, in its order. */
  async inTransaction({ messageIds }: SentTransaction): Promise<OutboxMessage[]> {
    const rows = await this.database.query<MessageRow>(
      sql`SELECT ${MESSAGE} FROM "cheqd_message" WHERE "id" IN (${joinSql(messageIds)})`,
    )
    const byId = new Map(rows.map((row) => [row.id, toMessage(row)]))
    return messageIds.flatMap((id) => byId.get(id) ?? [])
  }

  /** Transactions whose outcome is not known, in the order of their sequences. */
  async sent(payer: string): Promise<SentTransaction[]> {
    const rows = await this.database.query<TransactionRow>(sql`SELECT "hash", "sequence", "timeout_height",
      "message_ids", "bytes" FROM "cheqd_transaction" WHERE "network" = ${this.network} AND "payer" = ${payer}
      ORDER BY "sequence", "signed_at"`)
    return rows.map(toTransaction)
  }

  /**
   * Stores a signed transaction, before it is sent, and assigns its messages.
   *
   * @param others - hashes of all pending ones that this process knows
   * @param fees - of its messages by their ids, in ncheq
   * @throws OvertakenError if a message was withdrawn meanwhile, or another process sends
   */
  async sign(
    payer: string,
    transaction: NewTransaction,
    others: readonly string[],
    fees: ReadonlyMap<string, bigint> = new Map(),
  ): Promise<void> {
    const { hash, sequence, timeoutHeight, messageIds, bytes, count } = transaction
    const now = (await this.database.now()).toISOString()
    await this.write(async (write) => {
      const known = await write.query<{ hash: string }>(sql`SELECT "hash" FROM "cheqd_transaction"
        WHERE "network" = ${this.network} AND "payer" = ${payer}`)
      if (known.length !== others.length || known.some((row) => !others.includes(row.hash))) {
        throw new OvertakenError('another process is sending')
      }
      const taken = await write.run(sql`UPDATE "cheqd_message" SET "state" = ${'signed'}, "tx_hash" = ${hash},
        "attempts" = "attempts" + 1 WHERE "id" IN (${joinSql(messageIds)}) AND "state" = ${'queued'}`)
      if (taken !== messageIds.length) throw new OvertakenError('a message was withdrawn')
      if (!(await this.counts.take(write, payer, count)))
        throw new OvertakenError('another process has signed')
      await this.spending.reprice(write, fees)
      await write.run(sql`INSERT INTO "cheqd_transaction" ("network", "hash", "payer", "sequence", "timeout_height",
        "message_ids", "bytes", "signed_at") VALUES (${this.network}, ${hash}, ${payer}, ${sequence},
        ${timeoutHeight}, ${JSON.stringify(messageIds)}, ${Buffer.from(bytes)}, ${now})`)
    })
  }

  /**
   * Records the outcome of the messages of a transaction, which ends with it.
   *
   * @throws OvertakenError if another process did
   */
  async settle(
    payer: string,
    { hash, sequence }: SentTransaction,
    verdicts: ReadonlyMap<string, Verdict>,
  ): Promise<void> {
    const now = (await this.database.now()).toISOString()
    await this.write(async (write) => {
      const ended = await write.run(
        sql`DELETE FROM "cheqd_transaction" WHERE "network" = ${this.network} AND "hash" = ${hash}`,
      )
      if (ended !== 1) throw new OvertakenError('another process settled the transaction')
      if (isExecuted(verdicts)) await this.counts.noteExecuted(write, payer, sequence)
      await this.spending.release(write, notExecuted(verdicts))
      for (const [id, verdict] of verdicts) {
        await write.run(sql`UPDATE "cheqd_message" SET ${changes(verdict, now)} WHERE "id" = ${id}`)
      }
    })
  }

  /** Ends messages that are in no transaction. */
  async finish(outcomes: ReadonlyMap<string, Outcome>): Promise<void> {
    if (outcomes.size === 0) return
    const now = (await this.database.now()).toISOString()
    await this.write(async (write) => {
      for (const [id, outcome] of outcomes) {
        const verdict = { kind: 'finished', outcome } as const
        const changed = await write.run(sql`UPDATE "cheqd_message" SET ${changes(verdict, now)}
          WHERE "id" = ${id} AND "state" = ${'queued'}`)
        if (changed === 1) await this.spending.release(write, notExecuted(new Map([[id, verdict]])))
      }
    })
  }

  /** The outcome of the finished ones. */
  async outcomes(ids: readonly string[]): Promise<Map<string, Outcome>> {
    if (ids.length === 0) return new Map()
    const rows = await this.database
      .query<OutcomeRow>(sql`SELECT "id", "tx_hash", "height", "result", "error",
      CAST("paid" AS TEXT) AS "paid" FROM "cheqd_message" WHERE "id" IN (${joinSql(ids)}) AND "state" IN (${'done'}, ${'failed'})`)
    return new Map(rows.map((row) => [row.id, toOutcome(row)]))
  }

  /** What waits for its block, of some kinds about a DID, and the newest block that held such a message. */
  async underWay(
    did: string,
    kinds: readonly MessageKind[],
  ): Promise<{ waiting: Pick<OutboxMessage, 'kind' | 'message'>[]; height: number }> {
    const about = sql`"network" = ${this.network} AND "subject" = ${did} AND "kind" IN (${joinSql([...kinds])})`
    const waiting = await this.database.query<Pick<MessageRow, 'kind' | 'message'>>(
      sql`SELECT "kind", "message" FROM "cheqd_message" WHERE ${about} AND "state" IN (${'queued'}, ${'signed'})`,
    )
    const [newest] = await this.database.query<{ height: number | string | null }>(
      sql`SELECT MAX("height") AS "height" FROM "cheqd_message" WHERE ${about} AND "state" = ${'done'}`,
    )
    return { waiting, height: Number(newest?.height ?? 0) }
  }

  /** Whether a payment with a memo waits for its block, or has one that nodes may not find yet. */
  async mayBePaid(to: string, memo: string): Promise<boolean> {
    const [payment] = await this.database
      .query(sql`SELECT "id" FROM "cheqd_message" WHERE "network" = ${this.network}
      AND "subject" = ${to} AND "kind" = ${'payment'} AND "memo" = ${memo} AND "state" <> ${'failed'} LIMIT 1`)
    return payment !== undefined
  }

  /** The number of pending messages, of all payers, and the age of the oldest. */
  async load(): Promise<{ byState: { queued: number; signed: number }; oldestSeconds: number }> {
    const rows = await this.database.query<{ state: string; count: number | string; oldest: string }>(
      sql`SELECT "state", COUNT(*) AS "count", MIN("queued_at") AS "oldest" FROM "cheqd_message"
        WHERE "network" = ${this.network} AND "state" IN (${'queued'}, ${'signed'}) GROUP BY "state"`,
    )
    const count = (wanted: string) => Number(rows.find(({ state }) => state === wanted)?.count ?? 0)
    const oldest = rows.map((row) => Date.parse(row.oldest))
    // The clock that wrote the times.
    const now = rows.length > 0 ? (await this.database.now()).getTime() : 0
    return {
      byState: { queued: count('queued'), signed: count('signed') },
      oldestSeconds: rows.length > 0 ? Math.max(0, now - Math.min(...oldest)) / 1000 : 0,
    }
  }

  /** How many wait for their outcome; beyond {@link MOST_COUNTED} they are not counted, as readiness asks for it. */
  async waiting(payer: string): Promise<number> {
    const [row] = await this.database.query<{ count: number | string }>(sql`SELECT COUNT(*) AS "count"
      FROM (SELECT 1 FROM "cheqd_message" WHERE "network" = ${this.network} AND "payer" = ${payer}
      AND "state" IN (${'queued'}, ${'signed'}) LIMIT ${MOST_COUNTED}) "counted"`)
    return Number(row?.count ?? 0)
  }

  /** Deletes what was finished before a time. */
  async forget(payer: string, before: Date): Promise<void> {
    await this.write((write) =>
      write.run(sql`DELETE FROM "cheqd_message" WHERE "network" = ${this.network} AND "payer" = ${payer}
        AND "state" IN (${'done'}, ${'failed'}) AND "finished_at" < ${before.toISOString()}`),
    )
  }

  private write<T>(work: (write: Connection) => Promise<T>): Promise<T> {
    return this.database.write(work, this.lane)
  }
}
