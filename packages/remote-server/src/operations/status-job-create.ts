import * as schemas from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleKid } from '../schemas/did.js'
import { exampleJob, StatusJob } from '../schemas/status-job.js'
import { withoutUndefined } from './without-undefined.js'

const FORMS = { 'text/csv': 'csv', 'application/x-ndjson': 'ndjson' } as const

const { jobId, dryRun } = schemas.StatusListJobCreateArgs.shape

export const statusJobCreate = defineOperation({
  id: 'status-job-create',
  method: 'post',
  path: '/credential-status/jobs',
  tag: 'Status lists',
  summary: 'Change the status of very many credentials',
  description: [
    'Creates a job, which is processed in the background. The body is a file: `text/csv` with the header',
    '`credentialId,list,index,action,reason`, of which a row names either a credential of the register by its id, or an index of a list',
    'by its address; or `application/x-ndjson` with the same members. It may be longer than other bodies, and is read as it arrives;',
    'if it ends early, there is no job. Rows that cannot be applied are refused individually, see the report.',
    '',
    'Instead of a file, JSON selects from the register: what was issued from `issuedFrom` until before `issuedUntil`, or signed by the',
    'key `kid`.',
    '',
    'Repeating a request with the same `jobId` returns the same job.',
    '',
    'Each row needs the scope that it would need alone, in a dry run too: by credential, key or time `revocation`, or the id of the',
    'operation, such as `credential-revoke`; by index `status-lists`, or `update-encrypted-status-list` for an encrypted list. A file with',
    'a row that the API key must not send is refused as a whole.',
  ].join('\n'),
  needs: ['statusListJobUpload', 'statusListJobCreate'],
  changes: true,
  streams: Object.keys(FORMS),
  query: z.strictObject({ jobId: jobId, dryRun: dryRun }),
  body: schemas.StatusListJobRequest,
  response: StatusJob,
  status: 202,
  responseExample: exampleJob,
  examples: [
    {
      summary: 'Everything that a key has signed',
      query: { jobId: 'stolen-key-2026-11' },
      body: { action: 'revoke', reason: 'the key was stolen', kid: exampleKid },
    },
    {
      summary: 'Everything that was issued on one day, as a dry run',
      query: { dryRun: true },
      body: {
        action: 'suspend',
        issuedFrom: '2026-01-31T00:00:00Z',
        issuedUntil: '2026-02-01T00:00:00Z',
      },
    },
  ],
  run: ({ query, body, upload, agent }) => {
    if (upload) {
      const form = upload.mediaType in FORMS ? FORMS[upload.mediaType as keyof typeof FORMS] : 'csv'
      const { content } = upload
      return agent.statusListJobUpload({ ...withoutUndefined(query), form, content })
    }
    return agent.statusListJobCreate(withoutUndefined({ ...query, ...body }))
  },
})
