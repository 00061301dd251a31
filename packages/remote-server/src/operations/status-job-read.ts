import { StatusListJobName } from '@vidimus/core-types/schemas'
import { defineOperation } from '../operation.js'
import { exampleJob, StatusJob } from '../schemas/status-job.js'

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
