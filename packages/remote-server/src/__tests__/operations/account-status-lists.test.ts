import assert from 'node:assert/strict'
import { AgentError, placeText, readPlace } from '@vidimus/core-types'
import { accountStatusLists } from '../../operations/account-status-lists.js'
import type { ServiceAgent } from '../../service-agent.js'

const did = (n: number) => `did:cheqd:testnet:${String(n).padStart(5, '0')}`

/** An account with many DIDs, of which a few publish lists. */
function accountWith(lists: ReadonlyMap<string, readonly string[]>, dids: readonly string[]) {
  const asked = { dids: 0, resources: 0 }
  const agent = {
    accountDidList: ({ limit, after }: { limit: number; after: string }) => {
      asked.dids += 1
      const [behind = ''] = readPlace(after, 1)
      const fitting = dids.filter((one) => one > behind)
      const page = fitting.slice(0, limit)
      const next = fitting.length > limit ? { next: placeText([page.at(-1) ?? '']) } : {}
      return Promise.resolve({ dids: page.map((one) => ({ did: one })), total: dids.length, ...next })
    },
    linkedResourceListNewest: (args: { did: string; limit: number; after?: string }) => {
      asked.resources += 1
      if (args.did.includes('mainnet')) throw new AgentError('did_not_resolvable', 'no ledger')
      const [behind = ''] = args.after === undefined ? [] : readPlace(args.after, 2)
      const fitting = (lists.get(args.did) ?? []).filter((name) => name > behind)
      const names = fitting.slice(0, args.limit)
      const next = fitting.length > args.limit ? { next: placeText([names.at(-1) ?? '', 'T']) } : {}
      const resources = names.map((resourceName) => ({
        versions: 1,
        metadata: { resourceName, resourceType: 'T' },
      }))
      return Promise.resolve({ total: 0, resources, ...next })
    },
  } as unknown as ServiceAgent
  return { agent, asked }
}

async function pages(agent: ServiceAgent, limit: number) {
  const all: { names: string[]; isWhole: boolean }[] = []
  for (let after: string | undefined; ;) {
    const { lists, next, isWhole } = await accountStatusLists(agent, ['T'], { limit, after })
    all.push({ names: lists.map((one) => `${one.did} ${one.metadata.resourceName}`), isWhole })
    if (next === undefined) return all
    after = next
  }
}

describe('status lists of an account', () => {
  const dids = [
    'did:cheqd:mainnet:1',
    ...Array.from({ length: 250 }, (_, n) => did(n)),
    ...Array.from({ length: 300 }, (_, n) => `did:key:z${n}`),
  ].sort()
  const lists = new Map([
    [did(0), ['a', 'b', 'c']],
    [did(20), ['a']],
    [did(120), ['a']],
    [did(249), ['a', 'b']],
  ])
  const names = [...lists].flatMap(([publisher, all]) => all.map((name) => `${publisher} ${name}`))

  for (const limit of [1, 2, 3, 4, 100]) {
    it(`are found once each with ${limit} per page, reading few DIDs per page`, async () => {
      const { agent, asked } = accountWith(lists, dids)
      const read = await pages(agent, limit)
      assert.deepEqual(
        read.flatMap((page) => page.names),
        names,
      )
      assert.ok(read.every((page) => page.names.length <= limit && !page.isWhole))
      assert.ok(asked.dids <= read.length)
      assert.ok(asked.resources <= 101 * read.length)
    })
  }

  it('are marked as complete if they fit on one page', async () => {
    const { agent } = accountWith(lists, [did(0), did(20)])
    assert.deepEqual(await pages(agent, 100), [{ names: names.slice(0, 4), isWhole: true }])
  })

  it('cannot be requested by page number or with an invented cursor', async () => {
    const { agent } = accountWith(lists, dids)
    await assert.rejects(accountStatusLists(agent, [], { limit: 1, page: 2 }), { code: 'invalid_input' })
    await assert.rejects(accountStatusLists(agent, [], { limit: 1, after: 'x' }), { code: 'invalid_input' })
  })
})
