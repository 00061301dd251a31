import { createHash, randomUUID } from 'node:crypto'
import {
  currentAccount,
  currentCaller,
  problemsError,
  SharedQueue,
  type JobGrant,
  type StatusListJobUploadArgs,
  type StatusListJobs,
  type StoredJob,
} from '@vidimus/core-types'
import { readJobFile, type FileRow } from './job-file.js'
import { JobPartsByList } from './job-parts.js'
import { JobTargets, type TargetSources } from './job-targets.js'

/** Rows whose entries are looked up together. */
const TOGETHER = 500
/** Uploads whose rows are being stored at the same time in one process, and of these of one account. */
const MOST_AT_ONCE = 8
const SHARE = 2

/** Files with rows that are being read. */
export class JobUploads {
  private readonly storing = new SharedQueue(MOST_AT_ONCE, SHARE)

  constructor(
    private readonly jobs: StatusListJobs,
    private readonly mostRows: number,
  ) {}

  /**
   * Reads a file into a new job, which nobody sees before all rows are stored.
   *
   * @throws AgentError as `statusListJobUpload` does
   */
  async upload(
    { jobId, dryRun = false, form, content }: StatusListJobUploadArgs,
    sources: TargetSources,
  ): Promise<StoredJob> {
    const known = jobId === undefined ? undefined : await this.jobs.find(jobId)
    if (known) return demandSameFile(known, dryRun)
    const uid = await this.jobs.begin()
    try {
      const hash = createHash('sha256')
      const parts = new JobPartsByList()
      const rows = readJobFile(hashed(content, hash), form, this.mostRows)
      await this.store(uid, rows, parts, new JobTargets(sources))
      const job = {
        id: jobId ?? randomUUID(),
        dryRun,
        rows: parts.rows,
        refused: parts.refusedRows,
        checksum: hash.digest('hex'),
        selectAfter: null,
        ...callersGrant(),
      }
      return demandSameFile(await this.jobs.submit(uid, job), dryRun)
    } catch (error) {
      await this.jobs.discard(uid)
      throw error
    }
  }

  private async store(
    uid: string,
    rows: AsyncIterable<FileRow>,
    parts: JobPartsByList,
    targets: JobTargets,
  ): Promise<void> {
    // A place is taken for some rows, not while the next ones are awaited: a slow client would keep it from others.
    const inTurn = (work: () => Promise<void>) => this.storing.run(currentAccount().id, work)
    const keep = (some: readonly FileRow[]) =>
      inTurn(async () => {
        for (const row of await targets.find(some)) {
          const full = parts.add(row)
          if (full.length > 0) await this.jobs.add(uid, full)
        }
      })
    let some: FileRow[] = []
    for await (const row of rows) {
      some.push(row)
      if (some.length < TOGETHER) continue
      await keep(some)
      some = []
    }
    await keep(some)
    await inTurn(() => this.jobs.add(uid, parts.take()))
  }
}

/** The API key of the caller, whose networks apply to what the job does. */
export function callersGrant(): { grant?: JobGrant } {
  const grant = currentCaller()?.grant
  return grant ? { grant: { id: grant.id, ...(grant.networks && { networks: grant.networks }) } } : {}
}

/** @throws AgentError `invalid_input` if the id of the job belongs to another one */
function demandSameFile(job: StoredJob, dryRun: boolean): StoredJob {
  if (job.dryRun === dryRun && job.checksum !== undefined) return job
  throw otherJob(job)
}

export const otherJob = ({ dryRun }: StoredJob) =>
  problemsError('invalid_input', [
    { path: 'jobId', message: `is the id of another job of the account${dryRun ? ', a dry run' : ''}` },
  ])

async function* hashed(
  content: AsyncIterable<Uint8Array>,
  hash: { update(bytes: Uint8Array): unknown },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    hash.update(chunk)
    yield chunk
  }
}
