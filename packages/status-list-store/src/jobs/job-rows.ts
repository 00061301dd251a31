import {
  placeText,
  readPlace,
  type JobGrant,
  type JobOrder,
  type JobOutcome,
  type JobStep,
  type NewJob,
  type StoredJob,
} from '@vidimus/core-types'
import { homeOf, inAccount, sql, type Listing, type Reader, type Sql } from '@vidimus/database'
import { jobKey, type JobKey } from './job-parts.js'

/** The kind of work. */
export const JOB = 'job'

interface JobRow {
  account_id: string
  account_name: string
  account_created_at: string
  uid: string
  id: string
  state: StoredJob['state']
  dry_run: number
  row_count: number | string
  applied: number | string
  refused: number | string
  checksum: string | null
  select_after: string | null
  part_count: number | string
  api_key_id: string | null
  networks: string | null
  /** an upload has none until it is a job */
  ordered: string
  rule: string | null
  failure: string | null
  created_at: string
  ended_at: string | null
}

/** Jobs that are looked at in one go. */
const TOGETHER = 100

const isJob = ({ account, uid }: JobKey): Sql => sql`${inAccount(account)} AND "uid" = ${uid}`

const SELECT = sql`SELECT "j"."account_id", "a"."name" AS "account_name", "a"."created_at" AS "account_created_at", "j"."uid",
    "j"."id", "j"."state", "j"."dry_run", "j"."row_count", "j"."applied", "j"."refused", "j"."checksum", "j"."select_after",
    "j"."part_count", "j"."api_key_id", "j"."networks", "j"."ordered", "j"."rule", COALESCE("j"."failure", w.failure) AS "failure",
    "j"."created_at", "j"."ended_at"
  FROM "status_list_job" "j" JOIN "account" "a" ON "a"."id" = "j"."account_id"
    LEFT JOIN work_item w ON w.home = "j"."home" AND w.kind = ${JOB} AND w.key = "j"."uid"`

export async function findJob(
  reader: Reader,
  { account, ...named }: { account: string } & ({ id: string } | { uid: string }),
): Promise<StoredJob | undefined> {
  const which = 'id' in named ? sql`"j"."id" = ${named.id}` : sql`"j"."uid" = ${named.uid}`
  const [row] = await reader.query<JobRow>(
    sql`${SELECT} WHERE ${inAccount(account, sql`"j".`)} AND ${which}
      AND "j"."id" IS NOT NULL`,
  )
  return row && toJob(row)
}

/** Jobs of an account, the newest first. */
export const jobsOf = (
  account: string,
  state: StoredJob['state'] | undefined,
): Listing<JobRow, StoredJob> => ({
  rows: (after) => {
    const [time = '', uid = ''] = after === undefined ? [] : readPlace(after, 2)
    const further = after === undefined ? sql`` : sql`AND ("j"."created_at", "j"."uid") < (${time}, ${uid})`
    return sql`${SELECT} WHERE ${inAccount(account, sql`"j".`)} AND "j"."id" IS NOT NULL ${further}
      ORDER BY "j"."created_at" DESC, "j"."uid" DESC`
  },
  filter: state && sql`w."state" = ${state}`,
  placeOf: ({ created_at: createdAt, uid }) => placeText([createdAt, uid]),
  toItem: toJob,
})

/** Jobs of an account that have not ended, uploads included. */
export const countOpenJobs = (account: string): Sql =>
  sql`SELECT COUNT(*) AS "n" FROM "status_list_job" WHERE ${inAccount(account)} AND "ended_at" IS NULL`

export const insertUpload = ({ account, uid }: JobKey, holder: string, createdAt: string): Sql =>
  sql`INSERT INTO "status_list_job" ("account_id", "uid", "state", "dry_run", "row_count", "applied", "refused", "part_count",
      "holder", "created_at", "home")
    VALUES (${account}, ${uid}, 'queued', 0, 0, 0, 0, 0, ${holder}, ${createdAt}, ${homeOf(account)})`

/** Takes so many places for parts of an upload; the rest of it decides where they begin. */
export const growUpload = (key: JobKey, parts: number): Sql =>
  sql`UPDATE "status_list_job" SET "part_count" = "part_count" + ${parts} WHERE ${isJob(key)} AND "id" IS NULL`

export const partCount = (key: JobKey): Sql =>
  sql`SELECT "part_count" AS "n" FROM "status_list_job" WHERE ${isJob(key)}`

/** Makes an upload a job. */
export const submitUpload = (key: JobKey, job: NewJob, now: string): Sql => {
  const { id, dryRun, rows, refused, checksum, selectAfter, order, grant } = job
  return sql`UPDATE "status_list_job" SET "id" = ${id}, "dry_run" = ${dryRun ? 1 : 0}, "row_count" = ${rows},
      "refused" = ${refused}, "checksum" = ${checksum ?? null}, "select_after" = ${selectAfter},
      "ordered" = ${JSON.stringify(order)}, ${belongingTo(grant)},
      "created_at" = ${now}, "holder" = NULL
    WHERE ${isJob(key)} AND "id" IS NULL`
}

export const deleteJob = (key: JobKey): Sql => sql`DELETE FROM "status_list_job" WHERE ${isJob(key)}`

export const pauseJob = (key: JobKey): Sql =>
  sql`UPDATE "status_list_job" SET "state" = 'paused' WHERE ${isJob(key)} AND "state" IN ('queued', 'running')`

/** Its item is left until it is known what has become of what was handed to a ledger. */
export const cancelJob = (key: JobKey): Sql =>
  sql`UPDATE "status_list_job" SET "state" = 'cancelled', "failure" = NULL
    WHERE ${isJob(key)} AND "state" IN ('queued', 'running', 'paused')`

const belongingTo = (grant: JobGrant | undefined): Sql =>
  sql`"api_key_id" = ${grant?.id ?? null}, "rule" = ${grant?.rule ?? null}, "networks" = ${grant?.networks ? JSON.stringify(grant.networks) : null}`

export const resumeJob = (key: JobKey, grant: JobGrant | undefined): Sql =>
  sql`UPDATE "status_list_job" SET "state" = 'queued', "failure" = NULL, ${belongingTo(grant)}
    WHERE ${isJob(key)} AND "state" = 'paused'`

export const beginJob = (key: JobKey): Sql =>
  sql`UPDATE "status_list_job" SET "state" = 'running' WHERE ${isJob(key)} AND "state" = 'queued'`

/** Each step that applies rows counts them, so that none is recorded twice. */
export const stepJob = (job: StoredJob, step: JobStep): Sql => {
  const { rows = 0, applied = 0, refused = 0, parts = [], selectAfter } = step
  return sql`UPDATE "status_list_job" SET "row_count" = "row_count" + ${rows}, "applied" = "applied" + ${applied},
      "refused" = "refused" + ${refused}, "part_count" = "part_count" + ${parts.length}, "failure" = NULL,
      "select_after" = ${selectAfter === undefined ? sql`"select_after"` : selectAfter},
      "state" = CASE WHEN "state" = 'queued' THEN 'running' ELSE "state" END
    WHERE ${isJob(jobKey(job))} AND "ended_at" IS NULL AND "applied" = ${job.applied} AND "refused" = ${job.refused}`
}

export const suspendJob = (key: JobKey, failure: string): Sql =>
  sql`UPDATE "status_list_job" SET "state" = 'paused', "failure" = ${failure} WHERE ${isJob(key)} AND "ended_at" IS NULL`

export const endJob = (key: JobKey, { state, failure }: JobOutcome, now: string): Sql =>
  sql`UPDATE "status_list_job" SET "state" = ${state}, "failure" = ${failure ?? null}, "ended_at" = ${now}
    WHERE ${isJob(key)} AND "ended_at" IS NULL`

/** Ended jobs that are not kept any longer, of all accounts. */
export const endedBefore = (before: string): Sql =>
  sql`SELECT "account_id" AS "account", "uid" FROM "status_list_job" WHERE "ended_at" < ${before}
    ORDER BY "ended_at" LIMIT ${TOGETHER}`

/** Uploads of all accounts, with the presence of their processes. */
export const uploadsBefore = (before: string): Sql =>
  sql`SELECT "account_id" AS "account", "uid", "holder" FROM "status_list_job"
    WHERE "id" IS NULL AND "created_at" < ${before} ORDER BY "created_at" LIMIT ${TOGETHER}`

const toJob = (row: JobRow): StoredJob => ({
  account: { id: row.account_id, name: row.account_name, createdAt: row.account_created_at },
  uid: row.uid,
  id: row.id,
  state: row.state,
  dryRun: row.dry_run !== 0,
  rows: Number(row.row_count),
  applied: Number(row.applied),
  refused: Number(row.refused),
  ...(row.checksum !== null && { checksum: row.checksum }),
  selectAfter: row.select_after,
  parts: Number(row.part_count),
  order: JSON.parse(row.ordered) as JobOrder,
  ...(row.api_key_id !== null && {
    grant: {
      id: row.api_key_id,
      ...(row.rule !== null && { rule: row.rule }),
      ...(row.networks !== null && { networks: JSON.parse(row.networks) as string[] }),
    },
  }),
  ...(row.failure !== null && { failure: row.failure }),
  createdAt: row.created_at,
  ...(row.ended_at !== null && { endedAt: row.ended_at }),
})
