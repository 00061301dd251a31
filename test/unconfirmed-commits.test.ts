import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from '@vidimus/database'
import pg from 'pg'
import { createDid, createList } from './behaviour/suite.js'
import type { Client, Request } from './support/client.js'
import { FaultProxy } from './support/fault-proxy.js'
import { emptyInstallation } from './support/fresh-database.js'
import { PostgresServer } from './support/postgres-server.js'
import { ServiceHere } from './support/service-here.js'
import { until } from './support/until.js'

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
    const name = new URL(await emptyInstallation('PostgreSQL')).pathname.slice(1)
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

  it('loses no row of a job, which was accepted before its answer was lost', async () => {
    const { statusListName } = await createList(client, { did })
    const address = `${did}?resourceName=${statusListName}&resourceType=BitstringStatusListCredential`
    const file = { headers: { 'content-type': 'text/csv' }, body: `list,index,action\n${address},7,revoke\n` }
    const seen = (jobId: string) => client.get(`/credential-status/jobs/${jobId}`)
    const accepted: string[] = []
    for (let skip = 0; ; skip += 1) {
      assert.ok(skip < MOST_COMMITS, 'every request was cut')
      const jobId = randomUUID()
      // Of this request alone: jobs accepted before are at work meanwhile.
      proxy.impose({ cutting: { at: 'its answer', skip, of: jobId } })
      const { status } = await client.post('/credential-status/jobs', { ...file, query: { jobId } })
      proxy.restore()
      if (status < 400) break
      if ((await seen(jobId)).status === 200) accepted.push(jobId)
    }
    assert.ok(accepted.length > 0)
    for (const jobId of accepted) {
      const job = async () => (await seen(jobId)).body as { state: string; applied: number }
      await until(async () => (await job()).state === 'done')
      assert.equal((await job()).applied, 1)
    }
  })

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
        isCut = first.status === 503 && codeOf(first) === 'outcome_unknown'
        if (first.status === 503 && !isCut) assert.equal(codeOf(first), 'unavailable')
        const isMade = first.status === 200 || (isCut && at === 'its answer')
        const { changed } = (await revoke(index)).body as { changed: number[] }
        assert.deepEqual(changed, isMade ? [] : [index])
      }
    }
  })
})

/** In place of the server's own function, because of the search path: it is cancelled while there is a row that says so. */
const CANCELLED_UNLOCK = `CREATE TABLE public.cancelled (what TEXT);
  CREATE FUNCTION public.pg_advisory_unlock_all() RETURNS VOID LANGUAGE plpgsql AS $$ BEGIN
    IF EXISTS (SELECT 1 FROM public.cancelled) THEN RAISE query_canceled; END IF;
    PERFORM pg_catalog.pg_advisory_unlock_all(); END $$;
  DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$`

const CANCEL_WAITS = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
const DURABILITY = sql`SELECT current_setting('synchronous_commit') AS is`

describe('a COMMIT on PostgreSQL that is confirmed', () => {
  // Settings of a whole server: others must not get them.
  let server: PostgresServer
  let admin: pg.Client
  let service: ServiceHere
  let client: Client
  let list: Awaited<ReturnType<typeof createList>>
  before(async () => {
    server = await PostgresServer.start(['-c', 'fsync=off'])
    const url = await server.createDatabase()
    admin = new pg.Client({ connectionString: url })
    await admin.connect()
    await admin.query(CANCELLED_UNLOCK)
    service = await ServiceHere.start({ url, listen: true })
    client = await service.clientOf('confirmed')
    list = await createList(client, { did: await createDid(client) })
  })
  after(async () => {
    await service.stop()
    await admin.end()
    await server.stop()
  })

  const revoke = (index: number, headers = {}) =>
    client.post('/credential-status/update/unencrypted', {
      query: { listType: 'BitstringStatusList', statusAction: 'revoke' },
      json: { ...list, indices: [index] },
      headers,
    })

  it('counts, whatever becomes of the locks that are given back behind it', async () => {
    await admin.query("INSERT INTO cancelled VALUES ('unlock')")
    const first = await revoke(1)
    await admin.query('DELETE FROM cancelled')
    assert.deepEqual([first.status, (first.body as { changed?: number[] }).changed], [200, [1]])
    // It waits for the lock of the list.
    assert.deepEqual(((await revoke(2)).body as { changed: number[] }).changed, [2])
  })

  it('is unknown if the wait for a standby was cancelled, and found out by the idempotency key', async () => {
    await server.set({ synchronous_standby_names: 'nobody' })
    const cancelling = setInterval(() => void admin.query(CANCEL_WAITS), 10)
    let first = { status: 200, body: undefined as unknown }
    let key = {}
    // The server may take a moment to know the new setting.
    let index = 2
    for (; first.status === 200 && index < 100; index += 1) {
      key = { 'idempotency-key': randomUUID() }
      first = await revoke(index + 1, key)
    }
    clearInterval(cancelling)
    await server.set({ synchronous_standby_names: '' })
    assert.deepEqual([first.status, codeOf(first)], [503, 'outcome_unknown'], JSON.stringify(first.body))
    assert.equal((await revoke(index, key)).status, 200)
    assert.deepEqual(((await revoke(index)).body as { changed: number[] }).changed, [])
  })

  it('is as durable as when its connection was opened, whatever is set for the server later', async () => {
    const sessions = () => service.database.write((connection) => connection.query(DURABILITY))
    await server.set({ synchronous_commit: 'off' })
    await until(async () => {
      const { rows } = await admin.query<{ is: string }>(DURABILITY.text('postgres'))
      return rows[0]?.is === 'off'
    })
    assert.deepEqual(await sessions(), [{ is: 'on' }])
  })
})

const codeOf = ({ body }: { body: unknown }) => (body as { code?: string }).code
