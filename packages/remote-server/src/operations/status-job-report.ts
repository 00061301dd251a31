import { StatusListJobName, StatusListJobReport } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { pageFields } from '../schemas/page.js'
import { withoutUndefined } from './without-undefined.js'

const { limit, after } = pageFields('refused rows')

export const statusJobReport = defineOperation({
  id: 'status-job-report',
  method: 'get',
  path: '/credential-status/jobs/{id}/report',
  tag: 'Status lists',
  summary: 'List the refused rows of a job',
  description:
    'Each refused row of a mass change, with its line and the reason. While the job runs, there may be more later.',
  needs: ['statusListJobReport'],
  changes: false,
  params: StatusListJobName,
  query: z.strictObject({ limit, after }),
  response: StatusListJobReport.meta({ id: 'StatusJobReport' }),
  responseExample: {
    id: 'december-2026',
    refused: [
      {
        line: 17,
        reason: 'not_registered',
        message: 'the account has issued no credential with this id and a status entry',
      },
    ],
  },
  notFound: ['job_not_found'],
  run: ({ params, query, agent }) => agent.statusListJobReport(withoutUndefined({ ...params, ...query })),
})
