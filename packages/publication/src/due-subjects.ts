import { asDid, asListName, type OpenTransaction, type PublishedSubject } from '@vidimus/core-types'
import { homeOfDid, SHARED_HOME, sql, type Database } from '@vidimus/database'
import { workOn, type WorkItem, type WorkKey } from '@vidimus/work'

/** What is to be published: one item for each subject. */
export const PUBLICATION = 'publication'

function subjectKey(subject: PublishedSubject): WorkKey {
  const did = subject.did ?? ''
  const { statusListName: name = '', resourceType: type = '' } = subject.kind === 'list' ? subject : {}
  const key = JSON.stringify([subject.kind, did, name, type])
  return { home: did === '' ? SHARED_HOME : homeOfDid(did), key }
}

export function keySubject({ key }: Pick<WorkItem, 'key'>): PublishedSubject {
  const [kind, did = '', name = '', type = ''] = JSON.parse(key) as string[]
  if (kind === 'list') return { kind, did: asDid(did), statusListName: asListName(name), resourceType: type }
  if (kind === 'did') return { kind, did: asDid(did) }
  return { kind: 'aggregation', ...(did !== '' && { did: asDid(did) }) }
}

/** It names no version: the newest is published. */
export function markDue(
  { database, transaction }: { database: Database; transaction: OpenTransaction },
  subject: PublishedSubject,
  now: Date,
): void {
  const item = { ...subjectKey(subject), owner: subject.did ?? '', dueAt: now, since: now }
  workOn(database).ask(transaction, PUBLICATION, item, now)
}

/** The payload of a subject that changed while it was published: its changes up to here are published. */
export const publishedUpTo = ({ revision }: Pick<WorkItem, 'revision'>): string => String(revision)

/** The changes of a subject that wait, by their numbers; `undefined` if none does. */
export async function readMarks(
  database: Database,
  subject: PublishedSubject,
): Promise<{ last: number; published: number } | undefined> {
  const item = await workOn(database).find(PUBLICATION, subjectKey(subject))
  return item && { last: item.revision, published: Number(item.payload ?? 0) }
}

/** How many there are, since when the oldest waits, and whether another process is at one of them. */
export async function waiting(database: Database): Promise<{ count: number; since?: Date; held: number }> {
  const [row] = await database.query<{ n: number | string; since: string | null; held: number | string }>(
    sql`SELECT COUNT(*) AS n, MIN(since) AS since, COUNT(holder) AS held FROM work_item WHERE kind = ${PUBLICATION}`,
  )
  return {
    count: Number(row?.n ?? 0),
    held: Number(row?.held ?? 0),
    ...(row?.since && { since: new Date(row.since) }),
  }
}
