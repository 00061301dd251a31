import { StatusListJobName } from '@vidimus/core-types/schemas'
import { defineOperation } from '../operation.js'
import { exampleJob, StatusJob } from '../schemas/status-job.js'

export const statusJobResume = defineOperation({
  id: 'status-job-resume',
  method: 'post',
  path: '/credential-status/jobs/{id}/resume',
  tag: 'Status lists',
  summary: 'Resume a paused job',
  description: 'Continues a paused mass change where it stopped. Any other job is returned as it is.',
  needs: ['statusListJobResume'],
  changes: true,
  params: StatusListJobName,
  response: StatusJob,
  responseExample: { ...exampleJob, state: 'queued' },
  notFound: ['job_not_found'],
  run: ({ params, agent }) => agent.statusListJobResume(params),
})
