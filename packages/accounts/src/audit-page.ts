import {
  checkArguments,
  placeText,
  pointInTime,
  readPage,
  readPlace,
  type AuditedEvent,
  type NextPage,
} from '@vidimus/core-types'
import { accountAuditMethods } from '@vidimus/core-types/schemas/audit'
import { joinSql, readRows, sql, type Database, type Listing, type Sql } from '@vidimus/database'
import type { z } from 'zod'
import { IN_ACCOUNT, toAuditEvent, type StoredAuditRow } from './audit-rows.js'

const { accountAuditList } = accountAuditMethods

export type AuditPageQuery = z.input<typeof accountAuditList.arguments>
export type AuditPage = { entries: AuditedEvent[] } & NextPage

/**
 * In the order of the index of an account. A filter looks at a limited number of rows for each page.
 *
 * @throws AgentError `invalid_input` with every problem
 */
export async function readAuditPage(
  database: Pick<Database, 'query'>,
  accountId: string,
  query: AuditPageQuery,
): Promise<AuditPage> {
  const { limit, after, ...search } = checkArguments(accountAuditList.arguments, query)
  const range = readPage({ ...(limit !== undefined && { limit }), ...(after !== undefined && { after }) })
  const listing: Listing<StoredAuditRow, AuditedEvent> = {
    rows: (place) =>
      sql`SELECT e.sequence, e.time, e.event, e.outcome, e.account_id, NULL AS account, e.api_key_id, e.token_issuer,
          e.token_subject, e.address, e.request_id, e.subject, e.detail, e.occurrences
        FROM audit_event e WHERE e.account_id = ${accountId}
          ${place === undefined ? sql`` : sql`AND ${IN_ACCOUNT} < ${sequenceOf(place)}`}
        ORDER BY ${IN_ACCOUNT} DESC`,
    filter: filterOf(search),
    placeOf: ({ sequence }) => placeText([String(sequence)]),
    toItem: toAuditedEvent,
  }
  const { items: entries, ...next } = await readRows(database, listing, range)
  return { entries, ...next }
}

/** @throws AgentError `invalid_input` */
function sequenceOf(place: string): number {
  const sequence = Number(readPlace(place, 1)[0])
  // What is no number is no place that was given out, and nothing comes after it.
  return Number.isSafeInteger(sequence) ? sequence : 0
}

type Search = Omit<z.output<typeof accountAuditList.arguments>, 'limit' | 'after'>

function filterOf({
  since,
  until,
  event,
  outcome,
  apiKeyId,
  tokenSubject,
  subject,
}: Search): Sql | undefined {
  const conditions = [
    ...(since === undefined ? [] : [sql`w.time >= ${pointInTime(since) ?? since}`]),
    ...(until === undefined ? [] : [sql`w.time < ${pointInTime(until) ?? until}`]),
    ...(event === undefined ? [] : [sql`w.event = ${event}`]),
    ...(outcome === undefined ? [] : [sql`w.outcome = ${outcome}`]),
    ...(apiKeyId === undefined ? [] : [sql`w.api_key_id = ${apiKeyId}`]),
    ...(tokenSubject === undefined ? [] : [sql`w.token_subject = ${tokenSubject}`]),
    ...(subject === undefined ? [] : [sql`w.subject = ${subject}`]),
  ]
  return conditions.length === 0 ? undefined : joinSql(conditions, ' AND ')
}

/** The account knows itself, and needs no number of its own. */
function toAuditedEvent(row: StoredAuditRow): AuditedEvent {
  const { sequence, accountId: _id, account: _name, ...event } = toAuditEvent(row)
  return { id: String(sequence), ...event }
}
