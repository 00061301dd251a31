import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError, createClient, type Client } from '@vidimus/client'
import { Service } from './support/service.js'
import { root } from './support/repository.js'

interface Item {
  id: string
  name: string
  item?: Item[]
  request?: {
    method: string
    auth?: { type: string }
    header: { key: string; value: string }[]
    body?: { raw: string }
    url: { raw: string; variable?: { key: string; value: string }[] }
  }
}

describe('the typed client', () => {
  let service: Service
  let client: Client
  before(async () => {
    service = await Service.start()
    client = createClient({ url: service.url, apiKey: service.apiKey })
  })
  after(() => service.stop())

  it('creates a DID and a list, revokes, and sees it', async () => {
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

  it('throws what the service refuses, with its code and request id', async () => {
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

  it('has its requests in a collection that works as it is', async () => {
    const file = join(root, 'examples/api-collection/vidimus.postman_collection.json')
    const collection = JSON.parse(await readFile(file, 'utf8')) as Item
    const items = (collection.item ?? []).flatMap(({ item = [] }) => item)
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
      paths: Record<string, object>
    }
    const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods))
    assert.equal(items.length, operations.length)
    assert.equal(new Set(items.map(({ id }) => id)).size, items.length)

    const send = async (name: string) => {
      const { request } = items.find((item) => item.name === name) ?? assert.fail(`there is no "${name}"`)
      assert.ok(request)
      const { url, header, body, method, auth } = request
      const path = (url.variable ?? []).reduce(
        (text, { key, value }) => text.replace(`:${key}`, encodeURIComponent(value)),
        url.raw.replace('{{baseUrl}}', ''),
      )
      return fetch(service.url + path, {
        method,
        headers: {
          ...Object.fromEntries(header.map(({ key, value }) => [key, value])),
          ...(auth?.type !== 'noauth' && { 'x-api-key': service.apiKey ?? '' }),
        },
        ...(body && { body: body.raw }),
      })
    }
    for (const name of [
      'Create a DID',
      'List the DIDs of the account',
      'Create a key pair',
      'Read this document',
    ]) {
      const answer = await send(name)
      assert.equal(answer.status, 200, `${name}: ${await answer.text()}`)
    }
  })
})
