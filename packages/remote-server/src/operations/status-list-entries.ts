import { StatusListEntries, StatusListEntriesArgs } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleResourceMetadata, listName } from '../schemas/status-list.js'
import { withoutUndefined } from './without-undefined.js'

const { resourceType, resourceId } = StatusListEntriesArgs.shape

export const statusListEntries = defineOperation({
  id: 'status-list-entries',
  method: 'get',
  path: '/credential-status/entries',
  tag: 'Status lists',
  summary: 'Read all entries of a status list',
  description: [
    'The bits of a version of a list, and what its values mean, as the type of the list reads them: the same for every type,',
    'those of plugins included. Of an encrypted list only what is published in clear.',
  ].join('\n'),
  needs: ['statusListEntries'],
  changes: false,
  query: z.strictObject({ ...listName, resourceType, resourceId }),
  response: StatusListEntries.meta({ id: 'StatusListEntries' }),
  responseExample: {
    resourceId: exampleResourceMetadata.resourceId,
    statusSize: 1,
    order: 'msb',
    purposes: ['revocation'],
    encrypted: false,
    length: 131_072,
    bits: 'H4sIAAAAAAAAA-3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA',
    values: [{ value: 0, entries: 131_072, valid: true, revoked: false, actions: ['revoke'] }],
  },
  notFound: ['list_not_found', 'did_not_found', 'did_not_resolvable'],
  run: ({ query, agent }) => agent.statusListEntries(withoutUndefined(query)),
})
