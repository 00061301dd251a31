import { randomUUID } from 'node:crypto'
import type { IAgentContext, IKeyManager } from '@veramo/core-types'
import {
  checkArguments,
  countWithin,
  currentCaller,
  findKeyRow,
  PAGES,
  placeText,
  problemsError,
  readPage,
  readPlace,
  requireEffect,
  type IssuedQuery,
  type JobOrder,
  type JobRights,
  type RefusedJobRow,
  type StatusListJob,
  type StatusListJobCreateArgs,
  type StatusListJobListArgs,
  type StatusListJobPage,
  type StatusListJobReport,
  type StatusListJobReportArgs,
  type StatusListJobUploadArgs,
  type StatusListStore,
  type StoredJob,
} from '@vidimus/core-types'
import { statusListJobMethods as described } from '@vidimus/core-types/schemas'
import type { WritingContext } from '../agent-context.js'
import { callersGrant, demandRightsOf, otherJob, resumersGrant } from './job-order.js'
import { JobUploads } from './job-uploads.js'
import { refusedIn } from './job-parts.js'
import type { TargetSources } from './job-targets.js'
import { RunningJobs } from './running-jobs.js'
import { storedSelection, type Selection } from './selected-rows.js'

/** The key of a request is looked up. */
export type JobContext = WritingContext & IAgentContext<Pick<IKeyManager, 'keyManagerGet'>>

type MethodParts = ConstructorParameters<typeof RunningJobs>[0] & { mostRows: number }

/** Mass changes of the status of credentials. */
export class JobMethods {
  private readonly uploads: JobUploads
  private readonly running: RunningJobs

  constructor(private readonly parts: MethodParts) {
    this.uploads = new JobUploads(parts.store.jobs, parts.mostRows)
    this.running = new RunningJobs(parts)
    const toldOf: JobRights['toldOf'] = (job, outcome) => this.running.toldOf(job, outcome)
    const cancelled = () => this.running.ended.add(1, 'cancelled')
    parts.store.jobs.own({ demand: demandRightsOf, grantOf: resumersGrant, toldOf, cancelled })
  }

  get methods() {
    return {
      statusListJobUpload: (args: StatusListJobUploadArgs, context: JobContext) => this.upload(args, context),
      statusListJobCreate: (args: StatusListJobCreateArgs, context: JobContext) => this.create(args, context),
      statusListJobGet: (args: { id: string }) => this.named(args, (id) => this.store.jobs.find(id)),
      statusListJobList: (args: StatusListJobListArgs) => this.list(args),
      statusListJobReport: (args: StatusListJobReportArgs) => this.report(args),
      statusListJobPause: (args: { id: string }) => this.changed(args, (job) => this.store.jobs.pause(job)),
      statusListJobResume: async (args: { id: string }, context: JobContext) => {
        const job = await this.changed(args, (found) => this.store.jobs.resume(found, resumersGrant(found)))
        this.running.begin(context)
        return job
      },
      statusListJobCancel: async (args: { id: string }, context: JobContext) => {
        const job = await this.changed(args, async (found) =>
          demandCancelled(await this.store.jobs.cancel(found)),
        )
        this.running.begin(context)
        return job
      },
      statusListJobsContinue: async (_args: {}, context: JobContext) => {
        this.running.begin(context)
        return { begun: await this.store.jobs.countOpen() }
      },
    }
  }

  get measurements() {
    return [this.running.ended, this.running.counted]
  }

  stop(): Promise<void> {
    return this.running.stop()
  }

  private get store(): StatusListStore {
    return this.parts.store
  }

  private async upload(given: StatusListJobUploadArgs, context: JobContext): Promise<StatusListJob> {
    checkArguments(described.statusListJobUpload.arguments, given)
    const job = await this.uploads.upload(given, this.sources(context))
    this.running.begin(context)
    return shownJob(job)
  }

  /** {@inheritDoc @vidimus/core-types#IStatusListJobs.statusListJobCreate} */
  private async create(given: StatusListJobCreateArgs, context: JobContext): Promise<StatusListJob> {
    const args = checkArguments(described.statusListJobCreate.arguments, given)
    const { dryRun = false, action, reason } = args
    const jobId = args.jobId ?? currentCaller()?.run?.nextVersionId('job')
    requireEffect(`${action}-by-credential`)
    const selection = {
      query: await selected(args, context),
      action,
      ...(reason !== undefined && { reason }),
    }
    const { jobs } = this.store
    const known = jobId === undefined ? undefined : await jobs.find(jobId)
    if (known) return this.shown(await this.demandSame(known, selection, dryRun))
    const uid = await jobs.begin()
    await jobs.add(uid, [{ kind: 'request', list: 0, content: JSON.stringify(selection) }])
    const id = jobId ?? randomUUID()
    const { kid, issuedFrom = '', issuedUntil = '' } = args
    const selects = { action, ...(kid === undefined ? { issuedFrom, issuedUntil } : { kid }) }
    const { grant } = callersGrant()
    const effects: JobOrder['effects'] = [`${action}-by-credential`]
    const order = { form: 'json' as const, effects, ...(grant?.networks && { networks: grant.networks }) }
    const fresh = {
      id,
      dryRun,
      rows: 0,
      refused: 0,
      selectAfter: '',
      selects,
      order,
      ...(grant && { grant }),
    }
    const job = await jobs.submit(uid, fresh)
    this.running.begin(context)
    return this.shown(await this.demandSame(job, selection, dryRun))
  }

  /** @throws AgentError `job_exists` if the id belongs to another job, `forbidden` */
  private async demandSame(job: StoredJob, selection: Selection, dryRun: boolean): Promise<StoredJob> {
    if (job.checksum !== undefined || job.dryRun !== dryRun) throw otherJob(job)
    const stored = await storedSelection(job, this.store)
    if (JSON.stringify(stored) === JSON.stringify(selection)) return demandRightsOf(job)
    throw otherJob(job)
  }

  private async named(
    given: { id: string },
    find: (id: string) => Promise<StoredJob | undefined>,
  ): Promise<StatusListJob> {
    const { id } = checkArguments(described.statusListJobGet.arguments, given)
    return this.shown(demandJob(await find(id)))
  }

  /** Changes a job, for a caller with the rights of the job. */
  private changed(
    args: { id: string },
    change: (job: StoredJob) => Promise<StoredJob | undefined>,
  ): Promise<StatusListJob> {
    return this.named(args, async (id) => change(demandRightsOf(demandJob(await this.store.jobs.find(id)))))
  }

  private async shown(job: StoredJob): Promise<StatusListJob> {
    if (job.checksum !== undefined) return shownJob(job)
    const { reason } = await storedSelection(job, this.store)
    return { ...shownJob(job), ...(reason !== undefined && { reason }) }
  }

  private async list(given: StatusListJobListArgs): Promise<StatusListJobPage> {
    const { state, ...page } = checkArguments(described.statusListJobList.arguments, given)
    const { items, ...rest } = await this.store.jobs.list({ state }, readPage(page))
    return { jobs: items.map(shownJob), ...rest }
  }

  private async report(given: StatusListJobReportArgs): Promise<StatusListJobReport> {
    const { id, ...page } = checkArguments(described.statusListJobReport.arguments, given)
    const { limit, after } = readPage(page)
    const [place, from] = after === undefined ? [-1, 0] : readPlace(after, 2).map((text) => Number(text) || 0)
    const job = demandJob(await this.store.jobs.find(id))
    const refused: RefusedJobRow[] = []
    let next: string | undefined
    let behind = { list: 0, place: (place ?? 0) - (after === undefined ? 0 : 1) }
    let skipped = from ?? 0
    for (;;) {
      const [part] = await this.store.jobs.parts(job, 'refused', { most: 1, after: behind })
      if (!part) break
      const rows = refusedIn(part).slice(skipped)
      const room = limit - refused.length
      const fitting = rows.slice(
        0,
        Math.min(room, countWithin([...refused, ...rows], PAGES.bytes) - refused.length),
      )
      refused.push(...fitting)
      if (fitting.length < rows.length) {
        next = placeText([String(part.place), String(skipped + fitting.length)])
        break
      }
      skipped = 0
      behind = part
    }
    return { id: job.id, refused, ...(next !== undefined && { next }) }
  }

  private sources(context: JobContext): TargetSources {
    const { types, lists, addresses, store } = this.parts
    return { types, lists, addresses, store, context }
  }
}

/** @throws AgentError `invalid_input`, `key_not_found` */
async function selected(
  { kid, issuedFrom, issuedUntil }: StatusListJobCreateArgs,
  context: JobContext,
): Promise<IssuedQuery> {
  if (kid !== undefined) {
    if (issuedFrom !== undefined || issuedUntil !== undefined) {
      const message = 'and issuedFrom or issuedUntil are mutually exclusive'
      throw problemsError('invalid_input', [{ path: 'kid', message }])
    }
    const key = await findKeyRow(context, kid)
    if (key) return { signingKey: key.publicKeyHex }
    throw problemsError('key_not_found', [{ path: 'kid', message: 'the account holds no such key' }])
  }
  if (issuedFrom === undefined || issuedUntil === undefined) {
    const path = issuedFrom === undefined ? 'issuedFrom' : 'issuedUntil'
    throw problemsError('invalid_input', [{ path, message: 'is required, unless kid is given' }])
  }
  const [from, until] = [new Date(issuedFrom).toISOString(), new Date(issuedUntil).toISOString()]
  if (from < until) return { issuedFrom: from, issuedUntil: until }
  throw problemsError('invalid_input', [{ path: 'issuedUntil', message: 'must be later than issuedFrom' }])
}

function demandJob(job: StoredJob | undefined): StoredJob {
  if (job) return job
  throw problemsError('job_not_found', [{ path: 'id', message: 'the account has no such job' }])
}

/** @throws AgentError `not_possible` */
function demandCancelled(job: StoredJob | undefined): StoredJob | undefined {
  if (!job || job.state === 'cancelled' || job.endedAt === undefined) return job
  const message = `names a job that has ended as ${job.state}; only a job that has not ended can be cancelled`
  throw problemsError('not_possible', [{ path: 'id', message }])
}

const shownJob = ({
  id,
  state,
  dryRun,
  rows,
  applied,
  refused,
  createdAt,
  ...job
}: StoredJob): StatusListJob => ({
  id,
  state,
  dryRun,
  rows,
  applied,
  refused,
  createdAt,
  ...(job.endedAt !== undefined && { endedAt: job.endedAt }),
  ...(job.checksum !== undefined && { checksum: job.checksum }),
  ...(job.failure !== undefined && { failure: job.failure }),
})
