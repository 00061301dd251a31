import { useEffect, useId, useState } from 'preact/hooks'
import { useActions } from '../parts/list-page.js'
import { counted, Facts, Failure, Section, Table, Time } from '../parts/pieces.js'
import { useLoaded } from '../parts/use-loaded.js'
import { useSession, useWhyNot } from '../session.js'
import { useJobActions } from './jobs.js'
import { hasEnded, rateOf, useJob, type Job } from './use-job.js'

/** Progress and refused rows of a mass change, with buttons to pause, resume and cancel it. */
export function JobProgress({ id, onState }: { id: string; onState?: (state: Job['state']) => void }) {
  const { value, error, reload } = useJob(id)
  useEffect(() => value && onState?.(value.state), [value?.state])
  const whyNot = useWhyNot()
  const actionsOf = useJobActions()
  const { buttons, shown, error: failure } = useActions(({ operation }) => whyNot(operation), reload)
  return (
    <Section
      title={value?.dryRun ? 'Dry run' : 'Progress'}
      actions={value && <div class="row">{buttons(actionsOf(value))}</div>}
    >
      <Failure text={error ?? failure} />
      {value && <JobFacts job={value} />}
      {value && value.refused > 0 && <JobReport id={id} refused={value.refused} />}
      {shown}
    </Section>
  )
}

function JobFacts({ job }: { job: Job }) {
  const { id, state, dryRun, rows, applied, refused, createdAt, endedAt, checksum, failure } = job
  const label = useId()
  return (
    <>
      <p role="status" class={state === 'failed' ? 'note failure' : 'note'}>
        {sentenceOf(job)}
      </p>
      {!hasEnded(job) && rows > 0 && (
        <p>
          <label for={label} class="quiet">
            Rows done
          </label>
          <progress id={label} class="wide" max={rows} value={applied + refused} />
        </p>
      )}
      <Facts
        of={{
          Rows: rows.toLocaleString('en'),
          [dryRun ? 'Would be applied' : 'Applied']: applied.toLocaleString('en'),
          [dryRun ? 'Would be refused' : 'Refused']: refused.toLocaleString('en'),
          Rate: rateOf(job),
          Started: <Time at={createdAt} />,
          Ended: endedAt && <Time at={endedAt} />,
          Problem: failure,
          Job: <span class="mono wrap">{id}</span>,
          'SHA-256 of the file': checksum && <span class="mono wrap">{checksum}</span>,
        }}
      />
    </>
  )
}

function sentenceOf({ state, dryRun, applied, refused }: Job): string {
  switch (state) {
    case 'queued':
      return 'The job is queued.'
    case 'running':
      return 'The job is running. You can leave this page; the job continues.'
    case 'paused':
      return 'The job is paused. What is applied stays applied.'
    case 'failed':
      return 'The job has ended before all rows were applied.'
    case 'cancelled':
      return 'The job was cancelled. What is applied stays applied.'
    case 'done':
      return dryRun
        ? `Nothing was changed. ${counted(applied, 'row')} would be applied, ${refused.toLocaleString('en')} refused.`
        : `${counted(applied, 'row')} applied, ${refused.toLocaleString('en')} refused.`
  }
}

const REFUSED_PER_PAGE = 100

/** The refused rows of a job, with the reason. @param refused - number so far */
function JobReport({ id, refused }: { id: string; refused: number }) {
  const { client } = useSession()
  const [pages, setPages] = useState<string[]>([])
  const after = pages.at(-1)
  const { value, error } = useLoaded(`report ${id} ${after ?? refused}`, () =>
    client.get('/credential-status/jobs/{id}/report', {
      params: { path: { id }, query: { limit: REFUSED_PER_PAGE, ...(after !== undefined && { after }) } },
    }),
  )
  const { next } = value ?? {}
  return (
    <>
      <Failure text={error} />
      {value && (
        <Table
          caption="Refused rows"
          head={['Line', 'Code', 'Why']}
          rows={value.refused.map(({ line, reason, message }) => ({
            key: `${line} ${reason}`,
            cells: [line.toLocaleString('en'), <span class="mono wrap">{reason}</span>, message],
          }))}
        />
      )}
      <div class="row">
        {pages.length > 0 && (
          <button type="button" onClick={() => setPages(pages.slice(0, -1))}>
            Back
          </button>
        )}
        {next !== undefined && (
          <button type="button" onClick={() => setPages([...pages, next])}>
            Next
          </button>
        )}
      </div>
    </>
  )
}
