import { randomUUID } from 'node:crypto'
import {
  AgentError,
  askedGauge,
  changedOnce,
  currentAccount,
  currentActor,
  problemsError,
  runInAccountScope,
  type AuditEntry,
  type AuditRows,
  type JobGrant,
  type JobPartKind,
  type JobRights,
  type KeyEnvelope,
  type Measurement,
  type NewJob,
  type NewJobPart,
  type NextPage,
  type OpenTransaction,
  type PageRange,
  type StatusListJobs,
  type StoredJob,
} from '@vidimus/core-types'
import { homeOf, isUniqueViolation, readRows, sql, type Connection, type Database } from '@vidimus/database'
import { NEVER_AT, workOn, type NewWork, type Work, type WorkItem } from '@vidimus/work'
import { OPEN_JOBS } from '../measurements.js'
import { itemJob, JobInWork, laneOf, payloadOf, tellerIn, type JobSources } from './held-job.js'
import { countPending, deleteSomeParts, jobKey, JobParts, packParts, type JobKey } from './job-parts.js'
import * as rows from './job-rows.js'

/** Parts in one transaction, so that others wait only briefly. */
const TOGETHER = 50
/** An upload of a process that is gone is deleted after this time, in milliseconds. */
const UPLOAD_MS = 60_000
/** Jobs that this process works on at the same time, and of these of one account. */
const WORK = { most: 2, share: 1, isLong: true }

interface JobLimits {
  /** of an account at the same time */
  mostOpen: number
  /** how long an ended job is kept */
  keepMs: number
}

/** Mass changes of status lists, and their rows. */
export class ListJobs implements StatusListJobs, JobSources {
  readonly parts: StatusListJobs['parts']
  readonly kept: JobParts
  readonly measurements: readonly Measurement[]
  private readonly work: Work

  constructor(
    readonly database: Database,
    envelope: KeyEnvelope,
    private readonly limits: JobLimits,
    readonly clock: () => Date,
    readonly audit: AuditRows | undefined,
  ) {
    this.work = workOn(database)
    this.kept = new JobParts(database, envelope)
    this.parts = (job, kind: JobPartKind, options) => this.kept.read(jobKey(job), kind, options)
    this.measurements = [askedGauge(OPEN_JOBS, () => this.countOpen())]
  }

  async begin(): Promise<string> {
    const key = { account: currentAccount().id, uid: randomUUID() }
    const holder = await this.database.presence()
    await this.write(key, async (connection) => {
      const [open] = await connection.query<{ n: number | string }>(rows.countOpenJobs(key.account))
      if (Number(open?.n) >= this.limits.mostOpen) throw tooMany(this.limits.mostOpen)
      await connection.run(rows.insertUpload(key, holder, this.now()))
    })
    return key.uid
  }

  async add(uid: string, parts: readonly NewJobPart[]): Promise<void> {
    const key = { account: currentAccount().id, uid }
    for (let from = 0; from < parts.length; from += TOGETHER) {
      const some = await packParts(parts.slice(from, from + TOGETHER))
      await this.write(key, async (connection) => {
        if ((await connection.run(rows.growUpload(key, some.length))) === 0) throw discarded()
        const [count] = await connection.query<{ n: number | string }>(rows.partCount(key))
        await this.kept.insert(connection, key, some, Number(count?.n) - some.length)
      })
    }
  }

  async submit(uid: string, job: NewJob): Promise<StoredJob> {
    const key = { account: currentAccount().id, uid }
    const actor = currentActor()
    try {
      await this.write(key, async (connection) => {
        const now = this.clock()
        if ((await connection.run(rows.submitUpload(key, job, now.toISOString()))) === 0) throw discarded()
        this.work.add(connection, rows.JOB, newWork(key, payloadOf(job), now), now)
        await this.audit?.recordWithin(connection, creationEntry(job), actor)
      })
    } catch (error) {
      if (!isUniqueViolation(error, 'status_list_job')) throw error
      await this.discard(uid)
    }
    const stored = await this.find(job.id)
    if (!stored) throw discarded()
    this.work.wake()
    return stored
  }

  async discard(uid: string): Promise<void> {
    await this.erase({ account: currentAccount().id, uid }, isUpload)
  }

  find(id: string): Promise<StoredJob | undefined> {
    return rows.findJob(this.database, { account: currentAccount().id, id })
  }

  list(
    { state }: { state?: StoredJob['state'] | undefined },
    page: PageRange,
  ): Promise<{ items: StoredJob[] } & NextPage> {
    return readRows(this.database, rows.jobsOf(currentAccount().id, state), page)
  }

  own(rights: JobRights): void {
    this.work.own(rows.JOB, {
      demand: async (item) => {
        const job = await rows.findJob(this.database, itemJob(item))
        if (job) rights.demand(job)
      },
      pause: async (connection, item) => {
        const key = itemJob(item)
        await connection.run(rows.pauseJob(key))
        // What is handed to a ledger may still happen, and is counted.
        if (isFinal(item) || (await hasPending(connection, key))) this.hurry(connection, key, item.payload)
        return !isFinal(item)
      },
      cancel: (connection, item) => this.cancelWithin(connection, item, rights),
      done: (action) => {
        if (action === 'cancel') rights.cancelled()
      },
      isFinal,
      resume: async (connection, item) => {
        const job = await rows.findJob(connection, itemJob(item))
        if (job) await connection.run(rows.resumeJob(jobKey(job), rights.grantOf(job)))
      },
    })
  }

  async pause(job: StoredJob): Promise<StoredJob | undefined> {
    const recorded = this.recording('job-paused', job)
    await this.work.act('pause', { kind: rows.JOB, ...workKey(jobKey(job)) }, recorded)
    return this.find(job.id)
  }

  /** Also while it is due, as it is not known yet what has become of what it had handed to a ledger. */
  async resume(job: StoredJob, grant: JobGrant | undefined): Promise<StoredJob | undefined> {
    if (job.endedAt !== undefined || job.state === 'cancelled') return job
    const recorded = this.recording('job-resumed', job)
    await changedOnce<void>(this.database, ['job-resumed', job.id], (record) =>
      this.database.write(async (connection) => {
        this.hurry(connection, jobKey(job), payloadOf(job))
        if ((await connection.run(rows.resumeJob(jobKey(job), grant))) > 0) await recorded(connection)
        await record(connection)
      }),
    )
    this.work.wake()
    return this.find(job.id)
  }

  async cancel(job: StoredJob): Promise<StoredJob | undefined> {
    if (job.state === 'cancelled') return job
    const recorded = this.recording('job-cancelled', job)
    await this.work.act('cancel', { kind: rows.JOB, ...workKey(jobKey(job)) }, recorded)
    return this.find(job.id)
  }

  /** Whoever works on its job next ends it, if something is handed to a ledger, which is found out, and counted, before. */
  private async cancelWithin(connection: Connection, item: WorkItem, rights: JobRights): Promise<boolean> {
    const key = itemJob(item)
    const isCancelled = (await connection.run(rows.cancelJob(key))) > 0
    const job = await rows.findJob(connection, key)
    if (!job || job.endedAt !== undefined) return false
    const outcome = { state: 'cancelled' } as const
    const told = rights.toldOf(job, outcome)
    const within = told && tellerIn(this.database, told)
    if (!isCancelled || (told && !within) || (await hasPending(connection, key))) {
      this.hurry(connection, key, payloadOf(job))
      return isCancelled
    }
    await connection.run(rows.endJob(key, outcome, this.now()))
    if (told) runInAccountScope(job.account, () => within?.tell(connection, told.event))
    return true
  }

  private recording(event: 'job-paused' | 'job-resumed' | 'job-cancelled', { id: subject }: StoredJob) {
    const actor = currentActor()
    return async (transaction: OpenTransaction) => {
      await this.audit?.recordWithin(transaction, { event, subject }, actor)
    }
  }

  private hurry(connection: Connection, key: JobKey, payload = '[]'): void {
    const now = this.clock()
    this.work.resume(connection, rows.JOB, newWork(key, payload, now), now)
  }

  run({ apply, failed }: Parameters<StatusListJobs['run']>[0]): void {
    this.work.run({
      ...WORK,
      name: rows.JOB,
      handle: async (held) => {
        const job = await JobInWork.begin(this, held)
        if (!job || job.current.endedAt !== undefined) return { isDone: false }
        await apply(job)
        return { isDone: held.isSettled, ...job.left }
      },
      onFailure: failed,
      clock: this.clock,
    })
  }

  stop(): Promise<void> {
    return this.work.stop(rows.JOB)
  }

  async countOpen(): Promise<number> {
    const [row] = await this.database.query<{ n: number | string }>(
      sql`SELECT COUNT(*) AS "n" FROM work_item WHERE kind = ${rows.JOB} AND due_at < ${NEVER_AT}`,
    )
    return Number(row?.n)
  }

  /** Deletes jobs that ended long ago, and uploads of processes that are gone. */
  async sweep(): Promise<void> {
    const now = this.clock().getTime()
    const before = (ms: number) => new Date(now - ms).toISOString()
    const ended = await this.database.query<JobKey>(rows.endedBefore(before(this.limits.keepMs)))
    for (const key of ended) await this.erase(key)
    const uploads = await this.database.query<JobKey & { holder: string }>(
      rows.uploadsBefore(before(UPLOAD_MS)),
    )
    for (const { holder, ...key } of uploads) {
      if (!(await this.database.isPresent(holder))) await this.erase(key, isUpload)
    }
  }

  /** @param isStill - asked in each transaction, until whose end its answer is true; otherwise nothing is deleted */
  private async erase(
    key: JobKey,
    isStill: (connection: Connection, key: JobKey) => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<void> {
    for (let deleted = TOGETHER; deleted === TOGETHER;) {
      deleted = await this.write(key, async (connection) =>
        (await isStill(connection, key)) ? connection.run(deleteSomeParts(key, TOGETHER)) : 0,
      )
    }
    await this.write(key, async (connection) => {
      if (await isStill(connection, key)) await connection.run(rows.deleteJob(key))
    })
  }

  private write<T>(key: JobKey, work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.database.write(work, laneOf(key))
  }

  private now(): string {
    return this.clock().toISOString()
  }
}

const workKey = ({ account, uid }: JobKey) => ({ home: homeOf(account), key: uid })

const newWork = (key: JobKey, payload: string, dueAt: Date): NewWork => ({
  ...workKey(key),
  ...{ owner: key.account, payload, dueAt },
})

/** Whether a job is cancelled, and nothing is left but to find out what its ledger has of it. */
const isFinal = ({ payload = '[]' }: Pick<WorkItem, 'payload'>): boolean =>
  (JSON.parse(payload) as string[])[1] === 'cancelled'

async function hasPending(connection: Connection, key: JobKey): Promise<boolean> {
  const [pending] = await connection.query<{ n: number | string }>(countPending(key))
  return Number(pending?.n) > 0
}

/** It may have become a job by a submission whose outcome was not known. */
const isUpload = async (connection: Connection, key: JobKey) =>
  (await connection.run(rows.growUpload(key, 0))) > 0

/** The checksum stands for the file, whose reasons are stored nowhere. */
const creationEntry = ({ id, rows: count, refused, dryRun, checksum, selects }: NewJob): AuditEntry => ({
  event: 'status-job-created',
  subject: id,
  detail: JSON.stringify(
    checksum === undefined ? { dryRun, ...selects } : { dryRun, rows: count, refused, checksum },
  ),
})

const discarded = () =>
  new AgentError('unavailable', 'the job was interrupted before it was complete; try again')

const tooMany = (most: number) =>
  problemsError('invalid_input', [
    { path: 'jobId', message: `is refused: the account has ${most} jobs that have not ended, the maximum` },
  ])
