import { requireEffect } from '@vidimus/core-types'
import { heldSearch, holdingsMethods, pageEnd } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleKeyDetails, KeyDetails, keyDetails } from '../schemas/key.js'
import { pageFields } from '../schemas/page.js'

const search = holdingsMethods.accountKeyList.arguments.shape

export const keyList = defineOperation({
  id: 'key-list',
  method: 'get',
  path: '/key/list',
  tag: 'Keys',
  summary: 'List the keys of the account',
  description: 'Public keys, ordered by kid, or by alias or creation if filtered by these.',
  needs: ['accountKeyList'],
  changes: false,
  query: z.strictObject({
    kms: search.kms,
    ...heldSearch,
    dids: search.dids,
    ...pageFields('keys'),
  }),
  response: z.object({ ...pageEnd, keys: z.array(KeyDetails) }).meta({ id: 'KeyList' }),
  responseExample: {
    total: 1,
    keys: [exampleKeyDetails],
  },
  async run({ query, agent }) {
    // A key for keys alone learns nothing of DIDs.
    if (query.dids) requireEffect('list-dids')
    const { keys, ...page } = await agent.accountKeyList(query)
    return { ...page, keys: keys.map(keyDetails) }
  },
})
