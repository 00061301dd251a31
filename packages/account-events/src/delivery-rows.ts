import type { DeadLetter, DeliveryFailure } from '@vidimus/core-types'
import { joinSql, sql, type Connection, type Sql } from '@vidimus/database'
import { NEVER } from './webhook-suspension.js'
import { toAccountEvent, type EventRow } from './event-rows.js'
import { toFailure, type FailureColumns, type OwnerColumns } from './webhook-rows.js'

/** A webhook for which something is due. */
export interface DueWebhook {
  webhook_id: string
  account_id: string
  url: string
}

/** The oldest due delivery of a webhook, and what it needs. */
export interface DueDelivery extends EventRow, OwnerColumns {
  webhook_id: string
  home: number
  sealed_secret: string
  url: string
  attempts: number
  next_attempt_at: string
  /** of the webhook, one after the other */
  failures: number
}

/**
 * Webhooks with something to deliver: of each account those first that have waited longest, in fair order. None of an account
 * that is not there, or disabled.
 */
export const dueWebhooks = (reader: Pick<Connection, 'query'>, now: string, most: number) =>
  reader.query<DueWebhook>(
    sql`SELECT webhook_id, account_id, url FROM (SELECT w.id AS webhook_id, w.account_id, w.url, d.due_at,
        ROW_NUMBER() OVER (PARTITION BY w.account_id ORDER BY d.due_at, w.id) AS place
      FROM webhook w JOIN account a ON a.id = w.account_id
        JOIN (SELECT webhook_id, MIN(next_attempt_at) AS due_at FROM webhook_delivery
          WHERE dead_at IS NULL AND next_attempt_at <= ${now} GROUP BY webhook_id) d ON d.webhook_id = w.id
      WHERE w.revoked_at IS NULL AND a.disabled_at IS NULL AND ${mayDeliver(now)}) due ORDER BY place, due_at, webhook_id LIMIT ${most}`,
  )

/** Also for what became due after the receiver failed, such as a replay. */
const mayDeliver = (now: string): Sql =>
  sql`w.suspended_at IS NULL AND (w.held_until IS NULL OR w.held_until <= ${now})`

/** The oldest that was not refused comes first, whichever clock says since when it is due. */
export async function nextDelivery(
  reader: Pick<Connection, 'query'>,
  webhookId: string,
  now: string,
): Promise<DueDelivery | undefined> {
  const [row] = await reader.query<DueDelivery>(
    sql`SELECT d.webhook_id, d.home, d.attempts, d.next_attempt_at, w.sealed_secret, w.url, w.failures, w.api_key_id, w.rule, e.sequence, e.position,
        e.account_id, e.time, e.type, e.subject, e.details
      FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id
        JOIN account_event e ON e.home = d.home AND e.sequence = d.event_sequence JOIN account a ON a.id = w.account_id
      WHERE d.webhook_id = ${webhookId} AND d.dead_at IS NULL AND (d.attempts = 0 OR d.next_attempt_at <= ${now}) AND w.revoked_at IS NULL
        AND a.disabled_at IS NULL AND ${mayDeliver(now)}
      ORDER BY d.position LIMIT 1`,
  )
  return row
}

/** When the next delivery may be due; `undefined` if nothing waits. Held back deliveries count as well. */
export async function nextDueTime(reader: Pick<Connection, 'query'>): Promise<string | undefined> {
  const [row] = await reader.query<{ due_at: string | null }>(
    sql`SELECT MIN(next_attempt_at) AS due_at FROM webhook_delivery WHERE dead_at IS NULL`,
  )
  return row?.due_at ?? undefined
}

/**
 * First in the transaction that notes an attempt. The webhook comes first, as Citus demands it: it is on every server, and its
 * deliveries are on several.
 *
 * @returns `false`: since it was read, another process has noted an attempt, as this one seemed to be gone, or the webhook was changed
 */
export async function isAsRead(
  connection: Connection,
  { webhook_id: id, home, position, attempts, next_attempt_at: due, failures, url }: DueDelivery,
): Promise<boolean> {
  const same = await connection.run(
    sql`UPDATE webhook SET failures = failures WHERE id = ${id} AND failures = ${failures} AND url = ${url}
      AND revoked_at IS NULL`,
  )
  if (same !== 1) return false
  const waiting = await connection.query(
    sql`SELECT position FROM webhook_delivery WHERE webhook_id = ${id} AND home = ${home} AND position = ${position}
      AND attempts = ${attempts} AND next_attempt_at = ${due} AND dead_at IS NULL`,
  )
  return waiting.length === 1
}

export async function noteDelivered(
  connection: Connection,
  { webhook_id: id, home, position }: Pick<DueDelivery, 'webhook_id' | 'home' | 'position'>,
  now: string,
): Promise<void> {
  await connection.run(
    sql`DELETE FROM webhook_delivery WHERE webhook_id = ${id} AND home = ${home} AND position = ${position}`,
  )
  await connection.run(
    sql`UPDATE webhook SET delivered_at = ${now}, failures = 0, held_until = NULL, failed_at = NULL, failed_status = NULL,
      failed_reason = NULL WHERE id = ${id}`,
  )
}

/** A failed attempt, and what follows from it. */
export interface FailedAttempt {
  failure: DeliveryFailure
  /** when to try again */
  retryAt: string
  /** deliveries due before this time are given up if the next attempt would be later than this after it */
  giveUpBefore: string
  /** the receiver is down, or asked to wait: nothing is sent to it before this time */
  ofReceiver: boolean
}

export async function noteFailed(
  connection: Connection,
  {
    webhook_id: id,
    home,
    position,
    failures,
  }: Pick<DueDelivery, 'webhook_id' | 'home' | 'position' | 'failures'>,
  { failure, retryAt, giveUpBefore, ofReceiver }: FailedAttempt,
): Promise<void> {
  const { time, status = null, reason } = failure
  const one = sql`AND home = ${home} AND position = ${position}`
  const heldUp = ofReceiver && Number(failures) === 0
  const failed = sql`failed_at = ${time}, failed_status = ${status}, failed_reason = ${reason}`
  await connection.run(
    sql`UPDATE webhook SET ${ofReceiver ? sql`failures = failures + 1, held_until = ${retryAt},` : sql``} ${failed}
      WHERE id = ${id}`,
  )
  // Deliveries that could not be attempted while the service was down get their full time from now on.
  await connection.run(
    sql`UPDATE webhook_delivery SET since = ${time} WHERE webhook_id = ${id} AND dead_at IS NULL AND attempts = 0
      ${heldUp ? sql`` : one}`,
  )
  await connection.run(
    sql`UPDATE webhook_delivery SET attempts = attempts + 1,
        next_attempt_at = CASE WHEN next_attempt_at = ${NEVER} THEN next_attempt_at ELSE ${retryAt} END, ${failed}
      WHERE webhook_id = ${id} ${one}`,
  )
  const affected = ofReceiver ? sql`` : one
  if (ofReceiver) {
    await connection.run(
      sql`UPDATE webhook_delivery SET next_attempt_at = ${retryAt}
        WHERE webhook_id = ${id} AND dead_at IS NULL AND next_attempt_at < ${retryAt}`,
    )
  }
  await connection.run(
    sql`UPDATE webhook_delivery SET dead_at = ${time}, failed_at = ${time}, failed_status = ${status},
        failed_reason = ${reason}
      WHERE webhook_id = ${id} AND dead_at IS NULL AND since <= ${giveUpBefore} ${affected}`,
  )
}

interface DeadLetterRow extends EventRow, FailureColumns {
  attempts: number
}

export async function findDeadLetters(
  reader: Pick<Connection, 'query'>,
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
    sql`UPDATE webhook_delivery SET dead_at = NULL, attempts = 0, since = ${now}, next_attempt_at = ${now}
      WHERE webhook_id = ${webhookId} AND dead_at IS NOT NULL
        ${positions ? sql`AND position IN (${joinSql([...positions])})` : sql``}`,
  )
