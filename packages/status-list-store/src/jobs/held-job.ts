import {
  OverdueWorkError,
  queueName,
  tellAccount,
  type AuditRows,
  type HeldJob,
  type JobOutcome,
  type JobStep,
  type NamedVersion,
  type NewJobPart,
  type PendingStep,
  type StoredJob,
  type ToldChange,
  type WithVersion,
} from '@vidimus/core-types'
import type { Connection, Database } from '@vidimus/database'
import { NEVER, type HeldWork, type WorkEnd, type WorkItem } from '@vidimus/work'
import {
  countPending,
  deleteParts,
  deletePending,
  packParts,
  type JobKey,
  type JobParts,
  type PackedPart,
} from './job-parts.js'
import * as rows from './job-rows.js'

export interface JobSources {
  database: Database
  kept: JobParts
  clock: () => Date
  audit: AuditRows | undefined
}

/** The job of an item of work. */
export const itemJob = ({ owner, key }: Pick<WorkItem, 'owner' | 'key'>): JobKey => ({
  account: owner,
  uid: key,
})

/** What its item tells of a job: its id, and whether it is cancelled. */
export const payloadOf = ({ id, state }: Pick<StoredJob, 'id'> & Partial<Pick<StoredJob, 'state'>>): string =>
  JSON.stringify(state === 'cancelled' ? [id, state] : [id])

/** Who tells a change in the transaction that makes it. */
export const tellerIn = (database: Database, { events: { within } }: ToldChange) =>
  within?.database === database ? within : undefined

/** In which lane a job is written. */
export const laneOf = ({ uid }: JobKey) => ({ lane: queueName('job', uid) })

/** A job in this process: nothing of it is recorded once another process has claimed it. */
export class JobInWork implements HeldJob {
  failures: number
  private readonly key: JobKey

  private constructor(
    private readonly sources: JobSources,
    private readonly held: HeldWork,
    public current: StoredJob,
  ) {
    this.failures = held.item.attempts
    this.key = itemJob(held.item)
  }

  /** @returns `undefined` if it is another process's by now, or there is no such job */
  static async begin(sources: JobSources, held: HeldWork): Promise<JobInWork | undefined> {
    const key = itemJob(held.item)
    const job = await sources.database.write(async (connection) => {
      if (!(await held.isHeld(connection))) return undefined
      await connection.run(rows.beginJob(key))
      return rows.findJob(connection, key)
    }, laneOf(key))
    return job && new JobInWork(sources, held, job)
  }

  async step(step: JobStep): Promise<void> {
    const packed = await packStep(this.current, step)
    const stored = await this.write(async (connection) => {
      await this.held.demand(connection)
      await this.record(connection, packed)
      return rows.findJob(connection, this.key)
    })
    if (!stored) throw this.held.overdue()
    this.current = stored
    this.failures = 0
  }

  stepWithVersion(step: JobStep): WithVersion {
    const packed = packStep(this.current, step)
    const { sources, held, key } = this
    const record: WithVersion = {
      database: sources.database,
      made: async (transaction) => {
        const isRecorded =
          (await held.continues(transaction)) && (await this.record(transaction as Connection, await packed))
        if (!isRecorded) throw new OverdueWorkError(record)
      },
      handedOver: async (transaction, version) => {
        const connection = transaction as Connection
        if (!(await held.isHeld(transaction))) throw new OverdueWorkError(record)
        const [earlier] = await connection.query<{ n: number | string }>(countPending(key))
        const pending = await packParts([pendingPart(version, step)])
        await sources.kept.insert(connection, key, pending, Number(earlier?.n))
      },
    }
    return record
  }

  async suspend(failure: string): Promise<void> {
    const { account, id: subject } = this.current
    await this.write(async (connection) => {
      if ((await this.held.settle(connection, this.again(NEVER))) !== 'settled') return
      await connection.run(rows.suspendJob(this.key, failure))
      const entry = { event: 'job-paused', subject, detail: failure } as const
      await this.sources.audit?.recordWithin(connection, entry, { accountId: account.id })
    })
  }

  async end(outcome: JobOutcome, told?: ToldChange): Promise<boolean> {
    const { database, clock } = this.sources
    const within = told && tellerIn(database, told)
    const isEnded = await this.write(async (connection) => {
      if ((await this.held.settle(connection, {})) === 'lost') return false
      await connection.run(rows.endJob(this.key, outcome, clock().toISOString()))
      if (told) within?.tell(connection, told.event)
      return true
    })
    if (isEnded && told && !within) await tellAccount(told.events, told.event, 'of the end of a job')
    return isEnded
  }

  /** How its item goes on unless it has ended: it keeps its place among those that wait. */
  get left(): WorkEnd {
    const { state, createdAt } = this.current
    return this.again(state === 'paused' ? NEVER : new Date(createdAt))
  }

  private again(dueAt: Date): WorkEnd {
    const payload = payloadOf(this.current)
    return { again: { dueAt, payload }, askedPayload: payload }
  }

  /** @returns `false` if it was recorded before */
  private async record(connection: Connection, { job, step, parts, changed }: PackedStep): Promise<boolean> {
    const { key } = this
    if ((await connection.run(rows.stepJob(job, step))) === 0) return false
    const { kept } = this.sources
    await kept.insert(connection, key, parts, job.parts)
    await kept.replace(connection, key, step.changed ?? [], changed)
    if (step.done && step.done.length > 0) connection.send(deleteParts(key, step.done))
    connection.send(deletePending(key))
    return true
  }

  private write<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.sources.database.write(work, laneOf(this.key))
  }
}

/** A step after that of `job`, whose new and changed parts are compressed, outside of the transaction. */
interface PackedStep {
  job: StoredJob
  step: JobStep
  parts: readonly PackedPart[]
  changed: readonly PackedPart[]
}

async function packStep(job: StoredJob, step: JobStep): Promise<PackedStep> {
  const [parts, changed] = await Promise.all([packParts(step.parts ?? []), packParts(step.changed ?? [])])
  return { job, step, parts, changed }
}

/** Without the content of what is deleted then. */
function pendingPart(version: NamedVersion, step: JobStep): NewJobPart {
  const { kind, did, versionId } = version
  const done = step.done?.map((part) => ({ ...part, content: '' }))
  const pending: PendingStep = { version: { kind, did, versionId }, step: { ...step, ...(done && { done }) } }
  return { kind: 'pending', list: 0, content: JSON.stringify(pending) }
}
