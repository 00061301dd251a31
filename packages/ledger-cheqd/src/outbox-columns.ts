import { sql, type Sql } from '@vidimus/database'
import type {
  MessageKind,
  Outcome,
  OutboxMessage,
  SentTransaction,
  StoredError,
  Verdict,
} from './outbox-message.js'

export interface MessageRow {
  id: string
  kind: MessageKind
  subject: string
  expected_previous: string | null
  memo: string
  message: Buffer
  alone: number
  attempts: number
  gas_attempts: number
  tx_hash: string | null
  queued_at: string
  fee: string
}

export interface OutcomeRow {
  id: string
  tx_hash: string | null
  height: number | string | null
  result: Buffer | null
  error: string | null
  paid: string | null
}

export interface TransactionRow {
  hash: string
  sequence: number | string
  timeout_height: number | string
  message_ids: string
  bytes: Buffer
}

export const MESSAGE = sql`"id", "kind", "subject", "expected_previous", "memo", "message", "alone", "attempts",
  "gas_attempts", "tx_hash", "queued_at", CAST("fee" AS TEXT) AS "fee"`

/** The content of finished messages is on the ledger, or useless. */
export function changes(verdict: Verdict, now: string): Sql {
  if (verdict.kind === 'again') {
    const alone = verdict.alone ? sql`, "alone" = ${1}` : sql``
    const gas = verdict.outOfGas === undefined ? sql`` : sql`, "gas_attempts" = "gas_attempts" + 1`
    const uncounted = verdict.isUncounted ? sql`, "attempts" = "attempts" - 1` : sql``
    return sql`"state" = ${'queued'}${alone}${gas}${uncounted}`
  }
  const { outcome } = verdict
  const paid = outcome.paid === undefined ? sql`NULL` : sql`CAST(${String(outcome.paid)} AS BIGINT)`
  const ended = sql`"slot" = NULL, "message" = ${Buffer.alloc(0)}, "finished_at" = ${now}, "paid" = ${paid}`
  if ('error' in outcome) {
    return sql`"state" = ${'failed'}, "error" = ${JSON.stringify(outcome.error)}, ${ended}`
  }
  const { txHash, height, result } = outcome
  return sql`"state" = ${'done'}, "tx_hash" = ${txHash}, "height" = ${height}, "result" = ${Buffer.from(result)}, ${ended}`
}

export const toMessage = (row: MessageRow): OutboxMessage => ({
  id: row.id,
  kind: row.kind,
  subject: row.subject,
  expectedPrevious: row.expected_previous,
  memo: row.memo,
  message: row.message,
  alone: Number(row.alone) === 1,
  attempts: Number(row.attempts),
  gasAttempts: Number(row.gas_attempts),
  txHash: row.tx_hash ?? undefined,
  fee: BigInt(row.fee),
  queuedAt: Date.parse(row.queued_at),
})

export const toTransaction = (row: TransactionRow): SentTransaction => ({
  hash: row.hash,
  sequence: Number(row.sequence),
  timeoutHeight: Number(row.timeout_height),
  messageIds: JSON.parse(row.message_ids) as string[],
  bytes: row.bytes,
})

export function toOutcome({ tx_hash, height, result, error, paid: text }: OutcomeRow): Outcome {
  const paid = text === null ? undefined : BigInt(text)
  if (error !== null) return { error: JSON.parse(error) as StoredError, paid }
  return { txHash: tx_hash ?? '', height: Number(height), result: result ?? new Uint8Array(), paid }
}
