import { Listing, type Action } from '../parts/list-page.js'
import { Time } from '../parts/pieces.js'
import { routeHash, type TableRoute } from '../routes.js'
import { useSession } from '../session.js'
import { CANCELLING, goesOn, hasEnded, JOBS_PATH, progressOf, rateOf, type Job } from './use-job.js'

const STATES: readonly Job['state'][] = ['queued', 'running', 'paused', 'done', 'failed', 'cancelled']

/** The mass changes of the account, the newest first. */
export function Jobs({ route }: { route: TableRoute }) {
  const { client } = useSession()
  return (
    <Listing
      route={route}
      caption="Jobs of the account"
      title="Jobs"
      one="job"
      operation="status-job-list"
      read={async (page, search) => {
        const query = { ...search, ...page } as object
        const { jobs, ...end } = await client.get(JOBS_PATH, { params: { query } })
        return { ...end, items: jobs }
      }}
      byCursor
      filters={[{ name: 'state', label: 'State', choices: STATES }]}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Job',
          cell: ({ id, dryRun }) => (
            <span class="wrap">
              <a class="mono" href={routeHash({ page: 'changes', search: { job: id } })}>
                {id}
              </a>
              {dryRun && <span class="hint below">dry run</span>}
            </span>
          ),
        },
        {
          head: 'State',
          cell: ({ state, failure }) => (
            <span class="wrap short">
              {state}
              {failure !== undefined && <span class="hint below">{failure}</span>}
            </span>
          ),
        },
        {
          head: 'Rows done',
          cell: (job) => (
            <span class="wrap short">
              {progressOf(job)}
              {rateOf(job) !== undefined && <span class="hint below">{rateOf(job)}</span>}
            </span>
          ),
        },
        { head: 'Ordered', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
      none="No jobs yet."
      goesOn={goesOn}
      rowActions={useJobActions()}
    />
  )
}

export function useJobActions() {
  const { client } = useSession()
  return (job: Job): Action[] => {
    const params = { path: { id: job.id } }
    const act = (action: 'pause' | 'resume' | 'cancel', done: string) => ({
      of: job.id,
      operation: `status-job-${action}`,
      run: async () => {
        await client.post(`/credential-status/jobs/{id}/${action}`, { params })
        return done
      },
    })
    if (hasEnded(job)) return []
    const cancel: Action = {
      label: 'Cancel',
      ...act('cancel', 'The job was cancelled.'),
      grave: true,
      confirm: <p>{CANCELLING}</p>,
    }
    return job.state === 'paused'
      ? [{ label: 'Resume', ...act('resume', 'The job was resumed.') }, cancel]
      : [{ label: 'Pause', ...act('pause', 'The job is paused.') }, cancel]
  }
}
