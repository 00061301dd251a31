import assert from 'node:assert/strict'
import { emptyInstallation } from './support/fresh-database.js'
import type { Client } from './support/client.js'
import { ServiceHere } from './support/service-here.js'
import { S3Double } from './support/s3-double.js'
import {
  didOf,
  listOf,
  publishesIntoFolder,
  revoke,
  served,
  startOn,
} from './support/static-publication-suite.js'
import { until } from './support/until.js'

publishesIntoFolder('SQLite')

describe('static publication in a bucket', () => {
  let store: S3Double
  let service: ServiceHere
  let client: Client
  before(async () => {
    store = await S3Double.start()
    const environment = {
      S3_BUCKET: store.bucket,
      S3_ENDPOINT: store.url,
    }
    process.env.AWS_ACCESS_KEY_ID = 'id'
    process.env.AWS_SECRET_ACCESS_KEY = 'secret'
    ;({ service, client } = await startOn('SQLite', environment, 's3'))
  })
  after(async () => {
    await service.stop()
    await store.stop()
    delete process.env.AWS_ACCESS_KEY_ID
    delete process.env.AWS_SECRET_ACCESS_KEY
  })

  it('has the same content and headers as the service', async () => {
    const did = await didOf(client)
    const list = await listOf(client, did, 'TokenStatusList', { ttl: 300_000 })
    assert.equal((await revoke(client, list, 7)).publication, 'done')
    const embedded = await listOf(client, did, 'BitstringStatusList', { embeddedProof: true })
    assert.equal((await revoke(client, embedded, 7)).publication, 'done')
    const path = `status-lists/${list.statusListId}`
    const embeddedPath = `status-lists/${embedded.statusListId}`
    const didUrl = `1.0/identifiers/${did}?resourceName=a%20TokenStatusList&resourceType=TokenStatusList`
    for (const [key, accept] of [
      [path, ''],
      [`${path}.statuslist+cwt`, 'application/statuslist+cwt'],
      [`${embeddedPath}.vc`, 'application/vc'],
      [`${embeddedPath}.vc+ld+json`, 'application/vc+ld+json'],
      [didUrl, ''],
    ] as const) {
      const answer = await served(client, `/${key.startsWith(embeddedPath) ? embeddedPath : path}`, accept)
      const object = store.objects.get(key) ?? assert.fail(key)
      assert.deepEqual(object.body, answer.body, key)
      const { 'content-type': type, 'cache-control': cache } = object.headers
      assert.deepEqual([type, cache], [answer.type, answer.cache])
    }
    const { proof } = JSON.parse(String(store.objects.get(`${embeddedPath}.vc`)?.body)) as { proof: object }
    assert.ok(proof)
    await until(() => store.objects.has(`1.0/identifiers/${did}`))
    const document = await served(client, `/1.0/identifiers/${did}`)
    assert.deepEqual(store.objects.get(`1.0/identifiers/${did}`)?.body, document.body)
    assert.deepEqual((await service.publication.verify()).differences, [])
  })

  it('catches up after the store was unreachable, and health reports that meanwhile', async () => {
    const list = await listOf(client, await didOf(client), 'BitstringStatusList')
    await revoke(client, list, 1)
    store.failing = 1_000_000
    const waiting = revoke(client, list, 2)
    await until(async () => (await service.publicationFailures()) > 0)
    const [check] = await service.publication.lifecycle.check()
    assert.deepEqual([check?.ok, check?.warning], [false, true])
    assert.match(check?.message ?? '', /responded with 503/)
    store.failing = 0
    await waiting
    const path = `status-lists/${list.statusListId}`
    await until(async () =>
      (await served(client, `/${path}`)).body.equals(store.objects.get(path)?.body ?? Buffer.of()),
    )
  })
})

describe('a service without static publication', () => {
  it('refuses to wait for it', async () => {
    const service = await ServiceHere.start({ url: await emptyInstallation('SQLite'), listen: true })
    const client = await service.clientOf('issuer')
    const list = await listOf(client, await didOf(client), 'TokenStatusList')
    const { status, body } = await client.post('/credential-status/update/unencrypted', {
      query: { listType: list.listType, statusAction: 'revoke' },
      json: { did: list.did, statusListName: list.statusListName, indices: [1], publication: 'wait' },
    })
    assert.equal(status, 400)
    assert.match((body as { error: string }).error, /^publication: is not possible/)
    await service.stop()
  })
})
