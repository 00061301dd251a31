import { createHash, randomUUID } from 'node:crypto'
import {
  currentAccount,
  SharedQueue,
  type JobOrder,
  type StatusListJobUploadArgs,
  type StatusListJobs,
  type StoredJob,
} from '@vidimus/core-types'
import { readJobFile, type FileRow } from './job-file.js'
import { callersGrant, demandRightsOf, otherJob } from './job-order.js'
import { JobPartsByList } from './job-parts.js'
import { JobTargets, type TargetSources } from './job-targets.js'

/** Rows whose entries are looked up together. */
const TOGETHER = 500
/** Uploads whose rows are being stored at the same time in one process, and of these of one account. */
const MOST_AT_ONCE = 8
const SHARE = 2

interface SentFile {
  form: JobOrder['form']
  dryRun: boolean
  checksum: string
}

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
    const hash = createHash('sha256')
    const rows = readJobFile(hashed(content, hash), form, this.mostRows)
    const sent = () => ({ form, dryRun, checksum: hash.digest('hex') })
    const known = jobId === undefined ? undefined : await this.jobs.find(jobId)
    if (known) {
      // Only its whole content tells whether it is the same file.
      for await (const row of rows) void row
      return demandSame(known, sent())
    }
    const uid = await this.jobs.begin()
    try {
      const parts = new JobPartsByList()
      const targets = new JobTargets(sources)
      await this.store(uid, rows, parts, targets)
      const file = sent()
      const job = {
        id: jobId ?? randomUUID(),
        dryRun,
        rows: parts.rows,
        refused: parts.refusedRows,
        checksum: file.checksum,
        selectAfter: null,
        order: targets.order(form),
        ...callersGrant(),
      }
      return demandSame(await this.jobs.submit(uid, job), file)
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

/** @throws AgentError `job_exists` if the id of the job belongs to another one, `forbidden` */
function demandSame(job: StoredJob, { form, dryRun, checksum }: SentFile): StoredJob {
  if (job.dryRun !== dryRun || job.checksum !== checksum || job.order.form !== form) throw otherJob(job)
  return demandRightsOf(job)
}

async function* hashed(
  content: AsyncIterable<Uint8Array>,
  hash: { update(bytes: Uint8Array): unknown },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    hash.update(chunk)
    yield chunk
  }
}
