import assert from 'node:assert/strict'
import { ApiError, createClient, type Client } from '@vidimus/client'
import { sendCollection } from './support/api-collection.js'
import { Service } from './support/service.js'

describe('the typed client', () => {
  let service: Service
  let client: Client
  before(async () => {
    service = await Service.start()
    client = createClient({ url: service.url, apiKey: service.apiKey })
  })
  after(() => service.stop())

  it('creates a DID and a list, revokes an entry and reads it back', async () => {
    const { did, keys } = await client.post('/did/create', { body: { network: 'testnet' } })
    assert.equal(keys.length, 1)
    const list = { did, statusListName: 'employees' }
    const listType = 'BitstringStatusList'
    const { resourceMetadata } = await client.post('/credential-status/create/unencrypted', {
      params: { query: { listType, statusPurpose: ['revocation'] } },
      body: list,
    })
    const check = (index: number) =>
      client.post('/credential-status/check', {
        params: { query: { listType, statusPurpose: 'revocation' } },
        body: { ...list, index },
      })
    assert.equal((await check(42)).revoked, false)
    const { changed } = await client.post('/credential-status/update/unencrypted', {
      params: { query: { listType, statusAction: 'revoke' } },
      body: { ...list, indices: [42] },
    })
    assert.deepEqual(changed, [42])
    assert.equal((await check(42)).revoked, true)
    assert.equal((await check(43)).revoked, false)

    const found = await client.get('/did/list', { params: { query: { network: 'testnet', limit: 10 } } })
    assert.deepEqual(found, { total: 1, dids: [did] })
    const resource = await client.get('/1.0/identifiers/{did}/resources/{resourceId}', {
      params: { path: { did, resourceId: resourceMetadata.resourceId } },
    })
    assert.ok(typeof resource === 'string' && resource.startsWith('eyJ'))
  })

  it('throws refusals of the service with their code and request id', async () => {
    const refused = async (call: Promise<unknown>) => {
      const error = await call.catch((error: unknown) => error)
      assert.ok(error instanceof ApiError, String(error))
      assert.match(error.requestId ?? '', /^[\w-]{8,}$/)
      return error
    }
    const { did } = await client.post('/did/create', { body: { network: 'testnet' } })
    const unknown = await refused(
      client.post('/credential-status/update/unencrypted', {
        params: { query: { listType: 'BitstringStatusList', statusAction: 'revoke' } },
        body: { did, statusListName: 'there-is-none', indices: [1] },
      }),
    )
    assert.deepEqual([unknown.status, unknown.code], [400, 'list_not_found'])
    const twice = await refused(
      client.post('/did/import', { body: { did: 'no-did', keys: 'none' as never } }),
    )
    assert.equal(twice.code, 'invalid_input')
    assert.deepEqual(
      twice.details.map(({ path }) => path),
      ['did', 'keys'],
    )
    const stranger = createClient({ url: service.url, apiKey: 'vidimus_of_nobody' })
    assert.deepEqual((await refused(stranger.get('/did/list'))).status, 401)
    const none = await refused(client.get('/1.0/identifiers/{did}', { params: { path: { did: `${did}0` } } }))
    assert.deepEqual([none.status, none.code], [400, 'invalidDid'])
  })

  it('sends the file of a mass change as it is, also as a stream', async () => {
    const client = createClient({ url: service.url, apiKey: service.apiKey })
    const file = 'credentialId,action\nurn:example:nobody,revoke\n'
    const streamed = new ReadableStream({
      start: (controller) => {
        controller.enqueue(Buffer.from(file))
        controller.close()
      },
    })
    const serializers = { text: (text: unknown) => text as string, stream: () => streamed }
    for (const [jobId, bodySerializer] of Object.entries(serializers)) {
      const job = await client.post('/credential-status/jobs', {
        params: { query: { jobId } },
        headers: { 'content-type': 'text/csv' },
        body: file,
        bodySerializer,
        duplex: 'half',
      })
      assert.deepEqual([job.id, job.rows, job.refused], [jobId, 1, 1])
    }
  })

  it('has a request collection that works from top to bottom', async () => {
    const operator = await service.apiKeyOf('operations', { scopes: ['operator'] })
    const sent = await sendCollection(service.url, service.apiKey ?? '', operator.apiKey)
    // The job may have ended before.
    const refused = sent.filter(({ status, name }) => status > 299 && name !== 'Cancel a job')
    const work = ['Retry work at once', 'Pause work', 'Resume paused work', 'Cancel work']
    const ofAny = work.map((name) => `${name}, of any account`)
    // Nothing waits, and nobody has signed in with a browser.
    assert.deepEqual(
      refused.map(({ name, text }) => [name, (JSON.parse(text) as { code: string }).code]),
      [
        ...[...work, ...ofAny].map((name) => [name, 'work_not_found']),
        ['End a session of the console', 'session_not_found'],
      ],
    )
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
      paths: Record<string, object>
    }
    const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods))
    assert.equal(sent.length, operations.length)
    assert.equal(new Set(sent.map(({ id }) => id)).size, sent.length)
  })
})
