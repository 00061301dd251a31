import assert from 'node:assert/strict'
import type { Client } from '../support/client.js'
import { readPublic } from './identifiers.js'
import { update } from './status-list.js'
import { createList, type Setup } from './suite.js'
import { Verifier } from './verifier.js'

const LIST_TYPE = 'BitstringStatusListCredential'

const read = (
  client: Client,
  list: { did: string; statusListName: string },
  headers: Record<string, string> = {},
) =>
  readPublic(client, list.did, {
    query: { resourceName: list.statusListName, resourceType: LIST_TYPE },
    headers,
  })

/** A list as verifiers elsewhere get it. */
export function deliveredListSuite({ client }: Setup): void {
  it('can be fetched, verified and read by a verifier that only knows the specifications', async () => {
    const verifier = new Verifier(`${client().url}/1.0/identifiers/`)
    const statusListName = 'employees & friends, ünique+1'
    const list = { ...(await createList(client())), statusListName }
    await client().ok('POST', '/credential-status/create/unencrypted', {
      query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
      json: list,
    })
    const entry = (index: number) => ({
      statusListCredential: `${list.did}?resourceName=${encodeURIComponent(statusListName)}&resourceType=${LIST_TYPE}`,
      statusListIndex: String(index),
      statusPurpose: 'revocation',
    })
    assert.equal(await verifier.isSet(list.did, entry(5)), false)
    await update(client(), list, [0, 5, 131071])
    for (const [index, set] of [
      [0, true],
      [1, false],
      [5, true],
      [131070, false],
      [131071, true],
    ] as const) {
      assert.equal(await verifier.isSet(list.did, entry(index)), set, String(index))
    }
  })

  it('is the same at the address in the issued list, under both of its media types', async () => {
    const list = await createList(client())
    const { resource } = await update(client(), list, [1])
    const { body, headers } = await read(client(), list)
    assert.equal(body, resource.jwt)
    assert.equal(headers.get('content-type'), 'application/vc+jwt')
    const asText = await read(client(), list, { accept: 'text/plain' })
    assert.equal(asText.body, resource.jwt)
    assert.equal(asText.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.notEqual(asText.headers.get('etag'), headers.get('etag'))
  })

  it('is not sent again until it changes', async () => {
    const list = await createList(client())
    const etag = (await read(client(), list)).headers.get('etag') ?? ''
    const again = await read(client(), list, { 'if-none-match': etag })
    assert.equal(again.status, 304)
    assert.equal(again.body, '')
    assert.equal(again.headers.get('cache-control'), 'public, no-cache')
    await update(client(), list, [1])
    const changed = await read(client(), list, { 'if-none-match': etag })
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.get('etag'), etag)
  })

  it('may be cached for its ttl, but not beyond its validity', async () => {
    const list = await createList(client(), { body: { ttl: 600_000 } })
    assert.equal((await read(client(), list)).headers.get('cache-control'), 'public, max-age=600')
    const validUntil = new Date(Date.now() + 60_000).toISOString()
    const ending = await createList(client(), { body: { ttl: 600_000, validUntil } })
    const [, seconds] =
      /^public, max-age=(\d+)$/.exec((await read(client(), ending)).headers.get('cache-control') ?? '') ?? []
    assert.ok(Number(seconds) > 0 && Number(seconds) < 60, seconds)
  })

  it('is open to pages of other origins', async () => {
    const list = await createList(client())
    const { headers } = await read(client(), list, { origin: 'https://wallet.example' })
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('vary'), 'accept, accept-encoding')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    const path = `/1.0/identifiers/${list.did}`
    assert.equal((await client().call('OPTIONS', path, { apiKey: null })).status, 204)
    const head = await client().call('HEAD', path, { apiKey: null })
    assert.equal(head.status, 200)
    assert.equal(head.body, '')
  })
}
