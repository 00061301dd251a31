import type { JobGrant, JobOrder, JobStep, NewJob, StoredJob } from '@vidimus/core-types'
import { homeOf, inAccount, sql, type Reader, type Sql } from '@vidimus/database'
import type { JobKey } from './job-parts.js'

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
  holder: string | null
  attempts: number
  failure: string | null
  created_at: string
  ended_at: string | null
}

/** Jobs that are looked at in one go. */
const TOGETHER = 100

const isJob = ({ account, uid }: JobKey): Sql => sql`${inAccount(account)} AND "uid" = ${uid}`

const SELECT = sql`SELECT "j"."account_id", "a"."name" AS "account_name", "a"."created_at" AS "account_created_at", "j"."uid",
    "j"."id", "j"."state", "j"."dry_run", "j"."row_count", "j"."applied", "j"."refused", "j"."checksum", "j"."select_after",
    "j"."part_count", "j"."api_key_id", "j"."networks", "j"."ordered", "j"."rule", "j"."holder", "j"."attempts", "j"."failure",
    "j"."created_at", "j"."ended_at"
  FROM "status_list_job" "j" JOIN "account" "a" ON "a"."id" = "j"."account_id"`

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

/** Those of all accounts whose time has come, the longest waiting first. */
export async function dueJobs(reader: Reader, now: Date): Promise<StoredJob[]> {
  const rows = await reader.query<JobRow>(
    sql`${SELECT} WHERE "j"."next_look_at" <= ${now.toISOString()} ORDER BY "j"."next_look_at", "j"."uid" LIMIT ${TOGETHER}`,
  )
  return rows.map(toJob)
}

/** Jobs of an account that have not ended, uploads included. */
export const countOpenJobs = (account: string): Sql =>
  sql`SELECT COUNT(*) AS "n" FROM "status_list_job" WHERE ${inAccount(account)} AND "ended_at" IS NULL`

export const insertUpload = ({ account, uid }: JobKey, holder: string, createdAt: string): Sql =>
  sql`INSERT INTO "status_list_job" ("account_id", "uid", "state", "dry_run", "row_count", "applied", "refused", "part_count",
      "holder", "attempts", "created_at", "home")
    VALUES (${account}, ${uid}, 'queued', 0, 0, 0, 0, 0, ${holder}, 0, ${createdAt}, ${homeOf(account)})`

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
      "created_at" = ${now}, "next_look_at" = ${now}, "holder" = NULL
    WHERE ${isJob(key)} AND "id" IS NULL`
}

export const deleteJob = (key: JobKey): Sql => sql`DELETE FROM "status_list_job" WHERE ${isJob(key)}`

export const pauseJob = (account: string, id: string): Sql =>
  sql`UPDATE "status_list_job" SET "state" = 'paused', "next_look_at" = NULL
    WHERE ${inAccount(account)} AND "id" = ${id} AND "state" IN ('queued', 'running')`

const belongingTo = (grant: JobGrant | undefined): Sql =>
  sql`"api_key_id" = ${grant?.id ?? null}, "rule" = ${grant?.rule ?? null}, "networks" = ${grant?.networks ? JSON.stringify(grant.networks) : null}`

export const resumeJob = (account: string, id: string, grant: JobGrant | undefined, now: string): Sql =>
  sql`UPDATE "status_list_job" SET "state" = 'queued', "next_look_at" = ${now}, "attempts" = 0, "failure" = NULL,
      ${belongingTo(grant)}
    WHERE ${inAccount(account)} AND "id" = ${id} AND "state" = 'paused'`

/** @param seen - the job as it was found; its holder is gone, or this process */
export const claimJob = ({ account, uid, holder: seen }: StoredJob, holder: string): Sql =>
  sql`UPDATE "status_list_job" SET "holder" = ${holder}, "state" = 'running'
    WHERE ${isJob({ account: account.id, uid })} AND "ended_at" IS NULL AND "state" <> 'paused'
      AND ${seen === null ? sql`"holder" IS NULL` : sql`"holder" = ${seen}`}`

/** Only for its holder: who came back after it was presumed dead changes nothing. */
const isHeld = ({ account, uid, holder }: StoredJob): Sql =>
  sql`${isJob({ account: account.id, uid })} AND "holder" = ${holder} AND "ended_at" IS NULL`

/** Each step that applies rows counts them, so that none is recorded twice. */
const isBefore = (job: StoredJob): Sql =>
  sql`${isHeld(job)} AND "applied" = ${job.applied} AND "refused" = ${job.refused}`

/** @returns whether the step that comes next is still to be recorded; nobody else records it before this transaction has ended */
export const lockStep = (job: StoredJob): Sql =>
  sql`UPDATE "status_list_job" SET "attempts" = "attempts" WHERE ${isBefore(job)}`

export const stepJob = (job: StoredJob, step: JobStep, now: string): Sql => {
  const { rows = 0, applied = 0, refused = 0, parts = [], selectAfter } = step
  return sql`UPDATE "status_list_job" SET "row_count" = "row_count" + ${rows}, "applied" = "applied" + ${applied},
      "refused" = "refused" + ${refused}, "part_count" = "part_count" + ${parts.length}, "attempts" = 0, "failure" = NULL,
      "select_after" = ${selectAfter === undefined ? sql`"select_after"` : selectAfter},
      "state" = CASE WHEN "state" = 'queued' THEN 'running' ELSE "state" END,
      "next_look_at" = CASE WHEN "state" = 'paused' THEN NULL ELSE ${now} END
    WHERE ${isBefore(job)}`
}

export const waitWithJob = (job: StoredJob, failure: string, until: string): Sql =>
  sql`UPDATE "status_list_job" SET "failure" = ${failure}, "attempts" = "attempts" + 1, "holder" = NULL,
      "next_look_at" = CASE WHEN "state" = 'paused' THEN NULL ELSE ${until} END
    WHERE ${isHeld(job)}`

export const suspendJob = (job: StoredJob, failure: string): Sql =>
  sql`UPDATE "status_list_job" SET "state" = 'paused', "failure" = ${failure}, "holder" = NULL, "next_look_at" = NULL
    WHERE ${isHeld(job)}`

export const releaseJob = (job: StoredJob): Sql =>
  sql`UPDATE "status_list_job" SET "holder" = NULL WHERE ${isHeld(job)}`

export const endJob = (
  job: StoredJob,
  state: 'done' | 'failed',
  failure: string | undefined,
  now: string,
): Sql =>
  sql`UPDATE "status_list_job" SET "state" = ${state}, "failure" = ${failure ?? null}, "ended_at" = ${now}, "holder" = NULL,
      "next_look_at" = NULL
    WHERE ${isHeld(job)}`

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
  holder: row.holder,
  attempts: row.attempts,
  ...(row.failure !== null && { failure: row.failure }),
  createdAt: row.created_at,
  ...(row.ended_at !== null && { endedAt: row.ended_at }),
})
