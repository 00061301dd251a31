import { StatusListJobName } from '@vidimus/core-types/schemas'
import { defineOperation } from '../operation.js'
import { exampleJob, StatusJob } from '../schemas/status-job.js'

export const statusJobPause = defineOperation({
  id: 'status-job-pause',
  method: 'post',
  path: '/credential-status/jobs/{id}/pause',
  tag: 'Status lists',
  summary: 'Pause a job',
  description:
    'Stops a mass change before its next version; what is applied stays applied. A job that has ended is returned as it is.',
  needs: ['statusListJobPause'],
  changes: true,
  params: StatusListJobName,
  response: StatusJob,
  responseExample: { ...exampleJob, state: 'paused' },
  notFound: ['job_not_found'],
  run: ({ params, agent }) => agent.statusListJobPause(params),
})
