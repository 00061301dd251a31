import assert from 'node:assert/strict'
import { createDid, createList } from './behaviour/suite.js'
import type { ListedWork } from '@vidimus/core-types'
import { CheqdSetup } from './support/cheqd-setup.js'
import type { Client } from './support/client.js'
import { decodedByOthers } from './support/decoded-by-others.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { assertRefused } from './support/refused.js'
import { ServiceHere } from './support/service-here.js'
import { until } from './support/until.js'

interface Entry {
  credentialHash: string
  list: string
  index: number
}

interface Job {
  id: string
  state: string
  applied: number
  refused: number
  endedAt?: string
}

interface Usage {
  networks: { testnet: { spendToday: { used: number } } }
}

interface Issued {
  id: string
  proof: { jwt: string }
}

for (const place of PLACES) {
  describe(`the register and mass changes on a cheqd network (${place})`, () => {
    let networks: CheqdSetup
    let service: ServiceHere
    let client: Client
    let did: string
    /** what a version costs, in millicheq */
    let fee: number

    before(async () => {
      networks = await CheqdSetup.start({ maxSpendPerDayCheq: 10_000 })
      service = await ServiceHere.start({
        url: await emptyInstallation(place),
        listen: true,
        environment: networks.environment,
        configure: networks.configure,
      })
      client = await service.clientOf('issuer')
      did = await createDid(client)
      const { statusListName } = await createList(client, { did })
      const revoking = await costOf(async () => {
        await client.ok('POST', '/credential-status/update/unencrypted', {
          query: { listType: 'BitstringStatusList', statusAction: 'revoke' },
          json: { did, statusListName, indices: [1] },
        })
      })
      assert.equal(revoking.made, 1)
      assert.ok(revoking.each > 0)
      fee = revoking.each
    })
    after(async () => {
      await service.stop()
      await networks.stop()
    })

    const issue = async (statusListName: string) =>
      (await client.ok('POST', '/credential/issue', {
        json: { issuerDid: did, attributes: { name: 'Bob' }, credentialStatus: { statusListName } },
      })) as Issued
    const entries = async (query: Record<string, string>) =>
      ((await client.ok('GET', '/credential/entries', { query })) as { entries: Entry[] }).entries
    const valid = async (credential: string) =>
      ((await client.ok('POST', '/credential/verify', { json: { credential } })) as { verified: boolean })
        .verified
    const versions = async (statusListName: string) => {
      const { statusLists } = (await client.ok('GET', '/credential-status/list', { query: { did } })) as {
        statusLists: { statusListName: string; versions: number }[]
      }
      return statusLists.find((one) => one.statusListName === statusListName)?.versions ?? 0
    }
    const spent = async () =>
      ((await client.ok('GET', '/account/usage')) as Usage).networks.testnet.spendToday.used
    const transactions = () => networks.nodes.testnet.chain.transactions.length
    /** What something sends to the network, and what of it the account is charged with for each, in millicheq. */
    const costOf = async (work: () => Promise<void>) => {
      const [sent, paid] = [transactions(), await spent()]
      await work()
      const made = transactions() - sent
      return { made, each: Math.round((((await spent()) - paid) * 1000) / made) }
    }
    const addressOf = (statusListName: string) =>
      `${did}?resourceName=${statusListName}&resourceType=BitstringStatusListCredential`
    const path = ({ id }: Job) => `/credential-status/jobs/${id}`
    const read = async (job: Job) => (await client.ok('GET', path(job))) as Job
    const start = async (rows: readonly string[]) => {
      const { status, body } = await client.post('/credential-status/jobs', {
        body: ['credentialId,list,index,action', ...rows].join('\n'),
        headers: { 'content-type': 'text/csv' },
      })
      assert.equal(status, 202, JSON.stringify(body))
      return body as Job
    }
    const ended = async (job: Job) => {
      await until(async () => ['done', 'failed'].includes((await read(job)).state))
      const { state, applied, refused } = await read(job)
      return { state, applied, refused }
    }

    it('find a credential by its id and by its entry, and revoke it with one version', async () => {
      const { statusListName } = await createList(client, { did })
      const [one, two] = [await issue(statusListName), await issue(statusListName)]
      const [entry, ...others] = await entries({ credentialId: one.id })
      assert.ok(entry)
      assert.deepEqual(others, [])
      assert.deepEqual(await entries({ list: entry.list, index: String(entry.index) }), [entry])
      const revoking = await costOf(async () => {
        const { changed } = (await client.ok('POST', '/credential/revoke', {
          json: { credentialId: one.id },
        })) as { changed: number[] }
        assert.deepEqual(changed, [entry.index])
      })
      assert.deepEqual(revoking, { made: 1, each: fee })
      assert.deepEqual([await valid(one.proof.jwt), await valid(two.proof.jwt)], [false, true])
      assert.deepEqual(await decodedByOthers(client, did, statusListName), [entry.index])
    })

    it('publish a file of changes in as few versions as lists, which are what the account pays for', async () => {
      const lists = [await createList(client, { did }), await createList(client, { did })]
      const [first = '', second = ''] = lists.map(({ statusListName }) => statusListName)
      const named = await issue(first)
      const [{ index = -1 } = {}] = await entries({ credentialId: named.id })
      const indices = Array.from({ length: 500 }, (_, n) => n * 200 + 1).filter((n) => n !== index)
      const rows = [first, second].flatMap((name) => indices.map((n) => `,${addressOf(name)},${n},revoke`))
      const cost = await costOf(async () => {
        const result = await ended(await start([`${named.id},,,revoke`, ...rows, 'urn:uuid:nobody,,,revoke']))
        assert.deepEqual(result, { state: 'done', applied: rows.length + 1, refused: 1 })
      })
      assert.deepEqual(cost, { made: lists.length, each: fee })
      assert.deepEqual([await versions(first), await versions(second)], [2, 2])
      assert.deepEqual(
        await decodedByOthers(client, did, first),
        [...indices, index].sort((a, b) => a - b),
      )
      assert.deepEqual(await decodedByOthers(client, did, second), indices)
    })

    it('end once the fate of a version is known that was under way when they were cancelled', async () => {
      const lists = [await createList(client, { did }), await createList(client, { did })]
      const [first = '', second = ''] = lists.map(({ statusListName }) => statusListName)
      const held = networks.nodes.testnet.misbehave('holdTransaction')
      const job = await start([first, second].map((name) => `,${addressOf(name)},1,revoke`))
      const behind = await start([`,${addressOf(second)},2,revoke`])
      await until(() => Promise.resolve(networks.nodes.testnet.pending.length > 0))
      const cancel = async (of: Job) => (await client.ok('POST', `${path(of)}/cancel`)) as Job
      const waiting = await cancel(behind)
      assert.deepEqual([waiting.state, waiting.endedAt !== undefined], ['cancelled', true])
      const cancelled = await cancel(job)
      assert.deepEqual([cancelled.state, cancelled.applied, cancelled.endedAt], ['cancelled', 0, undefined])
      for (const act of ['cancel', 'pause', 'resume'])
        assert.equal(((await client.ok('POST', `${path(job)}/${act}`)) as Job).state, 'cancelled', act)
      const { items } = (await client.ok('GET', '/work', { query: { kind: 'job' } })) as {
        items: ListedWork[]
      }
      const [item, ...others] = items
      assert.deepEqual([item?.subject, others], [job.id, []])
      assert.ok(item?.can.every((action) => action === 'retry'))
      for (const act of ['cancel', 'pause'])
        assertRefused(await client.post(`/work/${item?.id}/${act}`), { code: 'not_possible', path: 'id' })
      held.stop()
      await until(async () => (await read(job)).endedAt !== undefined)
      const { state, applied, refused } = await read(job)
      assert.deepEqual({ state, applied, refused }, { state: 'cancelled', applied: 1, refused: 0 })
      assert.deepEqual([await versions(first), await versions(second)], [2, 1])
      assert.deepEqual(await decodedByOthers(client, did, first), [1])
      const { events } = (await client.ok('GET', '/account/events', {
        query: { limit: '1000', type: 'job.ended' },
      })) as { events: { subject: string; data: { state: string; applied: number } }[] }
      assert.deepEqual(
        events.filter(({ subject }) => subject === job.id).map(({ data }) => [data.state, data.applied]),
        [['cancelled', 1]],
      )
      assert.equal((await read(behind)).applied, 0)
    })

    it('go on after a pause, and pay for each version once', async () => {
      const { statusListName } = await createList(client, { did })
      const indices = Array.from({ length: 50 }, (_, n) => n)
      const cost = await costOf(async () => {
        const job = await start(indices.map((n) => `,${addressOf(statusListName)},${n},revoke`))
        await client.ok('POST', `${path(job)}/pause`)
        await client.ok('POST', `${path(job)}/resume`)
        assert.deepEqual(await ended(job), { state: 'done', applied: indices.length, refused: 0 })
      })
      assert.deepEqual(cost, { made: 1, each: fee })
      assert.deepEqual(await decodedByOthers(client, did, statusListName), indices)
    })
  })
}
