import type { AnswerOf } from '@vidimus/client'
import { useLoaded, usePolling } from '../parts/use-loaded.js'
import { useSession } from '../session.js'

/** Where jobs are created, if the service has them. */
export const JOBS_PATH = '/credential-status/jobs'

/** A mass change, as the API reports it. */
export type Job = AnswerOf<'/credential-status/jobs/{id}', 'get'>

export const hasEnded = ({ state }: Job): boolean => ['done', 'failed', 'cancelled'].includes(state)

/** Whether its state may change by itself. */
export const goesOn = (job: Job): boolean => !hasEnded(job) && job.state !== 'paused'

/** What cancelling a job means. */
export const CANCELLING = 'The rest of its rows is never applied. What is applied stays applied.'

export const progressOf = ({ rows, applied, refused }: Job): string =>
  `${(applied + refused).toLocaleString('en')} of ${rows.toLocaleString('en')}`

/** Rows a second since it was ordered; `undefined` while nothing can be said about it. */
export function rateOf({ state, applied, refused, createdAt, endedAt }: Job): string | undefined {
  const seconds = ((endedAt ? Date.parse(endedAt) : Date.now()) - Date.parse(createdAt)) / 1000
  const rate = Number(((applied + refused) / seconds).toPrecision(2))
  const isKnown = rate > 0 && Number.isFinite(rate) && (endedAt !== undefined || state === 'running')
  return isKnown ? `${rate.toLocaleString('en')} a second` : undefined
}

/** A job, polled until it ends or is paused. */
export function useJob(id: string) {
  const { client } = useSession()
  const loaded = useLoaded<Job>(`job ${id}`, () =>
    client.get('/credential-status/jobs/{id}', { params: { path: { id } } }),
  )
  usePolling(loaded, goesOn)
  return loaded
}

/** Rows of a file, or a file that was chosen. */
export type ChangeFile = string | File

/** Sends a file of changes. @returns the id of its job */
export function useNewJob() {
  const { client } = useSession()
  return async (file: ChangeFile, dryRun: boolean): Promise<string> => {
    const beginning = typeof file === 'string' ? file : await file.slice(0, 100).text()
    const type = /^\s*\{/.test(beginning) ? 'application/x-ndjson' : 'text/csv'
    const { id } = await client.post(JOBS_PATH, {
      // A repeated request with the same id would be the same job.
      params: { query: { jobId: crypto.randomUUID(), dryRun } },
      headers: { 'content-type': type },
      body: file as never,
      bodySerializer: (body: unknown) => body as BodyInit,
    })
    return id
  }
}
