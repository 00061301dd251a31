import {
  BOUNDS,
  type AuditActor,
  type AuditEntry,
  type AuditEventName,
  type NewAccountEvent,
  type EventType,
} from '@vidimus/core-types'
import { insertAccountEvent } from '@vidimus/account-events'
import { homeOfDid, homeOfSubject, sql, type Connection, type Sql } from '@vidimus/database'

/** A row of the audit trail. */
export interface AuditEvent extends AuditActor {
  /** grows with every row */
  sequence: number
  /** ISO 8601 in UTC */
  time: string
  event: AuditEventName
  outcome: 'done' | 'refused'
  /** name of the account, if it still exists */
  account?: string
  subject?: string
  detail?: string
  /** how often it happened within the minute, see {@link AuditTrail.count} */
  occurrences: number
}

export interface AuditQuery {
  /** ISO 8601; inclusive */
  since?: string
  /** name of the account */
  account?: string
  event?: string
  /** the newest so many; default 100 */
  limit?: number
}

/** A row that is about to be written. */
export interface AuditRow {
  entry: AuditEntry
  actor: AuditActor
  time: string
  occurrences: number
  /** what only this event has, if its row is written later: it may be tried twice */
  identity?: { origin: string; number: number }
}

interface StoredRow {
  sequence: number
  time: string
  event: AuditEventName
  outcome: 'done' | 'refused'
  account_id: string | null
  account: string | null
  api_key_id: string | null
  token_issuer: string | null
  token_subject: string | null
  address: string | null
  request_id: string | null
  subject: string | null
  detail: string | null
  occurrences: number
}

/** Writes an event in the transaction of its change. */
export const insertAuditEvent = (
  connection: Connection,
  entry: AuditEntry,
  actor: AuditActor,
  time = new Date().toISOString(),
): Promise<void> => insertAuditRow(connection, { entry, actor, time, occurrences: 1 })

/**
 * Events for the account are written in the same transaction.
 *
 * @param again - whether it may have been written: then it is looked for, and nothing is written twice
 */
export async function insertAuditRow(
  connection: Connection,
  { entry, actor, time, occurrences, identity }: AuditRow,
  again = false,
): Promise<void> {
  if (again && identity && (await isWritten(connection, entry, actor, identity))) return
  const event = eventOfAudit(entry)
  if (event && actor.accountId !== undefined) {
    insertAccountEvent(connection, actor.accountId, event, time)
  }
  if (entry.event === 'did-deactivated' && entry.subject !== undefined) {
    await tellOtherHolders(connection, { type: 'did.deactivated', subject: entry.subject }, actor, time)
  }
  connection.send(
    sql`INSERT INTO audit_event (home, time, event, outcome, account_id, api_key_id, token_issuer, token_subject,
        address, request_id, subject, detail, occurrences, origin, number)
      VALUES (${homeOfSubject(entry.subject, actor.accountId)}, ${time}, ${entry.event}, ${entry.outcome ?? 'done'}, ${actor.accountId ?? null},
        ${actor.apiKeyId ?? null}, ${actor.issuer ?? null}, ${actor.tokenSubject ?? null},
        ${actor.address ?? null}, ${actor.requestId ?? null},
        ${entry.subject?.slice(0, BOUNDS.did) ?? null}, ${entry.detail?.slice(0, BOUNDS.did) ?? null},
        ${occurrences}, ${identity?.origin ?? null}, ${identity?.number ?? null})`,
  )
}

async function isWritten(
  connection: Connection,
  entry: AuditEntry,
  actor: AuditActor,
  { origin, number }: NonNullable<AuditRow['identity']>,
): Promise<boolean> {
  const home = homeOfSubject(entry.subject, actor.accountId)
  const rows = await connection.query(
    sql`SELECT sequence FROM audit_event
      WHERE home = ${home} AND origin = ${origin} AND event = ${entry.event} AND number = ${number}`,
  )
  return rows.length > 0
}

/** A change of a DID document concerns every account that has the DID. */
export async function tellOtherHolders(
  connection: Connection,
  event: NewAccountEvent,
  { accountId }: AuditActor,
  time = new Date().toISOString(),
): Promise<void> {
  const holders = await connection.query<{ account_id: string }>(
    sql`SELECT account_id FROM account_did WHERE home = ${homeOfDid(event.subject)} AND did = ${event.subject}
      AND pending = 0 ORDER BY account_id`,
  )
  for (const { account_id: holder } of holders) {
    if (holder !== accountId) insertAccountEvent(connection, holder, event, time)
  }
}

/** The order of an account's rows as its index has it, see the migration `ReadAuditByAccount`. */
export const IN_ACCOUNT = sql`(e.sequence + 0)`

/**
 * A query by time alone is read in the order of time, which has an index.
 *
 * @param accountId - in place of the name of the query: with a value, PostgreSQL can estimate how few rows an account
 *   has
 */
export const selectAuditEvents = (
  { since, event, limit = 100 }: Omit<AuditQuery, 'account'>,
  accountId?: string,
): Sql =>
  sql`SELECT e.sequence, e.time, e.event, e.outcome, e.account_id, a.name AS account, e.api_key_id, e.token_issuer,
      e.token_subject, e.address, e.request_id, e.subject, e.detail, e.occurrences
    FROM audit_event e LEFT JOIN account a ON a.id = e.account_id
    WHERE 1 = 1 ${since === undefined ? sql`` : sql`AND e.time >= ${since}`}
      ${accountId === undefined ? sql`` : sql`AND e.account_id = ${accountId}`}
      ${event === undefined ? sql`` : sql`AND e.event = ${event}`}
    ORDER BY ${accountId === undefined ? orderOfAll(since, event) : sql`${IN_ACCOUNT} DESC`} LIMIT ${limit}`

const orderOfAll = (since?: string, event?: string): Sql =>
  since !== undefined && event === undefined ? sql`e.time DESC, e.sequence DESC` : sql`e.sequence DESC`

/** Oldest first. */
export const toAuditEvents = (rows: readonly StoredRow[]): AuditEvent[] =>
  rows.map(toAuditEvent).sort((one, other) => one.sequence - other.sequence)

export const toAuditEvent = (row: StoredRow): AuditEvent => ({
  sequence: Number(row.sequence),
  time: row.time,
  event: row.event,
  outcome: row.outcome,
  ...(row.account_id !== null && { accountId: row.account_id }),
  ...(row.account !== null && { account: row.account }),
  ...(row.api_key_id !== null && { apiKeyId: row.api_key_id }),
  ...(row.token_issuer !== null && { issuer: row.token_issuer }),
  ...(row.token_subject !== null && { tokenSubject: row.token_subject }),
  ...(row.address !== null && { address: row.address }),
  ...(row.request_id !== null && { requestId: row.request_id }),
  ...(row.subject !== null && { subject: row.subject }),
  ...(row.detail !== null && { detail: row.detail }),
  occurrences: row.occurrences,
})

export type { StoredRow as StoredAuditRow }

/** The part of the audit trail that accounts get as events; ledger changes are announced beforehand instead. */
const TYPES: Partial<Record<AuditEventName, EventType>> = {
  'did-created': 'did.created',
  'did-imported': 'did.imported',
  'did-updated': 'did.updated',
  'did-rotated': 'did.rotated',
  'key-created': 'key.created',
  'key-imported': 'key.imported',
  'api-key-created': 'api-key.created',
  'api-key-revoked': 'api-key.revoked',
  'api-key-rotated': 'api-key.rotated',
  'api-key-updated': 'api-key.updated',
}

/** The names of an event's details there. */
const DATA: Partial<Record<AuditEventName, string>> = {
  'api-key-rotated': 'successor',
  'api-key-updated': 'addedScopes',
  'did-rotated': 'key',
}

/** @returns `undefined` for events meant only for the operator */
function eventOfAudit({ event, outcome, subject, detail }: AuditEntry): NewAccountEvent | undefined {
  const type = TYPES[event]
  if (type === undefined || subject === undefined || outcome === 'refused') return undefined
  const member = DATA[event]
  return {
    type,
    subject,
    ...(member !== undefined && detail !== undefined && { data: { [member]: detail } }),
  }
}
