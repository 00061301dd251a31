import { StatusListJobListArgs, StatusListJobName, StatusListJobPage } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { pageFields } from '../schemas/page.js'
import { exampleJob, StatusJob } from '../schemas/status-job.js'
import { withoutUndefined } from './without-undefined.js'

const { limit, after } = pageFields('jobs')
const { state } = StatusListJobListArgs.shape

export const statusJobList = defineOperation({
  id: 'status-job-list',
  method: 'get',
  path: '/credential-status/jobs',
  tag: 'Status lists',
  summary: 'List jobs',
  description:
    'The mass changes of the account, the newest first, until 30 days after their end unless configured otherwise. With `state`, a page may be short, or empty, while it has a `next`.',
  needs: ['statusListJobList'],
  changes: false,
  query: z.strictObject({ state, limit, after }),
  response: StatusListJobPage.extend({ jobs: z.array(StatusJob) }).meta({ id: 'StatusJobList' }),
  responseExample: { jobs: [exampleJob] },
  run: ({ query, agent }) => agent.statusListJobList(withoutUndefined(query)),
})

export const statusJobRead = defineOperation({
  id: 'status-job-read',
  method: 'get',
  path: '/credential-status/jobs/{id}',
  tag: 'Status lists',
  summary: 'Get the progress of a job',
  description:
    'The state of a mass change, and how many of its rows are applied and refused. Its end is also an event, `job.ended`.',
  needs: ['statusListJobGet'],
  changes: false,
  params: StatusListJobName,
  response: StatusJob,
  responseExample: exampleJob,
  notFound: ['job_not_found'],
  run: ({ params, agent }) => agent.statusListJobGet(params),
})
