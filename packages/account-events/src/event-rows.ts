import { BOUNDS } from '@vidimus/core-types'
import type { AccountEvent, EventType, NewAccountEvent } from '@vidimus/core-types'
import {
  groupByHome,
  homeOfSubject,
  joinSql,
  sql,
  type Connection,
  type Database,
  type Sql,
} from '@vidimus/database'

/** A stored event that has its position. */
export interface EventRow {
  sequence: number | string
  position: number | string
  account_id: string
  time: string
  type: EventType
  subject: string
  details: string | null
}

/** Writes an event in the transaction of its change; does nothing if no events are kept. */
export function insertAccountEvent(
  connection: Connection,
  accountId: string,
  { type, subject, data }: NewAccountEvent,
  time: string,
): void {
  connection.send(
    sql`INSERT INTO account_event (home, account_id, time, type, subject, details)
      SELECT ${homeOfSubject(subject, accountId)}, ${accountId}, ${time}, ${type}, ${subject.slice(0, BOUNDS.did)}, ${data ? JSON.stringify(data) : null}
      WHERE EXISTS (SELECT 1 FROM account_event_keeping WHERE kept_until > ${time})`,
  )
}

/** From now on events are written, until then. */
export const keepUntil = (connection: Connection, until: Date): Promise<number> =>
  connection.run(
    sql`INSERT INTO account_event_keeping (id, kept_until) VALUES ('events', ${until.toISOString()})
      ON CONFLICT (id) DO UPDATE SET kept_until = excluded.kept_until
      WHERE account_event_keeping.kept_until < excluded.kept_until`,
  )

/** Which events of an account; `after` is a position. */
export interface EventRange {
  after: number
  limit: number
  types?: readonly string[] | undefined
}

/** Each type is read over an index: rare ones are found quickly however many others there are. */
export function selectEvents(accountId: string, { after, limit, types }: EventRange): Sql {
  const some = (
    ofType: Sql,
  ) => sql`SELECT sequence, position, account_id, time, type, subject, details FROM account_event
    WHERE account_id = ${accountId} ${ofType} AND position > ${after} ORDER BY position LIMIT ${limit}`
  if (!types) return some(sql``)
  const each = types.map((type) => sql`SELECT * FROM (${some(sql`AND type = ${type}`)}) e`)
  return sql`${joinSql(each, ' UNION ALL ')} ORDER BY position LIMIT ${limit}`
}

/** Deletes events with their deliveries. @returns how many events */
export async function deleteEvents(
  database: Pick<Database, 'query' | 'write'>,
  before: string,
  most: number,
): Promise<number> {
  const old = await database.query<{ home: number; sequence: number | string }>(
    sql`SELECT home, sequence FROM account_event WHERE time < ${before} ORDER BY time LIMIT ${most}`,
  )
  const erase = (connection: Connection) => {
    for (const [home, events] of groupByHome(old)) {
      const sequences = joinSql(events.map(({ sequence }) => sequence))
      connection.send(
        sql`DELETE FROM webhook_delivery WHERE home = ${home} AND event_sequence IN (${sequences})`,
      )
      connection.send(sql`DELETE FROM account_event WHERE home = ${home} AND sequence IN (${sequences})`)
    }
    return Promise.resolve()
  }
  await database.write(erase, { spans: 'what is too old, in portions' })
  return old.length
}

export const toAccountEvent = ({ position, type, time, subject, details }: EventRow): AccountEvent => ({
  id: eventId(Number(position)),
  type,
  time,
  subject,
  ...(details !== null && { data: JSON.parse(details) as Record<string, unknown> }),
})

const DIGITS = 16

/** Ids compare as text in the order of the positions. */
export const eventId = (position: number): string => String(position).padStart(DIGITS, '0')

/** @returns `undefined` for anything that is not an event id */
export const eventPosition = (id: string): number | undefined =>
  /^\d{16}$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : undefined
