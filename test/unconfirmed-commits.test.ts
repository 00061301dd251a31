import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createDid, createList } from './behaviour/suite.js'
import type { Client, Request } from './support/client.js'
import { FaultProxy } from './support/fault-proxy.js'
import { PostgresServer } from './support/postgres-server.js'
import { ServiceHere } from './support/service-here.js'

/** More than a request has: then none was cut. */
const MOST_COMMITS = 12

describe('a COMMIT on PostgreSQL that is not confirmed', function () {
  let proxy: FaultProxy
  let service: ServiceHere
  let client: Client
  let did: string
  before(async () => {
    const server = await PostgresServer.shared()
    proxy = await FaultProxy.inFrontOf(server.port)
    const name = new URL(await server.createDatabase()).pathname.slice(1)
    service = await ServiceHere.start({ url: server.urlOf(name, proxy.port), listen: true })
    client = await service.clientOf('unconfirmed')
    did = await createDid(client)
  })
  after(async () => {
    await service.stop()
    await proxy.close()
  })

  const listed = async (path: string, member: string) =>
    ((await client.ok('GET', path, { query: { limit: '1000' } })) as Record<string, unknown[]>)[member]
      ?.length ?? 0
  const operations: Record<string, { path: string; request: () => Request; count: () => Promise<number> }> = {
    'a DID': {
      path: '/did/create',
      request: () => ({ json: { network: 'testnet' } }),
      count: () => listed('/did/list', 'dids'),
    },
    'a key': {
      path: '/key/create',
      request: () => ({ json: { alias: randomUUID() } }),
      count: () => listed('/key/list', 'keys'),
    },
    'a status list': {
      path: '/credential-status/create/unencrypted',
      request: () => ({
        query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
        json: { did, statusListName: randomUUID() },
      }),
      count: async () =>
        (
          (await client.ok('GET', '/credential-status/list', { query: { did } })) as {
            statusLists: unknown[]
          }
        ).statusLists.length,
    },
  }

  for (const [what, { path, request, count }] of Object.entries(operations)) {
    for (const at of ['COMMIT', 'its answer'] as const) {
      it(`is found out by the same request with its idempotency key: ${what}, cut instead of ${at}`, async () => {
        for (let skip = 0; ; skip += 1) {
          assert.ok(skip < MOST_COMMITS, 'every request was cut')
          const sent = { ...request(), headers: { 'idempotency-key': randomUUID() } }
          const [before, cuts] = [await count(), proxy.cutCommits]
          proxy.impose({ cutting: { at, skip } })
          const first = await client.post(path, sent)
          const isCut = proxy.cutCommits > cuts
          proxy.restore()
          const second = first.status === 200 ? first : await client.post(path, sent)
          assert.equal(second.status, 200, JSON.stringify(second.body))
          assert.equal(await count(), before + 1, `COMMIT ${skip + 1}`)
          if (!isCut) break
          if (first.status !== 200)
            assert.deepEqual(
              [first.status, codeOf(first)],
              [503, 'outcome_unknown'],
              JSON.stringify(first.body),
            )
        }
      })
    }
  }

  it('leaves a status list as the change wants it', async () => {
    const list = await createList(client, { did })
    const revoke = (index: number) =>
      client.post('/credential-status/update/unencrypted', {
        query: { listType: 'BitstringStatusList', statusAction: 'revoke' },
        json: { ...list, indices: [index] },
      })
    let index = 0
    for (const at of ['COMMIT', 'its answer'] as const) {
      for (let isCut = false; !isCut; index += 1) {
        proxy.impose({ cutting: { at } })
        const first = await revoke(index)
        proxy.restore()
        // Otherwise it was a COMMIT of the service's own work.
        isCut = first.status === 503
        if (isCut) assert.equal(codeOf(first), 'outcome_unknown')
        const { changed } = (await revoke(index)).body as { changed: number[] }
        assert.deepEqual(changed, isCut && at === 'COMMIT' ? [index] : [])
      }
    }
  })
})

const codeOf = ({ body }: { body: unknown }) => (body as { code?: string }).code
