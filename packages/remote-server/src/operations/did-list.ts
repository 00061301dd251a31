import { BOUNDS } from '@vidimus/core-types'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleDid, Network } from '../schemas/did.js'
import { heldFields, pageFields, pageMembers } from '../schemas/page.js'
import { text } from '../schemas/primitives.js'

const ListedDid = z
  .object({
    did: z.string(),
    provider: z.string(),
    alias: z.string().optional(),
    controllerKeyId: z.string().optional(),
    services: z.array(z.record(z.string(), z.unknown())),
  })
  .meta({ id: 'ListedDid' })

export const didList = defineOperation({
  id: 'did-list',
  method: 'get',
  path: '/did/list',
  tag: 'DIDs',
  summary: 'List the DIDs of the account',
  description:
    'In the order of their text; of their aliases or of their creation where they are searched by these.',
  needs: ['accountDidList'],
  changes: false,
  query: z.strictObject({
    network: Network.optional(),
    provider: text('Only those of this provider of DIDs', BOUNDS.name).optional(),
    ...heldFields,
    metadata: z.boolean().default(false).meta({ description: 'Objects in place of bare DIDs' }),
    ...pageFields('DIDs'),
  }),
  response: z
    .object({ ...pageMembers, dids: z.union([z.array(z.string()), z.array(ListedDid)]) })
    .meta({ id: 'DidList' }),
  responseExample: { total: 1, dids: [exampleDid] },
  async run({ query, agent }) {
    const { dids, ...page } = await agent.accountDidList(query)
    return { ...page, dids: query.metadata ? dids : dids.map(({ did }) => did) }
  },
})
