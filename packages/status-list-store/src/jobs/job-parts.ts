import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { JobPart, JobPartKind, KeyEnvelope, NewJobPart, StoredJob } from '@vidimus/core-types'
import {
  homeOf,
  inAccount,
  joinSql,
  SealedTexts,
  sql,
  type Connection,
  type Database,
  type SealedColumn,
} from '@vidimus/database'

/** A row of a part, without its content. */
interface PartRow {
  account_id: string
  job_uid: string
  kind: JobPartKind
  list: number | string
  place: number | string
}

const COLUMN: SealedColumn<PartRow> = {
  name: 'rows of jobs',
  table: sql`"status_list_job_part"`,
  sealed: sql`"sealed"`,
  id: [sql`"part_id"`, sql`"home"`],
  joined: sql`"status_list_job_part"`,
  context: sql`"account_id", "job_uid", "kind", "list", "place"`,
  contextOf: (row) => rowContext(row),
  check: {
    table: sql`"status_list_secret_check"`,
    id: 'job-parts',
    text: 'the secret fits',
    context: ['secret check', 'job-parts'],
  },
}

const deflated = promisify(deflateRaw)
const inflated = promisify(inflateRaw)

/** What belongs to one job. */
export interface JobKey {
  account: string
  uid: string
}

export const jobKey = ({ account, uid }: Pick<StoredJob, 'account' | 'uid'>): JobKey => ({
  account: account.id,
  uid,
})

/** A part as it is about to be stored: compressed outside of the transaction. */
export interface PackedPart extends Omit<NewJobPart, 'content'> {
  text: string
}

/** The rows of jobs, some hundreds or thousands in each text, compressed and sealed. */
export class JobParts {
  readonly texts: SealedTexts<PartRow>

  constructor(
    private readonly database: Database,
    private readonly envelope: KeyEnvelope,
  ) {
    this.texts = new SealedTexts(database, envelope, COLUMN)
  }

  /** @param from - the place of the first one */
  async insert(
    connection: Connection,
    { account, uid }: JobKey,
    parts: readonly PackedPart[],
    from: number,
  ): Promise<void> {
    for (const [n, { kind, list, text }] of parts.entries()) {
      const place = from + n
      const row = { account_id: account, job_uid: uid, kind, list, place }
      const sealed = await this.texts.seal(connection, text, rowContext(row))
      connection.send(sql`INSERT INTO "status_list_job_part"
        ("account_id", "job_uid", "kind", "list", "place", "part_id", "sealed", "home")
        VALUES (${account}, ${uid}, ${kind}, ${list}, ${place}, ${randomUUID()}, ${sealed}, ${homeOf(account)})`)
    }
  }

  /** @param packed - the new content of each */
  async replace(
    connection: Connection,
    { account, uid }: JobKey,
    parts: readonly JobPart[],
    packed: readonly PackedPart[],
  ): Promise<void> {
    for (const [n, { kind, list, place }] of parts.entries()) {
      const row = { account_id: account, job_uid: uid, kind, list, place }
      const sealed = await this.texts.seal(connection, packed[n]?.text ?? '', rowContext(row))
      connection.send(sql`UPDATE "status_list_job_part" SET "sealed" = ${sealed}
        WHERE ${belongsTo({ account, uid })} AND "kind" = ${kind} AND "list" = ${list} AND "place" = ${place}`)
    }
  }

  async read(
    { account, uid }: JobKey,
    kind: JobPartKind,
    { most, after }: { most: number; after?: Pick<JobPart, 'list' | 'place'> },
  ): Promise<JobPart[]> {
    const further = after ? sql`AND ("list", "place") > (${after.list}, ${after.place})` : sql``
    const rows = await this.database.query<PartRow & { sealed: string }>(
      sql`SELECT "account_id", "job_uid", "kind", "list", "place", "sealed" FROM "status_list_job_part"
        WHERE ${belongsTo({ account, uid })} AND "kind" = ${kind} ${further} ORDER BY "list", "place" LIMIT ${most}`,
    )
    return Promise.all(
      rows.map(async ({ sealed, ...row }) => ({
        kind: row.kind,
        list: Number(row.list),
        place: Number(row.place),
        content: await unpackedText(this.envelope.open(sealed, rowContext(row))),
      })),
    )
  }
}

/** Compresses the content of parts. */
export const packParts = (parts: readonly NewJobPart[]): Promise<PackedPart[]> =>
  Promise.all(
    parts.map(async ({ content, ...part }) => ({
      ...part,
      text: (await deflated(Buffer.from(content, 'utf8'))).toString('base64'),
    })),
  )

const unpackedText = async (text: string): Promise<string> =>
  (await inflated(Buffer.from(text, 'base64'))).toString('utf8')

/** Deletes parts that are done with. */
export const deleteParts = (key: JobKey, parts: readonly JobPart[]) =>
  sql`DELETE FROM "status_list_job_part" WHERE ${belongsTo(key)} AND ("kind", "list", "place") IN (VALUES ${joinSql(
    parts.map(({ kind, list, place }) => sql`(${kind}, CAST(${list} AS BIGINT), CAST(${place} AS BIGINT))`),
  )})`

/** Deletes what was handed to a ledger: the step is recorded, or was not made. */
export const deletePending = (key: JobKey) =>
  sql`DELETE FROM "status_list_job_part" WHERE ${belongsTo(key)} AND "kind" = 'pending'`

/** How many versions a step was handed to a ledger with: each that was refused for another writer has a successor. */
export const countPending = (key: JobKey) =>
  sql`SELECT COUNT(*) AS "n" FROM "status_list_job_part" WHERE ${belongsTo(key)} AND "kind" = 'pending'`

/** Deletes some of the parts of a job. */
export const deleteSomeParts = (key: JobKey, most: number) =>
  sql`DELETE FROM "status_list_job_part" WHERE ${belongsTo(key)} AND ("kind", "list", "place") IN (
    SELECT "kind", "list", "place" FROM "status_list_job_part" WHERE ${belongsTo(key)} LIMIT ${most})`

const belongsTo = ({ account, uid }: JobKey) => sql`${inAccount(account)} AND "job_uid" = ${uid}`

const rowContext = ({ account_id: account, job_uid: uid, kind, list, place }: PartRow): string[] => [
  'part of a job',
  account,
  uid,
  kind,
  String(list),
  String(place),
]
