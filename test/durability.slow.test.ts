import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from './support/client.js'
import { assertLinear, statesOf, versionsOf } from './support/list-history.js'
import { Service } from './support/service.js'
import { issueWithStatus } from './behaviour/credential-status.js'
import { check, update } from './behaviour/status-list.js'
import { createDid, createList } from './behaviour/suite.js'

describe('durability', () => {
  let dataDirectory: string
  beforeEach(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'vidimus-durability-'))
  })
  afterEach(() => rm(dataDirectory, { recursive: true, force: true }))

  it('keeps everything answered with 200 through repeated kill -9 under load', async () => {
    let apiKey: string | undefined
    let list: Awaited<ReturnType<typeof createList>> | undefined
    const dids: string[] = []
    const revoked: number[] = []
    const sent = new Set<number>()
    let next = 0
    for (let round = 0; round < 2; round++) {
      const service = await Service.start({ dataDirectory })
      apiKey ??= service.apiKey
      const client = await Client.of(service.url, apiKey)
      const shared = (list ??= await createList(client))
      await assertAllThere(client, shared, dids, { revoked, sent })
      const acknowledgedBefore = dids.length + revoked.length
      let enough: () => void = () => undefined
      const loaded = new Promise<void>((resolve) => (enough = resolve))
      const work = Array.from({ length: 16 }, async (_, worker) => {
        for (;;) {
          const index = next++
          try {
            if (worker % 2) {
              dids.push(await createDid(client))
            } else {
              sent.add(index)
              await update(client, shared, [index])
              revoked.push(index)
            }
          } catch {
            return
          }
          if (dids.length + revoked.length > acknowledgedBefore + 60) enough()
        }
      })
      await loaded
      await service.kill()
      await Promise.all(work)
    }
    const service = await Service.start({ dataDirectory })
    const client = await Client.of(service.url, apiKey)
    assert.ok(dids.length > 20 && revoked.length > 20)
    assert.ok(list)
    await assertAllThere(client, list, dids, { revoked, sent })
    await assertNothingHalfDone(client)
    assert.equal(await service.stop(), 0)
  })

  it('never allocates an index twice, and registers all credentials, in two processes and through kill -9', async () => {
    const given: number[] = []
    const ids: string[] = []
    let list: Awaited<ReturnType<typeof createList>> | undefined
    let apiKey: string | undefined
    for (let round = 0; round < 2; round++) {
      const services = [await Service.start({ dataDirectory }), await Service.start({ dataDirectory })]
      apiKey ??= services[0]?.apiKey
      const clients = await Promise.all(services.map(({ url }) => Client.of(url, apiKey)))
      const [first] = clients
      assert.ok(first)
      const { did, statusListName } = (list ??= await createList(first))
      const before = given.length
      let enough: () => void = () => undefined
      const loaded = new Promise<void>((resolve) => (enough = resolve))
      const work = Array.from({ length: 16 }, async (_, worker) => {
        const client = clients[worker % 2] ?? first
        for (;;) {
          try {
            const { id, credentialStatus } = await issueWithStatus(client, did, { statusListName })
            given.push(Number(credentialStatus.statusListIndex))
            ids.push(String(id))
          } catch {
            return
          }
          if (given.length > before + 100) enough()
        }
      })
      await loaded
      await Promise.all(services.map((service) => service.kill()))
      await Promise.all(work)
    }
    assert.ok(given.length > 200)
    assert.equal(new Set(given).size, given.length)
    const service = await Service.start({ dataDirectory })
    const client = await Client.of(service.url, apiKey)
    const revoke = (credentialId: string) =>
      client.ok('POST', '/credential/revoke', { json: { credentialId } })
    // Within the share of one account.
    for (let from = 0; from < ids.length; from += 100)
      await Promise.all(ids.slice(from, from + 100).map(revoke))
    const { results = [] } = await check(client, list ?? assert.fail(), { indices: given })
    assert.deepEqual([results.length, results.filter(({ revoked }) => !revoked)], [given.length, []])
    await service.stop()
  })

  it('loses no acknowledged update of two processes if the shared memory of SQLite is deleted', async () => {
    const first = await Service.start({ dataDirectory })
    const one = await Client.of(first.url, first.apiKey)
    const list = await createList(one)
    await rm(join(dataDirectory, 'agent.sqlite-shm'))
    const second = await Service.start({ dataDirectory })
    const other = await Client.of(second.url, first.apiKey)
    const acknowledged: number[] = []
    const updates = Array.from({ length: 40 }, async (_, index) => {
      await update(index % 2 ? one : other, list, [index])
      acknowledged.push(index)
    })
    const outcomes = await Promise.allSettled(updates)
    const refused = outcomes.filter(({ status }) => status === 'rejected').length
    assert.deepEqual([acknowledged.length, refused], [20, 20])
    assert.ok(/agent\.sqlite-shm.*the database file was deleted or replaced/.test(first.log))
    // The last one to close moves the log into the file.
    await second.stop()
    await first.stop()
    const again = await Service.start({ dataDirectory })
    const { results = [] } = await check(await Client.of(again.url, first.apiKey), list, {
      indices: acknowledged,
    })
    assert.ok(results.length === 20 && results.every(({ revoked }) => revoked))
    await again.stop()
  })

  it('answers accepted requests before it stops', async () => {
    const service = await Service.start({ dataDirectory })
    const client = await Client.of(service.url, service.apiKey)
    const list = await createList(client)
    const answers = Array.from({ length: 30 }, (_, index) => update(client, list, [index]))
    await answers[0]
    const stopped = service.stop()
    const outcomes = await Promise.allSettled(answers)
    assert.equal(await stopped, 0)
    const acknowledged = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []))
    const again = await Service.start({ dataDirectory })
    const { results = [] } = await check(await Client.of(again.url, service.apiKey), list, {
      indices: acknowledged,
    })
    assert.ok(results.every(({ revoked }) => revoked))
    await again.stop()
  })
})

async function assertAllThere(
  client: Client,
  list: Awaited<ReturnType<typeof createList>>,
  dids: readonly string[],
  { revoked, sent }: { revoked: readonly number[]; sent: ReadonlySet<number> },
): Promise<void> {
  const { dids: known } = (await client.ok('GET', '/did/list', { query: { limit: '1000' } })) as {
    dids: string[]
  }
  for (const did of dids) {
    assert.ok(known.includes(did), `${did} is lost`)
    await client.ok('POST', '/credential/issue', {
      json: { issuerDid: did, subjectDid: did, attributes: { a: 1 } },
    })
  }
  const states = await statesOf(client, list, 'revocation')
  for (const index of revoked) assert.ok(states.has(index), `${index} is lost`)
  for (const index of states.keys()) assert.ok(sent.has(index), `${index} was never sent`)
  assertLinear(await versionsOf(client, list))
}

/** Every DID of the account resolves and can sign, those of interrupted calls included. */
async function assertNothingHalfDone(client: Client): Promise<void> {
  const { dids } = (await client.ok('GET', '/did/list', { query: { limit: '1000' } })) as { dids: string[] }
  for (const did of dids) {
    await client.ok('POST', '/credential/issue', {
      json: { issuerDid: did, subjectDid: did, attributes: { a: 1 } },
    })
  }
}
