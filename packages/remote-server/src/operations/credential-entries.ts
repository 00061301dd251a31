import * as schemas from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleCredentialId, exampleListUrl } from '../schemas/credential.js'
import { pageFields } from '../schemas/page.js'
import { described, did } from '../schemas/primitives.js'
import { withoutUndefined } from './without-undefined.js'

const asked = schemas.CredentialEntriesArgs.shape
const { limit, after } = pageFields('entries')

export const credentialEntries = defineOperation({
  id: 'credential-entries',
  method: 'get',
  path: '/credential/entries',
  tag: 'Credentials',
  summary: 'Browse registered credentials',
  description: [
    'The credentials that the account issued with an entry of a status list, in the order of lists and indices: all, those of',
    'a `list` or of a `did`, those at an `index` of a list, or the entries of one credential. The register has no claims, no',
    'subjects, and only a keyed hash of each id: you can look up an id that you know, but not list ids. With a `did` or a',
    'time, a page may be shorter than `limit`, or even empty, while there is a `next`.',
  ].join('\n'),
  needs: ['credentialEntries'],
  changes: false,
  query: z.strictObject({
    list: asked.list,
    index: z
      .int()
      .min(0)
      .optional()
      .meta({ description: described(asked.index) }),
    did: did(described(asked.did)).optional(),
    issuedFrom: asked.issuedFrom,
    issuedUntil: asked.issuedUntil,
    credentialId: asked.credentialId,
    limit,
    after,
  }),
  response: schemas.CredentialEntriesResult.extend({
    entries: z.array(schemas.RegisteredEntry.meta({ id: 'RegisteredEntry' })),
  }).meta({ id: 'CredentialEntries' }),
  responseExample: {
    entries: [
      {
        credentialHash: '0q4l8qkzYcF3vT1cXb2o0H5mK7dWjRr9s6uPpNfGaLE',
        list: exampleListUrl,
        index: 94567,
        issuedAt: '2026-01-31T09:30:00.000Z',
        expiresAt: '2027-01-31T00:00:00.000Z',
        state: 'valid',
      },
    ],
  },
  examples: [
    {
      summary: 'All that were issued in January',
      query: { issuedFrom: '2026-01-01', issuedUntil: '2026-02-01' },
    },
    { summary: 'By index', query: { list: exampleListUrl, index: 94567 } },
    { summary: 'By credential id', query: { credentialId: exampleCredentialId } },
  ],
  run: ({ query, agent }) => agent.credentialEntries(withoutUndefined(query)),
})
