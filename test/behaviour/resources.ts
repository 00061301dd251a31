import assert from 'node:assert/strict'
import { assertRefused } from '../support/refused.js'
import { isReplayed, repeatable } from './idempotency.js'
import { createDid, createList, freshName, unknownDid, type Setup } from './suite.js'
import { update } from './status-list.js'

interface Resource {
  resourceURI: string
  resourceId: string
  resourceName: string
  checksum: string
  mediaType: string
  previousVersionId: string | null
}
interface Found {
  contentStream: unknown
  contentMetadata: Partial<Resource> & { linkedResourceMetadata?: Resource[] }
  total?: number
  next?: string
}

const SCHEMA = '{"type":"object","title":"Grüße"}'

/** Resources of a DID, and its document, in the words of the original. */
export function resourceSuite({ client, stranger }: Setup): void {
  const publish = (did: string, json: object = {}, by = client()) =>
    by.post(`/resource/create/${did}`, {
      json: { name: freshName('schema'), type: 'JSONSchema', data: SCHEMA, encoding: 'utf-8', ...json },
    })
  const published = async (did: string, json: object = {}) => {
    const { status, body } = await publish(did, json)
    assert.equal(status, 201, JSON.stringify(body))
    return (body as { resource: Resource }).resource
  }
  const found = (did: string, query: Record<string, string> = {}) =>
    client().ok('GET', `/resource/search/${did}`, { query }) as Promise<Found>

  describe('POST /resource/create', () => {
    it('publishes the same content in every encoding, as versions of one resource', async () => {
      const did = await createDid(client())
      const name = freshName('schema')
      const bytes = Buffer.from(SCHEMA)
      let previous: string | null = null
      for (const encoding of ['utf-8', 'base64', 'base64url', 'hex'] as const) {
        const data = bytes.toString(encoding)
        const resource: Resource = await published(did, { name, encoding, data, version: encoding })
        assert.equal(resource.previousVersionId, previous)
        previous = resource.resourceId
        const { contentStream, contentMetadata } = await found(did, { resourceId: resource.resourceId })
        assert.deepEqual(contentStream, JSON.parse(SCHEMA))
        assert.equal(contentMetadata.checksum, resource.checksum)
      }
      const form = { name, type: 'JSONSchema', data: 'a,b', encoding: 'utf-8' }
      const { status } = await client().post(`/resource/create/${did}`, { form })
      assert.equal(status, 201)
      assert.equal((await found(did, { resourceName: name })).contentStream, 'a,b')
    })

    it('refuses a version that would follow a status list, and leaves the list unchanged', async () => {
      const list = await createList(client())
      await update(client(), list, [7])
      const json = { name: list.statusListName, type: 'BitstringStatusListCredential', data: '{}' }
      assertRefused(await publish(list.did, json), { status: 400, code: 'list_exists', path: 'name' })
      const check = await client().ok('POST', '/credential-status/check', {
        query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
        json: { ...list, index: 7 },
      })
      assert.equal((check as { revoked: boolean }).revoked, true)
    })

    it('names every invalid field', async () => {
      const did = await createDid(client())
      const refusals: [json: object, path: string][] = [
        [{ data: 'zz', encoding: 'hex' }, 'data'],
        [{ data: 'a b', encoding: 'base64' }, 'data'],
        [{ data: 'abcde', encoding: 'base64url' }, 'data'],
        [{ encoding: 'latin1' }, 'encoding'],
        [{ encoding: undefined }, 'encoding'],
        [{ network: 'mainnet' }, 'network'],
        [{ publicKeyHexs: ['ab'.repeat(32)] }, 'publicKeyHexs[0]'],
        [{ name: 'ä'.repeat(33) }, 'name'],
      ]
      for (const [json, path] of refusals) {
        const { status, body } = await publish(did, json)
        assert.equal(status, 400, JSON.stringify(json))
        assert.equal((body as { details: { path: string }[] }).details[0]?.path, path, JSON.stringify(body))
      }
      assert.equal((await found(did)).total, 0)
    })

    it('creates one version for a repeated request, only for this account', async () => {
      const did = await createDid(client())
      const json = { name: 'once', type: 'Note', data: 'a', encoding: 'utf-8' }
      const call = repeatable(client(), `/resource/create/${did}`, { json })
      const [first, second] = [await call(), await call()]
      assert.equal(first.status, 201)
      assert.ok(isReplayed(second))
      assert.deepEqual(second.body, first.body)
      assertRefused(await publish(did, {}, stranger()), { status: 404, code: 'did_not_found' })
      assert.equal((await found(did)).total, 1)
    })
  })

  describe('GET /resource/search', () => {
    it('pages through the resources of a DID and finds one by its metadata', async () => {
      const did = await createDid(client())
      const made = []
      for (const name of ['a', 'b', 'c'])
        made.push(await published(did, { name, type: name === 'c' ? 'Note' : 'JSONSchema' }))
      const first = await found(did, { limit: '2' })
      assert.equal(first.total, 3)
      const rest = await found(did, { limit: '2', after: first.next ?? '' })
      const names = [first, rest].flatMap(({ contentMetadata }) =>
        contentMetadata.linkedResourceMetadata?.map(({ resourceName }) => resourceName),
      )
      assert.deepEqual(names, ['a', 'b', 'c'])
      const notes = await found(did, { resourceType: 'Note', resourceMetadata: 'true' })
      assert.deepEqual(notes.contentMetadata.linkedResourceMetadata, [made[2]])
      const { contentStream, contentMetadata } = await found(did, {
        resourceName: 'b',
        resourceMetadata: 'true',
      })
      assert.deepEqual([contentStream, contentMetadata], [null, made[1]])
      const byType = await found(did, { resourceType: 'Note', checksum: made[2]?.checksum ?? '' })
      assert.deepEqual(byType.contentMetadata, made[2])
    })

    it('answers 404 for missing and 400 for impossible resources', async () => {
      const did = await createDid(client())
      const search = (query: Record<string, string>) => client().get(`/resource/search/${did}`, { query })
      assertRefused(await search({ resourceName: 'none' }), { status: 404, code: 'resource_not_found' })
      const nobody = await client().get(`/resource/search/${unknownDid}`)
      assertRefused(nobody, { status: 404, code: 'did_not_found' })
      assert.equal((await search({ resourceId: 'x' })).status, 400)
      assert.equal((await search({ resourceName: 'a', page: '2' })).status, 400)
    })
  })

  describe('POST /did/update', () => {
    const service = (name: string) => ({
      type: 'Files',
      serviceEndpoint: [`https://${name}.example`],
      idFragment: name,
    })
    const documentOf = async (did: string) =>
      ((await client().ok('GET', `/did/search/${did}`)) as { didDocument: Record<string, unknown[]> })
        .didDocument

    it('replaces the submitted parts and keeps the others, or replaces the whole document', async () => {
      const did = await createDid(client(), { service: [service('one')] })
      const before = await documentOf(did)
      const result = (await client().ok('POST', '/did/update', {
        json: { did, service: [service('two'), service('three')] },
      })) as { did: string; services: { id: string }[]; keys: unknown[] }
      assert.deepEqual(
        result.services.map(({ id }) => id),
        [`${did}#two`, `${did}#three`],
      )
      assert.equal(result.keys.length, 1)
      const after = await documentOf(did)
      assert.deepEqual({ ...after, service: null }, { ...before, service: null })

      const { kid } = (await client().ok('POST', '/key/create', { json: {} })) as { kid: string }
      const x = Buffer.from(kid, 'hex').toString('base64url')
      const method = {
        id: `${did}#key-2`,
        type: 'JsonWebKey2020',
        controller: did,
        publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x },
      }
      const rotated = (await client().ok('POST', '/did/update', {
        json: {
          did,
          verificationMethod: [...(after.verificationMethod ?? []), method],
          authentication: [method.id],
          publicKeyHexs: [kid],
        },
      })) as { keys: { kid: string }[] }
      assert.ok(rotated.keys.some((key) => key.kid === kid))
      assert.deepEqual((await documentOf(did)).authentication, [method.id])

      await client().ok('POST', '/did/update', { json: { didDocument: before } })
      assert.deepEqual(await documentOf(did), before)
    })

    it('locates every problem at its field, and changes nothing of others', async () => {
      const did = await createDid(client())
      const before = await documentOf(did)
      const refusals: [json: object, path: string][] = [
        [{ did, service: [{ type: 'Files', serviceEndpoint: ['https://a.example'] }] }, 'service[0].id'],
        [
          { did, verificationMethod: [{ id: `${did}#key-1`, controller: did }] },
          'verificationMethod[0].type',
        ],
        [{ did }, 'didDocument'],
        [{ service: [] }, 'did'],
        [{ did, didDocument: before, service: [] }, 'service'],
        [{ did, didDocument: { ...before, id: 'did:key:z6Mk' } }, 'didDocument.id'],
        [{ didDocument: { ...before, surprise: 1 } }, 'didDocument.surprise'],
      ]
      for (const [json, path] of refusals) {
        const { status, body } = await client().post('/did/update', { json })
        assert.equal(status, 400, JSON.stringify(json))
        assert.equal((body as { details: { path: string }[] }).details[0]?.path, path, JSON.stringify(body))
      }
      const unsigned = { ...before, verificationMethod: [], authentication: [] }
      assertRefused(await client().post('/did/update', { json: { didDocument: unsigned } }), {
        code: 'ledger_rule',
      })
      const theirs = await stranger().post('/did/update', { json: { did, service: [] } })
      assertRefused(theirs, { status: 400, code: 'did_not_found' })
      assert.deepEqual(await documentOf(did), before)
    })
  })

  describe('POST /did/deactivate', () => {
    it('deactivates a DID of the account permanently, with the same answer when repeated', async () => {
      const did = await createDid(client())
      assertRefused(await stranger().post(`/did/deactivate/${did}`), { status: 404, code: 'did_not_found' })
      const deactivate = () =>
        client().ok('POST', `/did/deactivate/${did}`) as Promise<{
          didDocumentMetadata: { deactivated?: boolean }
        }>
      const first = await deactivate()
      assert.equal(first.didDocumentMetadata.deactivated, true)
      assert.deepEqual((await deactivate()).didDocumentMetadata, first.didDocumentMetadata)
      assertRefused(await publish(did), { status: 400, code: 'did_deactivated' })
      assertRefused(await client().post('/did/update', { json: { did, service: [] } }), {
        status: 400,
        code: 'did_deactivated',
      })
    })
  })
}
