import { BOUNDS, isPointInTime, NO_TIME } from '@vidimus/core-types'
import { textOfBytes } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { commaSeparable } from '../input/list-separator.js'
import { defineOperation } from '../operation.js'
import { exampleDid } from '../schemas/did.js'
import { ignored, text } from '../schemas/primitives.js'
import {
  CreateListResult,
  exampleListId,
  exampleResource,
  exampleResourceMetadata,
  listType,
  publisher,
  statusListName,
  statusListVersion,
  StatusMessages,
  statusPurpose,
  statusSize,
  withAddresses,
} from '../schemas/status-list.js'
import { withoutUndefined } from './without-undefined.js'

const ENCODED = /^[\w+/=-]+$/

const purposes = () =>
  z
    .preprocess(
      (value) => (typeof value === 'string' ? [value] : value),
      commaSeparable(z.array(statusPurpose()).min(1).max(BOUNDS.statusEntries), /^[\w.:-]+$/),
    )
    .meta({
      description: 'Purpose of the list; several where its type can',
      example: ['revocation'],
      // what comes before the schema hides that it is
      param: { required: true },
    })

const alsoKnownAs = () =>
  z
    .array(
      z.strictObject({
        uri: textOfBytes('Where else the list is found', BOUNDS.alternativeUriBytes),
        description: textOfBytes('What is found there', BOUNDS.alternativeDescriptionBytes),
      }),
    )
    .max(BOUNDS.alternatives)

/** Of every new list, encrypted or not. */
export const creationQuery = z.strictObject({ listType: listType(), statusPurpose: purposes() })
export const creationFields = {
  did: publisher(),
  statusListName: statusListName(),
  statusListVersion: statusListVersion(),
  length: z
    .int()
    .min(1)
    .max(BOUNDS.listLength)
    .optional()
    .meta({ description: 'Entries; default and minimum 131072' }),
  encoding: text('Encoding of the list, where its type has several', 64).optional(),
  statusSize: statusSize()
    .optional()
    .meta({
      description: [
        'Bits for each entry: 1 for StatusList2021; 1, 2, 4 or 8 for TokenStatusList; 1 to 8 for BitstringStatusList,',
        'of which others read 1, 2, 4 and 8. Default: what the purposes need',
      ].join(' '),
    }),
  statusMessages: StatusMessages.optional().meta({
    description:
      'What the values mean, one for each of the 2^statusSize values; for BitstringStatusList alone',
  }),
  ttl: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'Milliseconds for which a copy may be used; whole seconds for TokenStatusList' }),
  validUntil: z.iso
    .datetime({ offset: true, error: NO_TIME, abort: true })
    .refine(isPointInTime, NO_TIME)
    .optional()
    .meta({ description: 'End of the validity of the list' }),
  encodedList: z
    .string()
    .regex(ENCODED, 'must be in the encoding of the list')
    .optional()
    .meta({ description: 'Entries to start with; default: all of them 0' }),
  alsoKnownAs: alsoKnownAs().optional().meta({ description: 'Other addresses of the list' }),
  address: z
    .enum(['did', 'https'])
    .optional()
    .meta({
      description: [
        'Which address the list calls itself and its entries name, for good: its DID URL, or the https address under the',
        'public URL of the service, without which `https` is refused. Default: as configured, `did` as shipped',
      ].join(' '),
    }),
  credentialCategory: ignored('A label of other services.'),
  state: ignored('A label of other services.'),
}

export const createStatusList = defineOperation({
  id: 'create-status-list',
  method: 'post',
  path: '/credential-status/create/unencrypted',
  tag: 'Status lists',
  summary: 'Create an unencrypted status list',
  description: 'Publishes a new status list as a DID-Linked Resource of a DID of the account.',
  needs: ['statusListCreate'],
  changes: true,
  withoutResource: true,
  query: creationQuery,
  body: z.strictObject(creationFields),
  response: CreateListResult,
  responseExample: {
    created: true,
    resource: exampleResource,
    resourceMetadata: { ...exampleResourceMetadata, resourceVersion: '1', previousVersionId: null },
    encrypted: false,
    statusListId: exampleListId,
  },
  examples: [
    {
      summary: 'A revocation list',
      query: { listType: 'StatusList2021', statusPurpose: ['revocation'] },
      body: { did: exampleDid, statusListName: 'my-list', statusListVersion: '1' },
    },
    {
      summary: 'A token status list that can revoke and suspend',
      query: { listType: 'TokenStatusList', statusPurpose: ['revocation', 'suspension'] },
      body: { did: exampleDid, statusListName: 'tokens', statusSize: 2, ttl: 300_000 },
    },
  ],
  run: async ({ query, body, agent, settings }) =>
    withAddresses(body.did, await agent.statusListCreate(creationArgs(query, body)), settings),
})

/** What the agent takes of the fields above. */
export function creationArgs<Fields extends { credentialCategory?: unknown; state?: unknown }>(
  { listType, statusPurpose: [first = '', ...others] }: z.output<typeof creationQuery>,
  { credentialCategory, state, ...fields }: Fields,
) {
  // One purpose and several are not the same in every type of list.
  const statusPurpose = others.length === 0 ? first : [first, ...others]
  return { listType, statusPurpose, ...withoutUndefined(fields) }
}
