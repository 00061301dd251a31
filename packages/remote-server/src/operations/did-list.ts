import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleDid, Network } from '../schemas/did.js'
import { text } from '../schemas/primitives.js'

const MOST_PER_PAGE = 10_000

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
  description: `In the order of their text, ${MOST_PER_PAGE} of them at the most.`,
  needs: ['didManagerFind'],
  changes: false,
  query: z.strictObject({
    network: Network.optional(),
    provider: text('Only those of this provider of DIDs', 255).optional(),
    metadata: z.boolean().default(false).meta({ description: 'Objects in place of bare DIDs' }),
    page: z.int().min(1).max(1_000_000).default(1).meta({ description: 'From 1 on' }),
    limit: z.int().min(1).max(MOST_PER_PAGE).default(MOST_PER_PAGE).meta({ description: 'DIDs on a page' }),
  }),
  response: z
    .object({
      total: z.int().meta({ description: 'All that fit, on every page' }),
      dids: z.union([z.array(z.string()), z.array(ListedDid)]),
    })
    .meta({ id: 'DidList' }),
  responseExample: { total: 1, dids: [exampleDid] },
  async run({ query: { network, provider, metadata, page, limit }, agent }) {
    const found = await agent.didManagerFind(provider === undefined ? {} : { provider })
    const fitting = found
      .filter(({ did }) => network === undefined || did.startsWith(`did:cheqd:${network}:`))
      .sort((a, b) => (a.did < b.did ? -1 : 1))
    const shown = fitting.slice((page - 1) * limit, page * limit)
    return {
      total: fitting.length,
      dids: metadata
        ? shown.map(({ did, provider, alias, controllerKeyId, services }) => ({
            did,
            provider,
            ...(alias !== undefined && { alias }),
            ...(controllerKeyId !== undefined && { controllerKeyId }),
            services,
          }))
        : shown.map(({ did }) => did),
    }
  },
})
