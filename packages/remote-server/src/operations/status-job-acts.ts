import { StatusListJobName } from '@vidimus/core-types/schemas'
import { defineOperation } from '../operation.js'
import { exampleJob, StatusJob } from '../schemas/status-job.js'

const ofJob = {
  method: 'post',
  tag: 'Status lists',
  changes: true,
  params: StatusListJobName,
  response: StatusJob,
  notFound: ['job_not_found'],
} as const

const statusJobPause = defineOperation({
  ...ofJob,
  id: 'status-job-pause',
  path: '/credential-status/jobs/{id}/pause',
  summary: 'Pause a job',
  description:
    'Stops a mass change before its next version; what is applied stays applied. A job that has ended is returned as it is.',
  needs: ['statusListJobPause'],
  responseExample: { ...exampleJob, state: 'paused' },
  run: ({ params, agent }) => agent.statusListJobPause(params),
})

const statusJobResume = defineOperation({
  ...ofJob,
  id: 'status-job-resume',
  path: '/credential-status/jobs/{id}/resume',
  summary: 'Resume a paused job',
  description: 'Continues a paused mass change where it stopped. Any other job is returned as it is.',
  needs: ['statusListJobResume'],
  responseExample: { ...exampleJob, state: 'queued' },
  run: ({ params, agent }) => agent.statusListJobResume(params),
})

const statusJobCancel = defineOperation({
  ...ofJob,
  id: 'status-job-cancel',
  path: '/credential-status/jobs/{id}/cancel',
  summary: 'Cancel a job',
  description: [
    'Ends a mass change before its next version, for good; what is applied stays applied. If a version was handed to a network, the job',
    'has no `endedAt` before its fate is known. A cancelled job is returned as it is; one that is done or has failed is a 400',
    '`not_possible`.',
  ].join('\n'),
  needs: ['statusListJobCancel'],
  responseExample: { ...exampleJob, state: 'cancelled', endedAt: '2026-12-01T09:31:00.000Z' },
  run: ({ params, agent }) => agent.statusListJobCancel(params),
})

/** What can be done with a job. */
export const statusJobActs = [statusJobPause, statusJobResume, statusJobCancel]
