import {
  type Connection,
  type Database,
  groupByHome,
  homeOf,
  inAccount,
  joinSql,
  type Sql,
  sql,
  tally,
} from '@vidimus/database'
import { forgetCreationsOf } from './creation-marks.js'

/** A request with an idempotency key. */
export interface RecordRow {
  id: string
  account_id: string
  content_digest: string
  /** the holder working on it; `null`: none */
  holder: string | null
  /** of the holder's process, see `Database.presence`; none in rows of earlier versions */
  presence: string | null
  sealed_answer: string | null
}

/** Identifies a record, and distinguishes its request from others. */
export interface RecordName {
  account: string
  keyDigest: string
  contentDigest: string
}

/** A record as its holder has it. */
export interface HeldRecord {
  id: string
  account: string
  /** of this very run */
  holder: string
  /** of this process */
  presence: string
}

/** The record of a key, if it has one. */
export async function findRecord(
  reader: Pick<Database | Connection, 'query'>,
  { account, keyDigest }: RecordName,
): Promise<RecordRow | undefined> {
  const [row] = await reader.query<RecordRow>(
    sql`SELECT id, account_id, content_digest, holder, presence, sealed_answer FROM idempotency_record
      WHERE ${isOfKey(account, keyDigest)}`,
  )
  return row
}

/** Whether a record has the same holder as when it was read. */
export async function isHeldAsSeen(
  reader: Pick<Database | Connection, 'query'>,
  { id, account_id: account, holder }: Pick<RecordRow, 'id' | 'account_id' | 'holder'>,
): Promise<boolean> {
  const rows = await reader.query(
    sql`SELECT id FROM idempotency_record WHERE ${isRecord({ id, account })} AND holder = ${holder}`,
  )
  return rows.length > 0
}

/** @returns whether there was no valid one */
export async function insertRecord(
  connection: Connection,
  { account, keyDigest, contentDigest }: RecordName,
  { id, holder, presence }: HeldRecord,
  { now, heldUntil }: { now: string; heldUntil: string },
): Promise<boolean> {
  await deleteRecords(connection, sql`${isOfKey(account, keyDigest)} AND expires_at <= ${now}`)
  const inserted = await connection.run(
    sql`INSERT INTO idempotency_record (home, id, account_id, key_digest, content_digest, holder, presence, expires_at)
      VALUES (${homeOf(account)}, ${id}, ${account}, ${keyDigest}, ${contentDigest}, ${holder}, ${presence}, ${heldUntil})
      ON CONFLICT (home, account_id, key_digest) DO NOTHING`,
  )
  return inserted === 1
}

/** Takes a record over, if it is unchanged since it was read. @returns whether it was */
export async function takeRecord(
  connection: Connection,
  before: Pick<RecordRow, 'holder'>,
  { id, account, holder, presence }: HeldRecord,
  heldUntil: string,
): Promise<boolean> {
  const held = before.holder === null ? sql`holder IS NULL` : sql`holder = ${before.holder}`
  const taken = await connection.run(
    sql`UPDATE idempotency_record SET holder = ${holder}, presence = ${presence}, expires_at = ${heldUntil}
      WHERE ${isRecord({ id, account })} AND ${held} AND sealed_answer IS NULL`,
  )
  return taken === 1
}

/** Nobody takes the record over before this transaction has ended. @returns whether the holder still had it */
export const lockRecord = async (
  connection: Connection,
  { id, account, holder }: HeldRecord,
): Promise<boolean> =>
  (await connection.run(
    sql`UPDATE idempotency_record SET holder = holder WHERE ${isRecord({ id, account })} AND holder = ${holder}`,
  )) === 1

/** @returns whether the holder still had the record */
export async function storeAnswer(
  connection: Connection,
  { id, account, holder }: HeldRecord,
  sealedAnswer: string,
  expiresAt: string,
): Promise<boolean> {
  const bytes = Buffer.byteLength(sealedAnswer)
  const stored = await connection.run(
    sql`UPDATE idempotency_record SET holder = NULL, presence = NULL, sealed_answer = ${sealedAnswer},
      answer_bytes = ${bytes}, expires_at = ${expiresAt} WHERE ${isRecord({ id, account })} AND holder = ${holder}`,
  )
  if (stored === 1) tally(connection, account, 'answerBytes', bytes)
  return stored === 1
}

/** @returns whether the holder still had the record */
export async function releaseRecord(
  connection: Connection,
  { id, account, holder }: HeldRecord,
  expiresAt: string,
): Promise<boolean> {
  const released = await connection.run(
    sql`UPDATE idempotency_record SET holder = NULL, presence = NULL, expires_at = ${expiresAt}
      WHERE ${isRecord({ id, account })} AND holder = ${holder}`,
  )
  return released === 1
}

/** Deletes some expired records with the marks of their creations. @returns how many records */
export async function deleteExpired(connection: Connection, now: string, most: number): Promise<number> {
  const expired = await connection.query<{ home: number; id: string }>(
    sql`SELECT home, id FROM idempotency_record WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${most}`,
  )
  for (const [home, records] of groupByHome(expired)) {
    const ids = joinSql(records.map(({ id }) => id))
    await deleteRecords(connection, sql`home = ${home} AND id IN (${ids})`)
  }
  return expired.length
}

/** Their responses take no room any more. */
async function deleteRecords(connection: Connection, which: Sql): Promise<void> {
  const deleted = await connection.query<{ id: string; account_id: string; answer_bytes: number | string }>(
    sql`DELETE FROM idempotency_record WHERE ${which} RETURNING id, account_id, answer_bytes`,
  )
  await forgetCreationsOf(connection, deleted)
  const bytes = new Map<string, number>()
  for (const { account_id: account, answer_bytes: freed } of deleted) {
    bytes.set(account, (bytes.get(account) ?? 0) + Number(freed))
  }
  // in one order, so that two processes never wait for each other
  for (const [account, freed] of [...bytes].sort()) tally(connection, account, 'answerBytes', -freed)
}

const isRecord = ({ id, account }: Pick<HeldRecord, 'id' | 'account'>): Sql =>
  sql`home = ${homeOf(account)} AND id = ${id}`

const isOfKey = (account: string, keyDigest: string): Sql =>
  sql`${inAccount(account)} AND key_digest = ${keyDigest}`
