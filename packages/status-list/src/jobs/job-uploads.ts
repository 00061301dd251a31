import { createHash, randomUUID } from 'node:crypto'
import {
  AgentError,
  currentAccount,
  currentCaller,
  problemsError,
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
/** Uploads at the same time in one process, and of these of one account. */
const MOST_AT_ONCE = 8
const SHARE = 2

/** Files with rows that are being read. */
export class JobUploads {
  private readonly underWay = new Map<string, number>()

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
    return this.inShare(async () => {
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
    })
  }

  private async store(
    uid: string,
    rows: AsyncIterable<FileRow>,
    parts: JobPartsByList,
    targets: JobTargets,
  ): Promise<void> {
    const keep = async (some: readonly FileRow[]) => {
      for (const row of await targets.find(some)) {
        const full = parts.add(row)
        if (full.length > 0) await this.jobs.add(uid, full)
      }
    }
    let some: FileRow[] = []
    for await (const row of rows) {
      some.push(row)
      if (some.length < TOGETHER) continue
      await keep(some)
      some = []
    }
    await keep(some)
    await this.jobs.add(uid, parts.take())
  }

  private async inShare<T>(work: () => Promise<T>): Promise<T> {
    const account = currentAccount().id
    const own = this.underWay.get(account) ?? 0
    const all = [...this.underWay.values()].reduce((sum, one) => sum + one, 0)
    if (own >= SHARE || all >= MOST_AT_ONCE) {
      throw new AgentError('unavailable', 'too many files are being uploaded; try again when one is complete')
    }
    this.underWay.set(account, own + 1)
    try {
      return await work()
    } finally {
      const left = (this.underWay.get(account) ?? 1) - 1
      if (left > 0) this.underWay.set(account, left)
      else this.underWay.delete(account)
    }
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
