import { HeldDid, holdingsMethods, pageEnd } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleDid } from '../schemas/did.js'
import { pageFields } from '../schemas/page.js'

const {
  page: _page,
  after: _after,
  limit: _limit,
  ...search
} = holdingsMethods.accountDidList.arguments.shape

const ListedDid = HeldDid.required({ provider: true, services: true }).meta({ id: 'ListedDid' })

export const didList = defineOperation({
  id: 'did-list',
  method: 'get',
  path: '/did/list',
  tag: 'DIDs',
  summary: 'List the DIDs of the account',
  description: 'Ordered by DID, or by alias or creation if filtered by these.',
  needs: ['accountDidList'],
  changes: false,
  query: z.strictObject({
    ...search,
    metadata: z.boolean().default(false).meta({ description: 'Return objects instead of bare DIDs' }),
    ...pageFields('DIDs'),
  }),
  response: z
    .object({ ...pageEnd, dids: z.union([z.array(z.string()), z.array(ListedDid)]) })
    .meta({ id: 'DidList' }),
  responseExample: { total: 1, dids: [exampleDid] },
  async run({ query, agent }) {
    const { dids, ...page } = await agent.accountDidList(query)
    return { ...page, dids: query.metadata ? dids : dids.map(({ did }) => did) }
  },
})
