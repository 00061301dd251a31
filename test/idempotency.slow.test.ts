import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { repeatable } from './behaviour/idempotency.js'
import { createDid } from './behaviour/suite.js'
import type { Client, Request } from './support/client.js'
import { withFleet } from './trials/fleet.js'

interface Repeated {
  path: string
  request: Request
  key: string
}

/** DIDs, keys and lists in rotation. */
const creationOf = (publisher: string, n: number): Repeated => {
  const key = randomUUID()
  if (n % 3 === 0) return { path: '/did/create', request: { json: { network: 'testnet' } }, key }
  if (n % 3 === 1) return { path: '/key/create', request: { json: { alias: `key ${n}` } }, key }
  return {
    path: '/credential-status/create/unencrypted',
    request: {
      query: { listType: 'StatusList2021', statusPurpose: 'revocation' },
      json: { did: publisher, statusListName: `list ${n}` },
    },
    key,
  }
}

describe('interrupted requests with an idempotency key', () => {
  it('create one DID, one key and one list each through kill -9 at any moment', () =>
    withFleet({ processes: 1 }, async (fleet) => {
      const client = fleet.client()
      const publisher = await createDid(client)
      const creations = Array.from({ length: 24 }, (_, n) => creationOf(publisher, n))
      const answered = new Map<string, unknown>()
      for (let round = 0; round < 3; round += 1) {
        let [count, killed] = [0, Promise.resolve()]
        await Promise.all(
          creations.map(async (creation) => {
            await sent(client, creation, answered).catch(refuseAssertions)
            count += 1
            if (count === round * 7 + 2) killed = fleet.kill(fleet.member(0))
          }),
        )
        await killed
        await fleet.restart(fleet.member(0))
      }
      for (const creation of creations) await sent(client, creation, answered)
      const made = creations.flatMap(({ path, key }) =>
        path === '/did/create' ? [(answered.get(key) as { did: string }).did] : [],
      )
      const { dids } = (await client.ok('GET', '/did/list', { query: { limit: '1000' } })) as {
        dids: string[]
      }
      assert.deepEqual(dids.sort(), [publisher, ...made].sort())
    }))
})

/** Whatever was answered once is answered again. */
async function sent(
  client: Client,
  { path, request, key }: Repeated,
  answered: Map<string, unknown>,
): Promise<void> {
  const { status, body } = await repeatable(client, path, request, key)()
  assert.equal(status, 200, JSON.stringify(body))
  if (answered.has(key)) assert.deepEqual(body, answered.get(key))
  answered.set(key, body)
}

/** Broken connections are intended; wrong responses are not. */
function refuseAssertions(error: unknown): void {
  if (error instanceof assert.AssertionError) throw error
}
