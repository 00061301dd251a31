import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createList } from './behaviour/suite.js'
import { Client } from './support/client.js'
import { Service } from './support/service.js'
import { assertLinear, atOnce, statesOf, update, versionsOf, type Update } from './support/list-history.js'

const ENTRIES = 131_072
const CLIENTS = 64

/** Status lists under everything that many callers and several processes do to them; `npm run trials` has more of it, and kills. */
describe('status list trials', () => {
  let dataDirectory: string
  let services: Service[]
  let clients: Client[]

  before(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'vidimus-trials-'))
    const first = await Service.start({ dataDirectory, environment: { LOG_LEVEL: 'warn' } })
    const second = await Service.start({ dataDirectory, environment: { LOG_LEVEL: 'warn' } })
    services = [first, second]
    const client = await Client.of(first.url, first.apiKey)
    clients = [client, await Client.of(second.url, first.apiKey)]
  })
  after(async () => {
    for (const service of services) await service.stop()
    await rm(dataDirectory, { recursive: true, force: true })
  })

  const client = (): Client => clients[0] ?? assert.fail()

  it('preserve all of 700 concurrent updates by 64 clients, and nothing else', async () => {
    const list = await createList(client())
    const indices = Array.from({ length: 700 }, (_, n) => (n * 60_013) % ENTRIES)
    await atOnce(CLIENTS, indices, (index) => update(client(), list, { indices: [index], action: 'revoke' }))
    assert.deepEqual(await statesOf(client(), list, 'revocation'), mapOf(indices, 1))
    assertLinear(await versionsOf(client(), list))
  })

  it('preserve the updates of two processes while others are refused', async () => {
    const list = await createList(client(), { body: { ttl: 60_000 } })
    const indices = Array.from({ length: 400 }, (_, n) => n * 131)
    const refused = { range: 0, action: 0, final: 0 }
    await update(client(), list, { indices: [7], action: 'revoke' })
    await atOnce(CLIENTS, indices, async (index, n) => {
      const via = clients[n % clients.length] ?? client()
      const answers = await Promise.all([
        update(via, list, { indices: [index], action: 'revoke' }),
        ...(n % 5 === 0 ? [attempt(via, list, { indices: [index + 1, ENTRIES], action: 'revoke' })] : []),
        ...(n % 5 === 1 ? [attempt(via, list, { indices: [index + 1], action: 'explode' })] : []),
        ...(n % 5 === 2 ? [attempt(via, list, { indices: [index + 1, 7], action: 'reinstate' })] : []),
      ])
      for (const answer of answers) {
        if (answer === 'index_out_of_range') refused.range++
        if (answer === 'unknown_action') refused.action++
        if (answer === 'irreversible') refused.final++
      }
    })
    assert.deepEqual(refused, { range: 80, action: 80, final: 80 })
    assert.deepEqual(await statesOf(client(), list, 'revocation'), mapOf([7, ...indices], 1))
    assertLinear(await versionsOf(client(), list))
  })

  it('keep updates of different versions apart', async () => {
    const list = await createList(client())
    const indices = Array.from({ length: 300 }, (_, n) => n)
    await atOnce(CLIENTS, indices, async (index, n) => {
      const version = `release ${n % 3}`
      const answer = await update(client(), list, { indices: [index], action: 'revoke', version })
      assert.equal(answer.resourceMetadata.resourceVersion, version)
    })
    assert.deepEqual(await statesOf(client(), list, 'revocation'), mapOf(indices, 1))
    assertLinear(await versionsOf(client(), list))
  })

  it('end in the state of the last change when suspensions and reinstatements race', async () => {
    const list = await createList(client(), { statusPurpose: ['revocation', 'suspension'] })
    const changes: { index: number; action: string; resourceId: string }[] = []
    const turns = Array.from({ length: 400 }, (_, n) => ({
      index: n % 10,
      action: n % 3 ? 'suspend' : 'reinstate',
    }))
    await atOnce(CLIENTS, turns, async ({ index, action }, n) => {
      const via = clients[n % clients.length] ?? client()
      const { changed, resourceMetadata } = await update(via, list, { indices: [index], action })
      if (changed.includes(index)) changes.push({ index, action, resourceId: resourceMetadata.resourceId })
    })
    const versions = await versionsOf(client(), list)
    assertLinear(versions)
    const order = new Map(versions.map(({ resourceId }, n) => [resourceId, n]))
    const place = ({ resourceId }: { resourceId: string }) =>
      order.get(resourceId) ?? assert.fail('an unknown version')
    const expected = new Map<number, number>()
    for (const { index, action } of changes.sort((one, other) => place(one) - place(other))) {
      // every acknowledged change changed something: no two of the same kind follow each other
      assert.equal(expected.get(index) ?? 0, action === 'suspend' ? 0 : 2)
      expected.set(index, action === 'suspend' ? 2 : 0)
    }
    const suspended = [...expected].filter(([, value]) => value !== 0)
    assert.deepEqual(
      await statesOf(client(), list, 'suspension'),
      new Map(suspended.sort(([a], [b]) => a - b)),
    )
  })
})

/** @returns the code of the refusal */
async function attempt(
  client: Client,
  list: { did: string; statusListName: string },
  change: Update,
): Promise<string> {
  const { status, body } = await client.post('/credential-status/update/unencrypted', {
    query: { listType: 'BitstringStatusList', statusAction: change.action },
    json: { ...list, indices: change.indices },
  })
  assert.equal(status, 400)
  return (body as { code: string }).code
}

const mapOf = (indices: readonly number[], value: number) =>
  new Map([...new Set(indices)].sort((a, b) => a - b).map((index) => [index, value]))
