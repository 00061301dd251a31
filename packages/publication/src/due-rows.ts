import { asDid, asListName, type PublishedSubject } from '@vidimus/core-types'
import { homeOfDid, SHARED_HOME, sql, type Connection, type Database, type Sql } from '@vidimus/database'

/** A subject that is to be published. */
export interface DueRow {
  home: number
  kind: PublishedSubject['kind']
  did: string
  name: string
  type: string
  mark: number | string
  attempts: number
}

/** The columns that identify the subject. */
type Key = Pick<DueRow, 'home' | 'kind' | 'did' | 'name' | 'type'>

export function subjectKey(subject: PublishedSubject): Key {
  const did = subject.did ?? ''
  const { statusListName: name = '', resourceType: type = '' } = subject.kind === 'list' ? subject : {}
  return { home: did === '' ? SHARED_HOME : homeOfDid(did), kind: subject.kind, did, name, type }
}

export function keySubject({ kind, did, name, type }: Key): PublishedSubject {
  if (kind === 'list') return { kind, did: asDid(did), statusListName: asListName(name), resourceType: type }
  if (kind === 'did') return { kind, did: asDid(did) }
  return { kind, ...(did !== '' && { did: asDid(did) }) }
}

/**
 * A change recorded after another one of the same subject has the greater mark. It is based on the clock, so that a
 * deleted row does not return with a mark that someone still waits for.
 */
export function markDue(connection: Pick<Connection, 'send'>, subject: PublishedSubject, now: Date): void {
  const { home, kind, did, name, type } = subjectKey(subject)
  const time = now.toISOString()
  const mark = now.getTime() * 1000
  connection.send(
    sql`INSERT INTO publication_due
        (home, kind, did, name, type, mark, first_mark, since, attempts, next_attempt_at)
      VALUES (${home}, ${kind}, ${did}, ${name}, ${type}, ${mark}, ${mark}, ${time}, 0, ${time})
      ON CONFLICT (home, did, kind, name, type) DO UPDATE SET mark =
        CASE WHEN excluded.mark > publication_due.mark THEN excluded.mark ELSE publication_due.mark + 1 END`,
  )
}

export const selectDue = (now: Date, limit: number): Sql =>
  sql`SELECT home, kind, did, name, type, mark, attempts FROM publication_due
    WHERE next_attempt_at <= ${now.toISOString()} ORDER BY next_attempt_at LIMIT ${limit}`

/** The publication of that mark is done; later marks stay due. */
export async function endDue(connection: Connection, row: DueRow, readAt: Date): Promise<void> {
  const gone = await connection.run(
    sql`DELETE FROM publication_due WHERE ${isRow(row)} AND mark = ${Number(row.mark)}`,
  )
  if (gone > 0) return
  const time = readAt.toISOString()
  connection.send(
    sql`UPDATE publication_due SET first_mark = ${Number(row.mark) + 1}, since = ${time}, attempts = 0,
        next_attempt_at = ${time} WHERE ${isRow(row)}`,
  )
}

export const postponeDue = (connection: Connection, row: DueRow, until: Date): Promise<number> =>
  connection.run(
    sql`UPDATE publication_due SET attempts = ${row.attempts + 1}, next_attempt_at = ${until.toISOString()}
      WHERE ${isRow(row)}`,
  )

const isRow = ({ home, kind, did, name, type }: Key): Sql =>
  sql`home = ${home} AND did = ${did} AND kind = ${kind} AND name = ${name} AND type = ${type}`

/** The marks of a subject; `undefined` if nothing of it is due. */
export async function readMarks(
  database: Database,
  subject: PublishedSubject,
): Promise<{ last: number; first: number } | undefined> {
  const [row] = await database.query<{ mark: number | string; first_mark: number | string }>(
    sql`SELECT mark, first_mark FROM publication_due WHERE ${isRow(subjectKey(subject))}`,
  )
  return row && { last: Number(row.mark), first: Number(row.first_mark) }
}

export async function isAnythingDue(database: Database, now: Date): Promise<boolean> {
  return (await database.query(selectDue(now, 1))).length > 0
}

/** How many there are, and since when the oldest waits. */
export async function waiting(database: Database): Promise<{ count: number; since?: Date }> {
  const [row] = await database.query<{ n: number | string; since: string | null }>(
    sql`SELECT COUNT(*) AS n, MIN(since) AS since FROM publication_due`,
  )
  return { count: Number(row?.n ?? 0), ...(row?.since && { since: new Date(row.since) }) }
}
