import type { IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import type { Account } from './account.js'
import type { ToldChange } from './account-events.js'
import type { JobEffect } from './effects.js'
import type { NextPage, PageRange } from './paging.js'
import type { GrantSource } from './rights-of-now.js'
import type * as schemas from './schemas/index.js'
import type { NamedVersion, WithVersion } from './with-version.js'

export type StatusListJob = z.output<typeof schemas.StatusListJob>
export type StatusListJobRow = z.output<typeof schemas.StatusListJobRow>
export type StatusListJobRequest = z.output<typeof schemas.StatusListJobRequest>
export type StatusListJobCreateArgs = z.output<typeof schemas.StatusListJobCreateArgs>
export type StatusListJobListArgs = z.output<typeof schemas.StatusListJobListArgs>
export type StatusListJobPage = z.output<typeof schemas.StatusListJobPage>
export type StatusListJobReportArgs = z.output<typeof schemas.StatusListJobReportArgs>
export type StatusListJobReport = z.output<typeof schemas.StatusListJobReport>
export type RefusedJobRow = z.output<typeof schemas.RefusedJobRow>

export type StatusListJobUploadArgs = Omit<z.output<typeof schemas.StatusListJobUploadArgs>, 'content'> & {
  content: AsyncIterable<Uint8Array>
}

/** Mass changes of the status of credentials, for the account in scope. */
export interface IStatusListJobs extends IPluginMethodMap {
  /**
   * Creates a job from a file of rows, which is read as it arrives and never held as a whole. Rows that cannot be
   * applied are refused individually. If the file ends early or cannot be read, there is no job.
   *
   * @throws AgentError `malformed_body` if it is not such a file, `body_too_large`, `forbidden`, `invalid_input`, `job_exists`,
   *   and whatever the stream throws
   */
  statusListJobUpload(args: StatusListJobUploadArgs): Promise<StatusListJob>
  /** @throws AgentError `invalid_input`, `key_not_found`, `job_exists`, `forbidden` */
  statusListJobCreate(args: StatusListJobCreateArgs): Promise<StatusListJob>
  /** @throws AgentError `job_not_found` */
  statusListJobGet(args: { id: string }): Promise<StatusListJob>
  /** @throws AgentError `invalid_input` */
  statusListJobList(args: StatusListJobListArgs): Promise<StatusListJobPage>
  /** @throws AgentError `job_not_found`, `invalid_input` */
  statusListJobReport(args: StatusListJobReportArgs): Promise<StatusListJobReport>
  /**
   * Takes effect before the next version; an ended job stays as it is. Needs the rights and networks of the job.
   *
   * @throws AgentError `job_not_found`, `forbidden`
   */
  statusListJobPause(args: { id: string }): Promise<StatusListJob>
  /** Needs what pausing needs. The job then belongs to the caller. @throws AgentError `job_not_found`, `forbidden` */
  statusListJobResume(args: { id: string }): Promise<StatusListJob>
  /**
   * For good, before the next version. Needs what pausing needs. What was handed to a ledger is found out, and counted, before it ends.
   *
   * @throws AgentError `job_not_found`, `forbidden`, `not_possible` if it is done or has failed
   */
  statusListJobCancel(args: { id: string }): Promise<StatusListJob>
  /** For the start of a server: it needs no scope. */
  statusListJobsContinue(args: {}): Promise<{ begun: number }>
}

/** What a part of a job contains: rows to apply, refused rows, what the job is to select, or a {@link PendingStep}. */
export type JobPartKind = 'rows' | 'refused' | 'request' | 'pending'

/** Some rows of a job, as one text, which is sealed at rest. */
export interface NewJobPart {
  kind: JobPartKind
  /** rows of one list have the same number */
  list: number
  content: string
}

export interface JobPart extends NewJobPart {
  /** position among the parts of its job; later parts have greater ones */
  place: number
}

/** Whose job it is: of whoever ordered or last resumed it. What runs has these networks at most. */
export interface JobGrant extends GrantSource {
  networks?: readonly string[]
}

/** How a job was ordered, and so what whoever repeats, pauses, resumes or cancels it must be allowed. */
export interface JobOrder {
  form: 'csv' | 'ndjson' | 'json'
  effects: readonly JobEffect[]
  /** where its rows write; absent: on every network */
  networks?: readonly string[]
}

/** A job as it is stored. */
export interface StoredJob {
  account: Account
  /** identifies it in the store */
  uid: string
  /** as callers name it */
  id: string
  state: StatusListJob['state']
  dryRun: boolean
  rows: number
  applied: number
  refused: number
  /** SHA-256 of its file, in hex; absent: its rows come from the register */
  checksum?: string
  /** where the selection from the register continues; `null`: all rows are known */
  selectAfter: string | null
  /** how many parts it has got so far */
  parts: number
  order: JobOrder
  grant?: JobGrant
  failure?: string
  createdAt: string
  endedAt?: string
}

/** A job whose rows are all stored. */
export interface NewJob extends Pick<
  StoredJob,
  'id' | 'dryRun' | 'rows' | 'refused' | 'checksum' | 'selectAfter' | 'order' | 'grant'
> {
  /** what it selects, for the audit trail */
  selects?: Readonly<Record<string, string>>
}

/** A step of a job, recorded in one transaction. */
export interface JobStep {
  /** added to what was counted before */
  rows?: number
  applied?: number
  refused?: number
  selectAfter?: string | null
  /** new parts, appended in order */
  parts?: readonly NewJobPart[]
  /** parts that are left with other content */
  changed?: readonly JobPart[]
  /** parts that are done with */
  done?: readonly JobPart[]
}

/** A step whose version was handed to a ledger: it is recorded once the version is known to be made. */
export interface PendingStep {
  version: NamedVersion
  step: JobStep
}

/** A job that this process works on, until another one takes over. */
export interface HeldJob {
  /** as of its last step */
  readonly current: StoredJob
  /** failures since its last step */
  readonly failures: number
  /**
   * Records a step. What was recorded with its version is not recorded again, and what was pending is not any more.
   *
   * @throws OverdueWorkError if another process has the job
   */
  step(step: JobStep): Promise<void>
  /** A step that applies rows, to be recorded with the version that contains them. */
  stepWithVersion(step: JobStep): WithVersion
  /** Pauses the job, as its rights have ended, unless somebody resumes it meanwhile. */
  suspend(failure: string): Promise<void>
  /** Ends the job, together with its event. @returns `false` if another process has it */
  end(outcome: JobOutcome, told?: ToldChange): Promise<boolean>
}

/** How a job ends. */
export interface JobOutcome {
  state: 'done' | 'failed' | 'cancelled'
  failure?: string
}

/** What depends on whoever acts upon a job, and what is told of it. */
export interface JobRights {
  /** @throws AgentError `forbidden` if it must not be repeated, paused, resumed or cancelled by the caller */
  demand(job: StoredJob): void
  /** Whose job it is once the caller has resumed it. */
  grantOf(job: StoredJob): JobGrant | undefined
  /** What is told of its end. */
  toldOf(job: StoredJob, outcome: JobOutcome): ToldChange | undefined
  /** Counts one that was cancelled. */
  cancelled(): void
}

/** The jobs of accounts, with their rows. Everything is durable when a method resolves. */
export interface StatusListJobs {
  /**
   * Begins a job of the account in scope that nobody sees before it is submitted.
   *
   * @returns its `uid`
   * @throws AgentError `invalid_input` if the account has too many jobs that have not ended
   */
  begin(): Promise<string>
  /** Appends parts to a job that is not submitted. @throws AgentError `unavailable` if it was discarded */
  add(uid: string, parts: readonly NewJobPart[]): Promise<void>
  /** @returns the job; another one if the account has one of this id already, and then the new one is discarded */
  submit(uid: string, job: NewJob): Promise<StoredJob>
  discard(uid: string): Promise<void>
  /** A job of the account in scope. */
  find(id: string): Promise<StoredJob | undefined>
  /** Jobs of the account in scope, the newest first. */
  list(
    search: Pick<StatusListJobListArgs, 'state'>,
    page: PageRange,
  ): Promise<{ items: StoredJob[] } & NextPage>
  /** Asks for rights wherever somebody acts upon a job. */
  own(rights: JobRights): void
  /** @returns the job as it is now */
  pause(job: StoredJob): Promise<StoredJob | undefined>
  /** @param grant - of whoever resumes it, whose job it is from now on */
  resume(job: StoredJob, grant: JobGrant | undefined): Promise<StoredJob | undefined>
  /** Its rows are not applied any more; whoever works on it next ends it. @returns the job as it is now */
  cancel(job: StoredJob): Promise<StoredJob | undefined>
  /**
   * Works on jobs of all accounts, from the first call on, together with all processes that share the store.
   *
   * @param work - `apply`: one process at a time calls it for a job, again after an error, which `failed` gets, and after it has
   *   returned without having ended or paused the job
   */
  run(work: { apply: (job: HeldJob) => Promise<void>; failed: (error: unknown) => void }): void
  /** Leaves the rest to others. */
  stop(): Promise<void>
  /** Parts of a job in the order of their lists, then of their places. */
  parts(
    job: Pick<StoredJob, 'account' | 'uid'>,
    kind: JobPartKind,
    options: { most: number; after?: Pick<JobPart, 'list' | 'place'> },
  ): Promise<JobPart[]>
  /** Jobs of all accounts that wait or are worked on. */
  countOpen(): Promise<number>
}

/** A page of {@link StatusListJobReport}. */
export type JobReportPage = Pick<StatusListJobReport, 'refused'> & NextPage
