import { z } from 'zod'
import { BOUNDS } from '../bounds.js'
import type { DescribedMethod } from '../plugin-schema.js'
import { credentialId } from './credential-register.js'
import { dateTime, textOfCharacters, word } from './fields.js'
import { PageRequest, pageEnd } from './paging.js'
import { listIndex } from './status-list-fields.js'

const reason = textOfCharacters(BOUNDS.text).optional()

const jobId = textOfCharacters(BOUNDS.jobId).meta({
  description: 'Id of the job, chosen by the caller; the same id again returns the same job',
})

const dryRun = z
  .boolean()
  .optional()
  .meta({ description: 'Only find out what would be applied and what refused; default: false' })

/** One row of a file, judged by itself. */
export const StatusListJobRow = z.strictObject({
  credentialId: credentialId.optional(),
  list: textOfCharacters(BOUNDS.didUrl)
    .optional()
    .meta({ description: 'Address of the status list, as its credentials name it' }),
  index: listIndex.optional().meta({ description: 'Index of `list`' }),
  action: word('Action to perform; for a credential `revoke`, `suspend` or `reinstate`', [
    'revoke',
    'suspend',
    'reinstate',
  ]),
  reason: reason.meta({ description: 'For your own records; it is not stored' }),
})

/** The form of the rows of a file. */
export const jobRowForms = ['csv', 'ndjson'] as const

export const StatusListJobUploadArgs = z.strictObject({
  jobId: jobId.optional(),
  dryRun,
  form: z.enum(jobRowForms),
  content: z
    .any()
    .refine((value) => typeof value === 'object' && value !== null && Symbol.asyncIterator in value, {
      error: 'must be a stream of bytes',
    })
    .meta({ description: 'The file, as a stream of bytes' }),
})

/** The fields of a job without a file, also as the body of a request. */
export const StatusListJobRequest = z.strictObject({
  action: z.enum(['revoke', 'suspend', 'reinstate'], 'must be revoke, suspend or reinstate').meta({
    description: 'Action to perform on each of the credentials',
  }),
  reason: reason.meta({ description: 'For your own records; kept with the job, encrypted' }),
  issuedFrom: dateTime('With `issuedUntil`: credentials issued at this time or later').optional(),
  issuedUntil: dateTime('With `issuedFrom`: credentials issued before this time').optional(),
  kid: textOfCharacters(BOUNDS.name).optional().meta({
    description: 'Instead of the times: credentials signed by this key of the account',
  }),
})

export const StatusListJobCreateArgs = StatusListJobRequest.extend({ jobId: jobId.optional(), dryRun })

export const StatusListJobName = z.strictObject({ id: jobId })

export const StatusListJobReportArgs = z.strictObject({
  id: jobId,
  limit: PageRequest.shape.limit,
  after: PageRequest.shape.after,
})

const jobState = z.enum(['queued', 'running', 'paused', 'done', 'failed', 'cancelled'])

export const StatusListJobListArgs = z.strictObject({
  state: jobState.optional().meta({ description: 'Only in this state' }),
  limit: PageRequest.shape.limit,
  after: PageRequest.shape.after,
})

/** A mass change of status lists, and its progress. */
export const StatusListJob = z.object({
  id: z.string(),
  state: jobState.meta({
    description:
      '`done`: every row was applied or refused; `failed`, `cancelled`: it ended before that, or ends without any further row',
  }),
  dryRun: z.boolean().meta({ description: 'Whether nothing is changed' }),
  rows: z.int().meta({
    description: 'Rows of the file, or credentials found so far; rows without anything in them do not count',
  }),
  applied: z.int().meta({ description: 'Rows whose status the lists durably hold, changed or not' }),
  refused: z.int().meta({ description: 'Rows that were refused; see the report' }),
  createdAt: z.string().meta({ format: 'date-time' }),
  endedAt: z.string().exactOptional().meta({ format: 'date-time' }),
  reason: z.string().exactOptional().meta({ description: 'Without a file: the reason that was given' }),
  checksum: z.string().exactOptional().meta({ description: 'SHA-256 of the file, in hex' }),
  failure: z.string().exactOptional().meta({ description: 'Why it stopped, or what is being retried' }),
})

export const StatusListJobPage = z.object({
  jobs: z.array(StatusListJob).meta({ description: 'The newest first, without their reasons' }),
  next: pageEnd.next,
})

export const RefusedJobRow = z.object({
  line: z.int().meta({ description: 'Line of the file; without a file, the number of the credential' }),
  reason: z.string().meta({ description: 'Error code, such as `not_registered`' }),
  message: z.string().meta({ description: 'Explanation of the refusal' }),
  credentialHash: z.string().exactOptional().meta({
    description: 'Without a file: hash of the credential in the register, in base64url',
  }),
})

export const StatusListJobReport = z.object({
  id: z.string(),
  refused: z.array(RefusedJobRow).meta({ description: 'In the order in which they were refused' }),
  next: pageEnd.next,
})

/** The agent methods of mass changes. */
export const statusListJobMethods = {
  statusListJobUpload: {
    description: 'Creates a job that changes the status of the credentials or indices in a file',
    arguments: StatusListJobUploadArgs,
    returns: StatusListJob,
  },
  statusListJobCreate: {
    description:
      'Creates a job that changes the status of all credentials that a key signed, or issued in a period',
    arguments: StatusListJobCreateArgs,
    returns: StatusListJob,
  },
  statusListJobGet: {
    description: 'Returns a job and its progress',
    arguments: StatusListJobName,
    returns: StatusListJob,
  },
  statusListJobList: {
    description: 'Lists jobs and their progress, the newest first',
    arguments: StatusListJobListArgs,
    returns: StatusListJobPage,
  },
  statusListJobReport: {
    description: 'Returns the refused rows of a job',
    arguments: StatusListJobReportArgs,
    returns: StatusListJobReport,
  },
  statusListJobPause: {
    description: 'Pauses a job',
    arguments: StatusListJobName,
    returns: StatusListJob,
  },
  statusListJobResume: {
    description: 'Resumes a paused job',
    arguments: StatusListJobName,
    returns: StatusListJob,
  },
  statusListJobCancel: {
    description: 'Cancels a job: what is applied stays applied',
    arguments: StatusListJobName,
    returns: StatusListJob,
  },
  statusListJobsContinue: {
    description: 'Continues unfinished jobs, now and in the background',
    arguments: z.object({}),
    returns: z.object({ begun: z.int() }),
  },
} satisfies Record<string, DescribedMethod>
