import { setImmediate } from 'node:timers/promises'
import {
  AgentError,
  Counter,
  isAgentError,
  log,
  runInAccountScope,
  type AccountEventSink,
  type HeldJob,
  type ILedgerChanges,
  type JobOutcome,
  type JobStep,
  type PendingStep,
  type RightsOfNow,
  type StatusListStore,
  type StoredJob,
  type ToldChange,
} from '@vidimus/core-types'
import type { IAgentContext } from '@veramo/core-types'
import type { WritingContext } from '../agent-context.js'
import { JOB_ROWS, JOBS } from '../measurements.js'
import { runsAs } from './job-order.js'
import { applyNext, ListPreview, type Applying } from './applied-rows.js'
import { selectNext } from './selected-rows.js'

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

/** Works on jobs in the background, in every process that shares the store. */
export class RunningJobs {
  readonly ended = new Counter(JOBS, [['done'], ['failed'], ['cancelled']])
  readonly counted = new Counter(JOB_ROWS, [['applied'], ['refused']])
  private stopping = false

  constructor(private readonly parts: RunningParts) {}

  /** Works on them from the first call on. */
  begin(context: WritingContext): void {
    if (this.stopping) return
    this.parts.store.jobs.run({
      apply: (job) => this.apply(job, context),
      failed: (error) => log('warn', 'a job could not continue', {}, error),
    })
  }

  /** Waits for the versions that are being published; the rest of their jobs is left to others. */
  stop(): Promise<void> {
    this.stopping = true
    return this.parts.store.jobs.stop()
  }

  private async apply(job: HeldJob, context: WritingContext): Promise<void> {
    try {
      await this.steps(job, context)
    } catch (error) {
      if (isAgentError(error) || job.failures + 1 < MOST_ATTEMPTS) throw error
      log('warn', 'a job has failed', { attempts: job.failures + 1 }, error)
      const state = job.current.state === 'cancelled' ? 'cancelled' : 'failed'
      await this.end(job, state, 'an unexpected error; see the log')
    }
  }

  private async steps(job: HeldJob, context: WritingContext): Promise<void> {
    const applying = { ...this.parts, context, preview: new ListPreview() }
    await runInAccountScope(job.current.account, () => this.settlePending(job, context))
    if (job.current.state === 'cancelled') return this.end(job, 'cancelled')
    while (!this.stopping && job.current.state !== 'paused') {
      // As they are now: whoever ordered it may have lost them since the last version.
      const rights = await runsAs(job.current, this.parts.rights)
      if ('failure' in rights) return job.suspend(rights.failure)
      const next = await runInAccountScope(rights.as, () => nextStep(job, applying))
      if (!next) return this.end(job, 'done')
      await this.step(job, next)
      // Requests come first.
      await setImmediate()
    }
  }

  /**
   * A step that was handed to a ledger is done if one of its versions was made.
   *
   * @throws AgentError `ledger_unavailable` as long as one may still be made
   */
  private async settlePending(job: HeldJob, context: WritingContext): Promise<void> {
    const parts = await this.parts.store.jobs.parts(job.current, 'pending', { most: MOST_PENDING })
    if (parts.length === 0) return
    const { agent } = context as unknown as IAgentContext<ILedgerChanges>
    let isOpen = false
    for (const { content } of parts) {
      const { version, step } = JSON.parse(content) as PendingStep
      const { fate } = await agent.ledgerChangeFate(version)
      if (fate === 'happened') return this.step(job, step)
      isOpen ||= fate === 'open'
    }
    if (isOpen) throw new AgentError('ledger_unavailable', 'the ledger has not yet reported the last version')
    await job.step({})
  }

  private async step(job: HeldJob, step: JobStep): Promise<void> {
    await job.step(step)
    this.counted.add(step.applied ?? 0, 'applied')
    this.counted.add(step.refused ?? 0, 'refused')
  }

  /** What is told of the end of a job. */
  toldOf({ id, dryRun, rows, applied, refused }: StoredJob, outcome: JobOutcome): ToldChange | undefined {
    const { events } = this.parts
    const data = { ...outcome, dryRun, rows, applied, refused }
    return events && { events, event: { type: 'job.ended', subject: id, data } }
  }

  private async end(job: HeldJob, state: JobOutcome['state'], failure?: string): Promise<void> {
    const outcome = { state, ...(failure !== undefined && { failure }) }
    const told = this.toldOf(job.current, outcome)
    const isEnded = await runInAccountScope(job.current.account, () => job.end(outcome, told))
    // Those were counted when they were cancelled.
    if (isEnded && state !== 'cancelled') this.ended.add(1, state)
  }
}

const nextStep = (job: HeldJob, applying: Applying): Promise<JobStep | undefined> =>
  job.current.selectAfter === null ? applyNext(job, applying) : selectNext(job.current, applying)
