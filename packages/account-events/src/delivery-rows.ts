import type { DeadLetter, DeliveryFailure } from '@vidimus/core-types'
import { joinSql, sql, type Connection, type Reader } from '@vidimus/database'
import { toAccountEvent, type EventRow } from './event-rows.js'
import { toFailure, type FailureColumns, type OwnerColumns } from './webhook-rows.js'

/** The delivery whose turn it is, and what it needs. */
export interface DueDelivery extends EventRow, OwnerColumns {
  webhook_id: string
  home: number
  sealed_secret: string
  url: string
  attempts: number
}

/** The oldest, without those that were refused and must wait. None of an account that is not there, or disabled. */
export async function nextDelivery(
  reader: Reader,
  webhookId: string,
  now: string,
): Promise<DueDelivery | undefined> {
  const [row] = await reader.query<DueDelivery>(
    sql`SELECT d.webhook_id, d.home, d.attempts, w.sealed_secret, w.url, w.api_key_id, w.rule, e.sequence, e.position,
        e.account_id, e.time, e.type, e.subject, e.details
      FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id
        JOIN account_event e ON e.home = d.home AND e.sequence = d.event_sequence JOIN account a ON a.id = w.account_id
      WHERE d.webhook_id = ${webhookId} AND d.dead_at IS NULL AND (d.retry_at IS NULL OR d.retry_at <= ${now})
        AND w.revoked_at IS NULL AND w.suspended_at IS NULL AND a.disabled_at IS NULL
      ORDER BY d.position LIMIT 1`,
  )
  return row
}

/** What the deliveries wait for, if there are any: until one that was refused may be repeated, or the account is enabled. */
export async function nextTurn(
  reader: Reader,
  webhookId: string,
): Promise<{ disabled_at: string | null; retry_at: string | null } | undefined> {
  const [row] = await reader.query<{ disabled_at: string | null; retry_at: string | null }>(
    sql`SELECT a.disabled_at, MIN(d.retry_at) AS retry_at
      FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id JOIN account a ON a.id = w.account_id
      WHERE d.webhook_id = ${webhookId} AND d.dead_at IS NULL AND w.revoked_at IS NULL AND w.suspended_at IS NULL
      GROUP BY a.disabled_at`,
  )
  return row
}

export async function noteDelivered(
  connection: Connection,
  { webhook_id: id, home, position }: Pick<DueDelivery, 'webhook_id' | 'home' | 'position'>,
  now: string,
): Promise<void> {
  // The webhook comes first, as Citus demands it: it is on every server, and its deliveries are on several.
  await connection.run(
    sql`UPDATE webhook SET delivered_at = ${now}, failed_at = NULL, failed_status = NULL, failed_reason = NULL
      WHERE id = ${id}`,
  )
  await connection.run(
    sql`DELETE FROM webhook_delivery WHERE webhook_id = ${id} AND home = ${home} AND position = ${position}`,
  )
}

/** A failed attempt, and what follows from it. */
export interface FailedAttempt {
  failure: DeliveryFailure
  /** when to try again */
  retryAt: string
  /** deliveries due before this time are given up if the next attempt would be later than this after it */
  giveUpBefore: string
  /** whether everything for the receiver waits with it, and whether it did before; absent: this event alone */
  holdsUp?: 'first' | 'again'
}

export async function noteFailed(
  connection: Connection,
  { webhook_id: id, home, position }: Pick<DueDelivery, 'webhook_id' | 'home' | 'position'>,
  { failure, retryAt, giveUpBefore, holdsUp }: FailedAttempt,
): Promise<void> {
  const { time, status = null, reason } = failure
  const one = sql`AND home = ${home} AND position = ${position}`
  const failed = sql`failed_at = ${time}, failed_status = ${status}, failed_reason = ${reason}`
  await connection.run(sql`UPDATE webhook SET ${failed} WHERE id = ${id}`)
  // Deliveries that could not be attempted while the service was down get their full time from now on.
  await connection.run(
    sql`UPDATE webhook_delivery SET since = ${time} WHERE webhook_id = ${id} AND dead_at IS NULL AND attempts = 0
      ${holdsUp === 'first' ? sql`` : one}`,
  )
  await connection.run(
    sql`UPDATE webhook_delivery SET attempts = attempts + 1, retry_at = ${holdsUp ? null : retryAt}, ${failed}
      WHERE webhook_id = ${id} ${one}`,
  )
  await connection.run(
    sql`UPDATE webhook_delivery SET dead_at = ${time}, ${failed}
      WHERE webhook_id = ${id} AND dead_at IS NULL AND since <= ${giveUpBefore} ${holdsUp ? sql`` : one}`,
  )
}

/** Everything that waits for a webhook becomes dead letters. */
export const giveUp = (connection: Connection, webhookId: string, now: string): Promise<number> =>
  connection.run(
    sql`UPDATE webhook_delivery SET dead_at = ${now}, failed_at = ${now}, failed_status = NULL, failed_reason = ${'it was cancelled'}
      WHERE webhook_id = ${webhookId} AND dead_at IS NULL`,
  )

interface DeadLetterRow extends EventRow, FailureColumns {
  attempts: number
}

export async function findDeadLetters(
  reader: Reader,
  webhookId: string,
  after: number,
  limit: number,
): Promise<DeadLetter[]> {
  const rows = await reader.query<DeadLetterRow>(
    sql`SELECT e.sequence, e.position, e.account_id, e.time, e.type, e.subject, e.details, d.attempts, d.failed_at,
        d.failed_status, d.failed_reason
      FROM webhook_delivery d JOIN account_event e ON e.home = d.home AND e.sequence = d.event_sequence
      WHERE d.webhook_id = ${webhookId} AND d.dead_at IS NOT NULL AND d.position > ${after}
      ORDER BY d.position LIMIT ${limit}`,
  )
  return rows.map((row) => ({
    event: toAccountEvent(row),
    attempts: Number(row.attempts),
    failure: toFailure(row),
  }))
}

/** @returns how many are due again */
export const replayDeadLetters = (
  connection: Connection,
  webhookId: string,
  positions: readonly number[] | undefined,
  now: string,
): Promise<number> =>
  connection.run(
    sql`UPDATE webhook_delivery SET dead_at = NULL, attempts = 0, since = ${now}, retry_at = NULL
      WHERE webhook_id = ${webhookId} AND dead_at IS NOT NULL
        ${positions ? sql`AND position IN (${joinSql([...positions])})` : sql``}`,
  )
