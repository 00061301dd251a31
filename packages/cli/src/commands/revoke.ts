import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import {
  AgentError,
  runInAccountScope,
  type Account,
  type AnyAgent,
  type StatusListJob,
  type StatusListJobReport,
  type StatusListJobUploadArgs,
} from '@vidimus/core-types'
import { Command } from 'commander'
import { harmless } from '../harmless.js'
import { configurationOption, withAgent } from '../installation.js'
import { ProgressSteps } from '../progress.js'
import { printOutcome, quietOption, showsProgress } from '../quiet.js'

interface Options {
  config: string
  file: string
  account: string
  jobId?: string
  dryRun?: boolean
  json?: boolean
  quiet?: boolean
}

/** How often a job is looked at, which another process may be at, in milliseconds. */
const LOOK_MS = 250

/** `vidimus revoke` */
export function revokeCommand(): Command {
  return new Command('revoke')
    .description(
      'change the status of all credentials in a file: CSV with the header credentialId,list,index,action,reason, or the same as ' +
        'NDJSON (.ndjson, .jsonl). If interrupted, the service or the same command with the same --job-id continues. Rejected rows ' +
        'are printed, and the exit code is 1',
    )
    .requiredOption(
      '--file <file>',
      'the file; each row names a credential by its id, or a list by its address and an index',
    )
    .requiredOption('--account <name>', 'account of the credentials')
    .option(
      '--job-id <id>',
      'id of the job; the same id again continues with the same job; default: a new one',
    )
    .option('--dry-run', 'only find out what would be applied and what rejected')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .addOption(quietOption())
    .action(revoke)
}

async function revoke(options: Options): Promise<void> {
  const { config, account: name } = options
  const progress = showsProgress(options) ? new ProgressSteps(process.stderr) : undefined
  let job: StatusListJob | undefined
  try {
    job = await withAgent(config, async ({ agent, accounts }) => {
      const account = await accounts.get(name)
      const uploaded = await upload(options, account, agent, progress)
      const ended = await followed(uploaded, account, agent, progress)
      progress?.end()
      await printRefused(ended, account, agent)
      return ended
    })
  } finally {
    progress?.end()
  }
  printOutcome(options, job, outcome)
  if (job.refused > 0 || job.state !== 'done') process.exitCode = 1
}

async function upload(
  { file, jobId, dryRun }: Options,
  account: Account,
  agent: AnyAgent,
  progress: ProgressSteps | undefined,
): Promise<StatusListJob> {
  const { size: total } = await stat(file)
  const content = createReadStream(file)
  async function* counted() {
    let done = 0
    for await (const chunk of content as AsyncIterable<Buffer>) {
      done += chunk.length
      progress?.show('reading', { subject: 'bytes', done, total })
      yield chunk
    }
  }
  const args: StatusListJobUploadArgs = {
    form: /\.(ndjson|jsonl)$/i.test(file) ? 'ndjson' : 'csv',
    content: counted(),
    ...(jobId !== undefined && { jobId }),
    ...(dryRun !== undefined && { dryRun }),
  }
  try {
    return await inAccount(account, agent, 'statusListJobUpload', args)
  } finally {
    content.destroy()
  }
}

/** Waits until the job has ended, whichever process works on it. */
async function followed(
  uploaded: StatusListJob,
  account: Account,
  agent: AnyAgent,
  progress: ProgressSteps | undefined,
): Promise<StatusListJob> {
  let job = uploaded
  for (;;) {
    const { state, rows: total, applied, refused } = job
    progress?.show('applying', { subject: 'rows', done: applied + refused, total })
    if (state === 'done' || state === 'failed' || state === 'cancelled') return job
    if (state === 'paused')
      throw new AgentError(
        'unavailable',
        `the job ${job.id} is paused; resume it, then run this again with --job-id ${job.id}`,
      )
    await agent.execute('statusListJobsContinue', {})
    await setTimeout(LOOK_MS)
    job = await inAccount(account, agent, 'statusListJobGet', { id: job.id })
  }
}

/** Page by page, as there may be millions. */
async function printRefused(
  { id, refused }: StatusListJob,
  account: Account,
  agent: AnyAgent,
): Promise<void> {
  if (refused === 0) return
  let after: string | undefined
  do {
    const args = { id, limit: 1000, ...(after !== undefined && { after }) }
    const page: StatusListJobReport = await inAccount(account, agent, 'statusListJobReport', args)
    for (const { line, reason, message } of page.refused) {
      console.error(harmless(`line ${line}: ${message} (${reason})`))
    }
    after = page.next
  } while (after !== undefined)
}

const inAccount = <Result>(
  account: Account,
  agent: AnyAgent,
  method: string,
  args: object,
): Promise<Result> => runInAccountScope(account, () => agent.execute<object, Result>(method, args))

function outcome({ id, state, dryRun, applied, refused, failure }: StatusListJob): string {
  const counts = `${applied} rows ${dryRun ? 'would be applied' : 'applied'}, ${refused} rejected`
  return state === 'done'
    ? `${counts} (job ${id})`
    : `the job ${id} failed: ${failure ?? 'see the log'}; ${counts}`
}
