import { useId, useState } from 'preact/hooks'
import { ActionButton, Reasons } from '../parts/action-button.js'
import { counted, Facts, Failure, Section, Table, Time } from '../parts/pieces.js'
import { useAction, useLoaded } from '../parts/use-loaded.js'
import { useSession, useWhyNot } from '../session.js'
import { hasEnded, useJob, type Job } from './use-job.js'

/** Progress and refused rows of a mass change, with a button to pause it. */
export function JobProgress({ id }: { id: string }) {
  const { value, error, reload } = useJob(id)
  return (
    <Section
      title={value?.dryRun ? 'Dry run' : 'Progress'}
      actions={value && <Pauses job={value} onDone={reload} />}
    >
      <Failure text={error} />
      {value && <JobFacts job={value} />}
      {value && value.refused > 0 && <JobReport id={id} refused={value.refused} />}
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

function Pauses({ job, onDone }: { job: Job; onDone: () => void }) {
  const { client } = useSession()
  const action = job.state === 'paused' ? 'resume' : 'pause'
  const whyNot = useWhyNot()(`status-job-${action}`)
  const { run, busy, error } = useAction(async () => {
    await client.post(`/credential-status/jobs/{id}/${action}`, { params: { path: { id: job.id } } })
    onDone()
  })
  if (hasEnded(job)) return null
  return (
    <div>
      <ActionButton whyNot={whyNot} busy={busy} onClick={run}>
        {action === 'resume' ? 'Resume' : 'Pause'}
      </ActionButton>
      <Reasons of={[whyNot]} />
      <Failure text={error} />
    </div>
  )
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
