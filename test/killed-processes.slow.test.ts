import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repeatable } from './behaviour/idempotency.js'
import { createList } from './behaviour/suite.js'
import { CheqdSetup } from './support/cheqd-setup.js'
import { Client } from './support/client.js'
import { decodedByOthers } from './support/decoded-by-others.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { versionsOf } from './support/list-history.js'
import { Service } from './support/service.js'
import { until } from './support/until.js'

const KILLED_AFTER_WRITES = join(import.meta.dirname, 'support/killed-after-writes.mjs')
const BITSTRING = { listType: 'BitstringStatusList' }

interface Job {
  id: string
  state: string
  applied: number
  refused: number
  endedAt?: string
}

for (const place of PLACES) {
  describe(`a process that is killed with the COMMIT of a change (${place})`, () => {
    let dataDirectory: string
    let url: string
    let apiKey: string | undefined
    const services: Service[] = []
    before(async () => {
      dataDirectory = await mkdtemp(join(tmpdir(), 'vidimus-killed-'))
      url = await emptyInstallation(place)
    })
    after(async () => {
      for (const service of services) await service.stop()
      await rm(dataDirectory, { recursive: true, force: true })
    })

    /** @param kill - ends it right after so many transactions with such a statement */
    const start = async (kill?: { statement: string; writes: number }) => {
      const environment = {
        DATABASE_URL: url,
        KMS_SECRET_KEY: 'a5'.repeat(32),
        ...(kill && {
          NODE_OPTIONS: `--import=${KILLED_AFTER_WRITES}`,
          KILL_AFTER_STATEMENT: kill.statement,
          KILL_AFTER_WRITES: String(kill.writes),
        }),
      }
      const service = await Service.start({ dataDirectory, environment })
      services.push(service)
      apiKey ??= (await service.apiKeyOf('issuer')).apiKey
      return { service, client: await Client.of(service.url, apiKey) }
    }

    it('has undone no change of others once the next one repeats its request or continues its job', async () => {
      const one = await start({ statement: 'INSERT INTO idempotent_creation', writes: 1 })
      const list = await createList(one.client, { statusPurpose: ['suspension', 'revocation'] })
      const suspend = { query: { ...BITSTRING, statusAction: 'suspend' }, json: { ...list, indices: [5] } }
      const path = '/credential-status/update/unencrypted'
      const key = 'of the killed process'.replaceAll(' ', '-')
      await assert.rejects(repeatable(one.client, path, suspend, key)())
      await until(() => Promise.resolve(!one.service.running))

      const two = await start({ statement: 'INSERT INTO "ledger_resource"', writes: 2 })
      const reinstate = async (client: Client) => {
        const query = { ...BITSTRING, statusAction: 'reinstate' }
        const { changed } = (await client.ok('POST', path, { ...suspend, query })) as { changed: number[] }
        assert.deepEqual(changed, [5], 'the change of the killed process was there')
      }
      const isSuspended = async (client: Client) => {
        const { suspended } = (await client.ok('POST', '/credential-status/check', {
          query: { ...BITSTRING, statusPurpose: 'suspension' },
          json: { ...list, index: 5, state: 'stored' },
        })) as { suspended: boolean }
        return suspended
      }
      await reinstate(two.client)
      const { status, body } = await repeatable(two.client, path, suspend, key)()
      assert.deepEqual([status, (body as { changed: number[] }).changed], [200, [5]])
      assert.equal(await isSuspended(two.client), false)

      const address = `${list.did}?resourceName=${list.statusListName}&resourceType=BitstringStatusListCredential`
      const rows = ['list,index,action', `${address},5,suspend`, `${address},4,revoke`].join('\n')
      const ordered = two.client.post('/credential-status/jobs', {
        query: { jobId: 'killed' },
        body: rows,
        headers: { 'content-type': 'text/csv' },
      })
      // Its answer may come before the process is killed, or not at all.
      await ordered.catch(() => undefined)
      await until(() => Promise.resolve(!two.service.running))

      const { client } = await start()
      const job = '/credential-status/jobs/killed'
      await client.ok('POST', `${job}/pause`)
      await reinstate(client)
      await client.ok('POST', `${job}/resume`)
      const read = async () => (await client.ok('GET', job)) as Job
      await until(async () => (await read()).state === 'done')
      const { applied, refused } = await read()
      assert.deepEqual([applied, refused], [2, 0])
      assert.equal(await isSuspended(client), false)
    })

    it('leaves a job that it had cancelled to the next one, which counts what the network has of it', async () => {
      const networks = await CheqdSetup.start()
      const on = { configure: networks.configure, environment: networks.environment }
      const folder = await mkdtemp(join(tmpdir(), 'vidimus-killed-'))
      const database = await emptyInstallation(place)
      const startOn = async () => {
        const environment = { ...on.environment, DATABASE_URL: database, KMS_SECRET_KEY: 'a5'.repeat(32) }
        const service = await Service.start({ dataDirectory: folder, configure: on.configure, environment })
        services.push(service)
        return service
      }
      try {
        const one = await startOn()
        const { apiKey: key } = await one.apiKeyOf('canceller')
        const client = await Client.of(one.url, key)
        const { did, statusListName } = await createList(client, { statusPurpose: 'revocation' })
        const held = networks.nodes.testnet.misbehave('holdTransaction')
        const address = `${did}?resourceName=${statusListName}&resourceType=BitstringStatusListCredential`
        const rows = ['list,index,action', `${address},3,revoke`, `${address},4,revoke`].join('\n')
        const headers = { 'content-type': 'text/csv' }
        const path = '/credential-status/jobs/cancelled'
        await client.post('/credential-status/jobs', {
          query: { jobId: 'cancelled' },
          body: rows,
          headers,
        })
        await until(() => Promise.resolve(networks.nodes.testnet.pending.length > 0))
        const cancelled = (await client.ok('POST', `${path}/cancel`)) as Job
        assert.deepEqual([cancelled.state, cancelled.endedAt], ['cancelled', undefined])
        await one.kill()

        const next = await Client.of((await startOn()).url, key)
        held.stop()
        const read = async () => (await next.ok('GET', path)) as Job
        await until(async () => (await read()).endedAt !== undefined)
        const { state, applied, refused } = await read()
        assert.deepEqual([state, applied, refused], ['cancelled', 2, 0])
        assert.deepEqual(await decodedByOthers(next, did, statusListName), [3, 4])
        assert.equal((await versionsOf(next, { did, statusListName })).length, 2)
        const { events } = (await next.ok('GET', '/account/events', { query: { type: 'job.ended' } })) as {
          events: { data: { state: string; applied: number } }[]
        }
        assert.deepEqual(
          events.map(({ data }) => [data.state, data.applied]),
          [['cancelled', 2]],
        )
        const { entries } = (await next.ok('GET', '/account/audit', {
          query: { event: 'job-cancelled' },
        })) as {
          entries: unknown[]
        }
        assert.equal(entries.length, 1)
        assert.deepEqual(await next.ok('POST', `${path}/cancel`), await read())
      } finally {
        await networks.stop()
      }
    })
  })
}
