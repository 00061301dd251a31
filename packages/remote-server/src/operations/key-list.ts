import { BOUNDS } from '@vidimus/core-types'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleKid, ManagedKey } from '../schemas/did.js'
import { heldFields, pageFields, pageMembers } from '../schemas/page.js'
import { text } from '../schemas/primitives.js'

const ListedKey = ManagedKey.extend({
  alias: z.string().optional(),
  createdAt: z.string().meta({ description: 'When the account got it' }),
}).meta({ id: 'ListedKey' })

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
  response: z.object({ ...pageMembers, keys: z.array(ListedKey) }).meta({ id: 'KeyList' }),
  responseExample: {
    total: 1,
    keys: [
      {
        kid: exampleKid,
        type: 'Ed25519',
        publicKeyHex: exampleKid,
        kms: 'local',
        alias: 'issuer',
        createdAt: '2027-01-31T12:00:00.000Z',
      },
    ],
  },
  run: ({ query, agent }) => agent.accountKeyList(query),
})
