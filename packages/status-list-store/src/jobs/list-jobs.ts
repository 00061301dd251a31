import { randomUUID } from 'node:crypto'
import {
  AgentError,
  askedGauge,
  changedOnce,
  currentAccount,
  currentActor,
  OverdueWorkError,
  problemsError,
  tellAccount,
  type AuditEntry,
  type AuditRows,
  type JobGrant,
  type JobPartKind,
  type JobStep,
  type KeyEnvelope,
  type Measurement,
  type NewJob,
  type NamedVersion,
  type NewJobPart,
  type PendingStep,
  type StatusListJobs,
  type StoredJob,
  type ToldChange,
  queueName,
  type WithVersion,
} from '@vidimus/core-types'
import { isUniqueViolation, sql, type Connection, type Database, type Sql } from '@vidimus/database'
import { OPEN_JOBS } from '../measurements.js'
import {
  countPending,
  deleteParts,
  deletePending,
  deleteSomeParts,
  JobParts,
  packParts,
  type JobKey,
  type PackedPart,
} from './job-parts.js'
import * as rows from './job-rows.js'

/** Parts in one transaction, so that others wait only briefly. */
const TOGETHER = 50
/** An upload of a process that is gone is deleted after this time, in milliseconds. */
const UPLOAD_MS = 60_000

interface JobLimits {
  /** of an account at the same time */
  mostOpen: number
  /** how long an ended job is kept */
  keepMs: number
}

/** Mass changes of status lists, and their rows. */
export class ListJobs implements StatusListJobs {
  readonly parts: StatusListJobs['parts']
  readonly kept: JobParts
  readonly measurements: readonly Measurement[]

  constructor(
    private readonly database: Database,
    envelope: KeyEnvelope,
    private readonly limits: JobLimits,
    private readonly clock: () => Date,
    private readonly audit?: AuditRows,
  ) {
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
        if ((await connection.run(rows.submitUpload(key, job, this.now()))) === 0) throw discarded()
        await this.audit?.recordWithin(connection, creationEntry(job), actor)
      })
    } catch (error) {
      if (!isUniqueViolation(error, 'status_list_job')) throw error
      await this.discard(uid)
    }
    const stored = await this.find(job.id)
    if (!stored) throw discarded()
    return stored
  }

  async discard(uid: string): Promise<void> {
    await this.erase({ account: currentAccount().id, uid }, isUpload)
  }

  find(id: string): Promise<StoredJob | undefined> {
    return rows.findJob(this.database, { account: currentAccount().id, id })
  }

  pause(id: string): Promise<StoredJob | undefined> {
    return this.change(id, 'job-paused', rows.pauseJob(currentAccount().id, id))
  }

  resume(id: string, grant: JobGrant | undefined): Promise<StoredJob | undefined> {
    return this.change(id, 'job-resumed', rows.resumeJob(currentAccount().id, id, grant, this.now()))
  }

  async suspend(job: StoredJob, failure: string): Promise<void> {
    const actor = { accountId: job.account.id }
    const entry = { event: 'job-paused', subject: job.id, detail: failure } as const
    await this.write(jobKey(job), async (connection) => {
      const changed = await connection.run(rows.suspendJob(job, failure))
      if (changed > 0) await this.audit?.recordWithin(connection, entry, actor)
    })
  }

  due(now: Date): Promise<StoredJob[]> {
    return rows.dueJobs(this.database, now)
  }

  async claim(job: StoredJob): Promise<StoredJob | undefined> {
    const own = await this.database.presence()
    const { holder } = job
    if (holder !== null && holder !== own && (await this.database.isPresent(holder))) return undefined
    return this.write(jobKey(job), async (connection) => {
      const claimed = await connection.run(rows.claimJob(job, own))
      return claimed === 1 ? rows.findJob(connection, jobKey(job)) : undefined
    })
  }

  async step(job: StoredJob, step: JobStep): Promise<StoredJob | undefined> {
    const packed = await packStep(step)
    return this.write(jobKey(job), async (connection) => {
      await this.record(connection, job, packed)
      const stored = await rows.findJob(connection, jobKey(job))
      return stored?.holder === job.holder ? stored : undefined
    })
  }

  stepWithVersion(job: StoredJob, step: JobStep): WithVersion {
    const packed = packStep(step)
    const key = jobKey(job)
    const record: WithVersion = {
      database: this.database,
      made: async (transaction) => {
        const isRecorded = await this.record(transaction as Connection, job, await packed)
        if (!isRecorded) throw new OverdueWorkError(record)
      },
      handedOver: async (transaction, version) => {
        const connection = transaction as Connection
        if ((await connection.run(rows.lockStep(job))) === 0) throw new OverdueWorkError(record)
        const [earlier] = await connection.query<{ n: number | string }>(countPending(key))
        const pending = await packParts([pendingPart(version, step)])
        await this.kept.insert(connection, key, pending, Number(earlier?.n))
      },
    }
    return record
  }

  /** @returns whether it was this step's turn; otherwise it was recorded before, or another process has the job */
  private async record(
    connection: Connection,
    job: StoredJob,
    { step, parts, changed }: PackedStep,
  ): Promise<boolean> {
    const key = jobKey(job)
    if ((await connection.run(rows.stepJob(job, step, this.now()))) === 0) return false
    await this.kept.insert(connection, key, parts, job.parts)
    await this.kept.replace(connection, key, step.changed ?? [], changed)
    if (step.done && step.done.length > 0) connection.send(deleteParts(key, step.done))
    connection.send(deletePending(key))
    return true
  }

  async wait(job: StoredJob, failure: string, until: Date): Promise<void> {
    await this.run(job, rows.waitWithJob(job, failure, until.toISOString()))
  }

  async release(job: StoredJob): Promise<void> {
    await this.run(job, rows.releaseJob(job))
  }

  async end(
    job: StoredJob,
    { state, failure }: { state: 'done' | 'failed'; failure?: string },
    told?: ToldChange,
  ): Promise<boolean> {
    const within = told?.events.within?.database === this.database ? told.events.within : undefined
    const isEnded = await this.write(jobKey(job), async (connection) => {
      if ((await connection.run(rows.endJob(job, state, failure, this.now()))) === 0) return false
      if (told) within?.tell(connection, told.event)
      return true
    })
    if (isEnded && told && !within) await tellAccount(told.events, told.event, 'of the end of a job')
    return isEnded
  }

  async countOpen(): Promise<number> {
    const [row] = await this.database.query<{ n: number | string }>(
      sql`SELECT COUNT(*) AS "n" FROM "status_list_job" WHERE "next_look_at" IS NOT NULL`,
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

  private async change(
    id: string,
    event: 'job-paused' | 'job-resumed',
    statement: Sql,
  ): Promise<StoredJob | undefined> {
    const actor = currentActor()
    await changedOnce<void>(this.database, [event, id], (record) =>
      this.database.write(async (connection) => {
        const changed = await connection.run(statement)
        if (changed > 0) await this.audit?.recordWithin(connection, { event, subject: id }, actor)
        await record(connection)
      }),
    )
    return this.find(id)
  }

  private run(job: StoredJob, statement: Sql): Promise<number> {
    return this.write(jobKey(job), (connection) => connection.run(statement))
  }

  private write<T>({ uid }: JobKey, work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.database.write(work, { lane: queueName('job', uid) })
  }

  private now(): string {
    return this.clock().toISOString()
  }
}

const jobKey = ({ account, uid }: Pick<StoredJob, 'account' | 'uid'>): JobKey => ({
  account: account.id,
  uid,
})

/** It may have become a job by a submission whose outcome was not known. */
const isUpload = async (connection: Connection, key: JobKey) =>
  (await connection.run(rows.growUpload(key, 0))) > 0

/** A step whose new and changed parts are compressed, outside of the transaction. */
interface PackedStep {
  step: JobStep
  parts: readonly PackedPart[]
  changed: readonly PackedPart[]
}

async function packStep(step: JobStep): Promise<PackedStep> {
  const [parts, changed] = await Promise.all([packParts(step.parts ?? []), packParts(step.changed ?? [])])
  return { step, parts, changed }
}

/** Without the content of what is deleted then. */
function pendingPart(version: NamedVersion, step: JobStep): NewJobPart {
  const { kind, did, versionId } = version
  const done = step.done?.map((part) => ({ ...part, content: '' }))
  const pending: PendingStep = { version: { kind, did, versionId }, step: { ...step, ...(done && { done }) } }
  return { kind: 'pending', list: 0, content: JSON.stringify(pending) }
}

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
