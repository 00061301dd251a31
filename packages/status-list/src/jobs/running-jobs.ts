import { setImmediate } from 'node:timers/promises'
import {
  AgentError,
  Counter,
  isAgentError,
  log,
  RepeatedPasses,
  runInAccountScope,
  SharedQueue,
  type AccountEventSink,
  type ILedgerChanges,
  type JobStep,
  type PendingStep,
  type RightsOfNow,
  type StatusListStore,
  type StoredJob,
} from '@vidimus/core-types'
import type { IAgentContext } from '@veramo/core-types'
import type { WritingContext } from '../agent-context.js'
import { JOB_ROWS, JOBS } from '../measurements.js'
import { runsAs } from './job-order.js'
import { applyNext, ListPreview, type Applying } from './applied-rows.js'
import { selectNext } from './selected-rows.js'

/** The pause between two looks for jobs of others, in milliseconds. */
const PAUSE_MS = 5000
/** Jobs that this process works on at the same time, and of these of one account. */
const MOST_AT_ONCE = 2
const SHARE = 1
/** After a failure it is tried again after this time, doubled each time, in milliseconds. */
const RETRY_MS = { first: 5000, most: 600_000 }
/** Versions that a step was handed to a ledger with: more than the engine tries. */
const MOST_PENDING = 100
/** An error that is none of ours ends a job after so many attempts. */
const MOST_ATTEMPTS = 10

interface RunningParts extends Omit<Applying, 'context' | 'preview'> {
  store: StatusListStore
  events: AccountEventSink | undefined
  /** absent: a job keeps the rights that it was ordered with */
  rights: RightsOfNow | undefined
  clock: () => Date
}

/**
 * Works on jobs in the background, in every process that shares the store. A job belongs to one process at a time,
 * which is identified by its presence; when that is gone, any other continues where the job is.
 */
export class RunningJobs {
  readonly ended = new Counter(JOBS, [['done'], ['failed']])
  readonly counted = new Counter(JOB_ROWS, [['applied'], ['refused']])
  private readonly queue = new SharedQueue(MOST_AT_ONCE, SHARE)
  private readonly passes = new RepeatedPasses({
    work: 'mass changes of status lists',
    pauseMs: PAUSE_MS,
    soonMs: 50,
  })
  private readonly underWay = new Map<string, Promise<void>>()
  private stopping = false

  constructor(private readonly parts: RunningParts) {}

  /** Begins to look from time to time. @returns how many jobs the first look has found */
  begin(context: WritingContext): Promise<number> {
    this.repeat(context)
    return this.pass(context)
  }

  /** There is a job. */
  soon(context: WritingContext): void {
    this.repeat(context)
    this.passes.soon()
  }

  /** Waits for the versions that are being published; the rest of their jobs is left to others. */
  async stop(): Promise<void> {
    this.stopping = true
    await this.passes.stop()
    await Promise.all(this.underWay.values())
  }

  private repeat(context: WritingContext): void {
    this.passes.begin(() => this.pass(context))
  }

  private async pass(context: WritingContext): Promise<number> {
    const due = await this.parts.store.jobs.due(this.parts.clock())
    const found = due.filter(({ uid }) => !this.underWay.has(uid))
    for (const job of found) {
      const running = this.queue
        .run(job.account.id, () => this.run(job, context))
        .finally(() => this.underWay.delete(job.uid))
      this.underWay.set(job.uid, running)
    }
    return found.length
  }

  /** Never rejects: what fails is tried again later. */
  private async run(found: StoredJob, context: WritingContext): Promise<void> {
    const { jobs } = this.parts.store
    let job: StoredJob | undefined
    try {
      job = this.stopping ? undefined : await jobs.claim(found)
      if (!job) return
      await this.steps(job, context)
    } catch (error) {
      if (job) await this.fail(job, error)
      else log('warn', 'a job could not be continued, and will be retried', {}, error)
    }
  }

  private async steps(claimed: StoredJob, context: WritingContext): Promise<void> {
    const { jobs } = this.parts.store
    const applying = { ...this.parts, context, preview: new ListPreview() }
    let job = await runInAccountScope(claimed.account, () => this.settlePending(claimed, context))
    while (job) {
      if (this.stopping || job.state === 'paused') return jobs.release(job)
      // As they are now: whoever ordered it may have lost them since the last version.
      const rights = await runsAs(job, this.parts.rights)
      if ('failure' in rights) return jobs.suspend(job, rights.failure)
      const current: StoredJob = job
      const next = await runInAccountScope(rights.as, () => this.nextStep(current, applying))
      if (!next) return this.end(job, 'done')
      job = await this.stepped(job, next)
      // Requests come first.
      await setImmediate()
    }
  }

  /**
   * A step that was handed to a ledger is done if one of its versions was made.
   *
   * @throws AgentError `ledger_unavailable` as long as one may still be made
   */
  private async settlePending(job: StoredJob, context: WritingContext): Promise<StoredJob | undefined> {
    const { jobs } = this.parts.store
    const parts = await jobs.parts(job, 'pending', { most: MOST_PENDING })
    if (parts.length === 0) return job
    const { agent } = context as unknown as IAgentContext<ILedgerChanges>
    let isOpen = false
    for (const { content } of parts) {
      const { version, step } = JSON.parse(content) as PendingStep
      const { fate } = await agent.ledgerChangeFate(version)
      if (fate === 'happened') return this.stepped(job, step)
      isOpen ||= fate === 'open'
    }
    if (isOpen) throw new AgentError('ledger_unavailable', 'the ledger has not yet reported the last version')
    return jobs.step(job, {})
  }

  private async stepped(job: StoredJob, step: JobStep): Promise<StoredJob | undefined> {
    const stored = await this.parts.store.jobs.step(job, step)
    this.counted.add(step.applied ?? 0, 'applied')
    this.counted.add(step.refused ?? 0, 'refused')
    return stored
  }

  private nextStep(job: StoredJob, applying: Applying): Promise<JobStep | undefined> {
    return job.selectAfter === null ? applyNext(job, applying) : selectNext(job, applying)
  }

  private async fail(job: StoredJob, error: unknown): Promise<void> {
    const isOurs = isAgentError(error)
    const failure = isOurs ? error.message : 'an unexpected error; see the log'
    log('warn', 'a job could not continue', { attempts: job.attempts + 1 }, error)
    try {
      const { jobs } = this.parts.store
      if (!isOurs && job.attempts + 1 >= MOST_ATTEMPTS) {
        return await this.end(job, 'failed', failure)
      }
      const ms = Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** job.attempts)
      await jobs.wait(job, failure, new Date(this.parts.clock().getTime() + ms))
    } catch (cause) {
      log('warn', 'the failure of a job could not be recorded', {}, cause)
    }
  }

  private async end(job: StoredJob, state: 'done' | 'failed', failure?: string): Promise<void> {
    const { store, events } = this.parts
    const { id, dryRun, rows, applied, refused } = job
    const data = { state, dryRun, rows, applied, refused, ...(failure !== undefined && { failure }) }
    const told = events && { events, event: { type: 'job.ended' as const, subject: id, data } }
    const outcome = { state, ...(failure !== undefined && { failure }) }
    const isEnded = await runInAccountScope(job.account, () => store.jobs.end(job, outcome, told))
    if (isEnded) this.ended.add(1, state)
  }
}
