import { BOUNDS } from '@vidimus/core-types'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleKeyDetails, KeyDetails, keyDetails } from '../schemas/key.js'
import { heldFields, pageFields, pageMembers } from '../schemas/page.js'
import { text } from '../schemas/primitives.js'

export const keyList = defineOperation({
  id: 'key-list',
  method: 'get',
  path: '/key/list',
  tag: 'Keys',
  summary: 'List the keys of the account',
  description:
    'Public halves, in the order of their kids; of their aliases or of their creation where they are searched by these.',
  needs: ['accountKeyList'],
  changes: false,
  query: z.strictObject({
    kms: text('Only those of this KMS', BOUNDS.name).optional(),
    ...heldFields,
    ...pageFields('keys'),
  }),
  response: z.object({ ...pageMembers, keys: z.array(KeyDetails) }).meta({ id: 'KeyList' }),
  responseExample: {
    total: 1,
    keys: [exampleKeyDetails],
  },
  async run({ query, agent }) {
    const { keys, ...page } = await agent.accountKeyList(query)
    return { ...page, keys: keys.map(keyDetails) }
  },
})
