import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { deflateSync, gzipSync } from 'node:zlib'
import { Resolver, type DIDResolutionResult } from 'did-resolver'
import type { Client, Request } from '../support/client.js'
import { RESOURCE_MEMBERS } from '../support/resource-members.js'
import { update } from './status-list.js'
import { createDid, createList, listTypesOn, type Setup } from './suite.js'

const IDENTIFIERS = '/1.0/identifiers/'
const LIST_TYPE = 'BitstringStatusListCredential'
const DEREFERENCING = 'application/ld+json;profile="https://w3id.org/did-url-dereferencing"'

type Members = Record<string, unknown>
interface Dereferenced {
  dereferencingMetadata: Members & { error?: string; did?: Members }
  contentStream: unknown
  contentMetadata: Members
}
type Resolved = DIDResolutionResult & { didResolutionMetadata: { did: Members } }

/** Reads like a verifier, without a key. */
export const readPublic = (client: Client, didUrl: string, request: Request = {}) =>
  client.get(IDENTIFIERS + didUrl, { apiKey: null, ...request })

const KEY_DID = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'

/** Resolution and dereferencing for verifiers elsewhere. */
export function identifierSuite(setup: Setup): void {
  const { client } = setup
  const read = (didUrl: string, request?: Request) => readPublic(client(), didUrl, request)
  const resolved = async (did: string): Promise<Resolved> => {
    const { status, body } = await read(did)
    assert.equal(status, 200, JSON.stringify(body))
    return body as Resolved
  }
  const dereferenced = async (didUrl: string): Promise<Dereferenced> => {
    const { status, body } = await read(didUrl)
    assert.equal(status, 200, JSON.stringify(body))
    return body as Dereferenced
  }
  const refused = async (didUrl: string, status: number, error: string, request?: Request) => {
    const answer = await read(didUrl, request)
    assert.equal(answer.status, status, `${didUrl.slice(0, 100)} ${JSON.stringify(answer.body)}`)
    const body = answer.body as Partial<Resolved & Dereferenced>
    const metadata = body.didResolutionMetadata ?? body.dereferencingMetadata
    assert.equal(metadata?.error, error, didUrl.slice(0, 100))
    assert.equal(typeof (metadata as Members).message, 'string')
  }

  describe('of a DID', () => {
    it('has the form of DID resolution, with the newest version of each resource, and all of them page by page', async () => {
      const list = await createList(client())
      const { did } = list
      const { resourceMetadata } = await update(client(), list, [1])
      const { didDocument, didDocumentMetadata, didResolutionMetadata, ...others } = await resolved(did)
      assert.deepEqual(others, { '@context': 'https://w3id.org/did-resolution/v1' })
      const { retrieved: _now, ...rest } = didResolutionMetadata
      assert.deepEqual(rest, {
        contentType: 'application/did+ld+json',
        did: { didString: did, methodSpecificId: did.split(':')[3], method: 'cheqd' },
      })
      assert.equal(didDocument?.id, did)
      const { linkedResourceMetadata } = didDocumentMetadata as { linkedResourceMetadata: Members[] }
      assert.deepEqual(linkedResourceMetadata, [resourceMetadata])
      const history = async (query = '') => {
        const { body } = await read(`${did}/metadata${query}`)
        return (body as Dereferenced).contentStream as { linkedResourceMetadata: { resourceId: string }[] }
      }
      const { linkedResourceMetadata: versions } = await history()
      assert.equal(versions.length, 2)
      const after = await history(`?after=${versions[0]?.resourceId}`)
      assert.deepEqual(after.linkedResourceMetadata, [resourceMetadata])
      assert.deepEqual(Object.keys(linkedResourceMetadata[0] ?? {}), RESOURCE_MEMBERS)
    })

    it('supports clients based on did-resolver', async () => {
      const did = await createDid(client())
      const resolver = new Resolver({
        cheqd: async (didUrl) =>
          (await read(didUrl, { headers: { accept: 'application/did-resolution' } }))
            .body as DIDResolutionResult,
      })
      const { didDocument, didResolutionMetadata } = await resolver.resolve(did)
      assert.equal(didDocument?.id, did)
      assert.equal(didResolutionMetadata.error, undefined)
      const unknown = await resolver.resolve(`did:cheqd:testnet:${randomUUID()}`)
      assert.equal(unknown.didResolutionMetadata.error, 'notFound')
      assert.equal(unknown.didDocument, null)
      assert.deepEqual(unknown.didDocumentMetadata, {})
    })

    it('accepts upper case and percent-encoding', async () => {
      const did = await createDid(client())
      const upper = did.replace(/[^:]+$/, (id) => id.toUpperCase())
      for (const written of [did, upper, encodeURIComponent(did)]) {
        assert.equal((await resolved(written)).didDocument?.id, did)
      }
    })

    it('covers only the methods that need no other host', async () => {
      assert.equal((await resolved(KEY_DID)).didDocument?.id, KEY_DID)
      const { contentStream } = await dereferenced(`${KEY_DID}%23${KEY_DID.slice(8)}`)
      assert.equal((contentStream as Members).controller, KEY_DID)
      const { did: jwkDid } = (await client().ok('POST', '/did/create', {
        json: { providerId: 'did:jwk' },
      })) as { did: string }
      assert.equal((await resolved(jwkDid)).didDocument?.id, jwkDid)
      await refused('did:web:example.com', 501, 'methodNotSupported')
      await refused('did:unknown:a', 501, 'methodNotSupported')
    })

    it('covers P-384 keys of did:key and did:jwk, and names the error of unsupported ones', async () => {
      const p384 = 'did:key:z82LkvCwHNreneWpsgPEbV3gu1C6NFJEBg4srfJ5gdxEsMGRJUz2sG9FE42shbn2xkZJh54'
      assert.equal((await resolved(p384)).didDocument?.id, p384)
      const jwkDid = (jwk: object) => `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`
      const p521 =
        'did:key:z2J9gaYxrKVpdoG9A4gRnmpnRCcxU6agDtFVVBVdn1JedouoZN7SzcyREXXzWgt3gGiwpoHq7K68X4m32D8HgzG8wv3sY5j7'
      await refused(p521, 501, 'unsupportedPublicKeyType')
      await refused(jwkDid({ kty: 'RSA', n: 'AQAB', e: 'AQAB' }), 501, 'unsupportedPublicKeyType')
    })

    it('returns the bare document', async () => {
      const did = await createDid(client())
      for (const accept of ['application/did', 'application/did+json', 'application/did+ld+json']) {
        const { body, headers } = await read(did, { headers: { accept } })
        assert.equal((body as Members).id, did)
        assert.equal('@context' in (body as Members), accept !== 'application/did+json')
        assert.equal(headers.get('content-type'), accept)
      }
    })

    it('finds versions, metadata, keys and services', async () => {
      const did = await createDid(client(), {
        didDocument: {
          service: [
            { idFragment: 'web', type: 'LinkedDomains', serviceEndpoint: ['https://example.com'] },
            { idFragment: 'script', type: 'Other', serviceEndpoint: ['javascript:alert(1)'] },
          ],
        },
      })
      const { versionId = '' } = (await resolved(did)).didDocumentMetadata
      for (const didUrl of [
        `${did}/version/${versionId}`,
        `${did}?versionId=${versionId}`,
        `${did}?versionTime=2999-01-01`,
        encodeURIComponent(`${did}?versionId=${versionId}`),
      ]) {
        assert.equal((await resolved(didUrl)).didDocumentMetadata.versionId, versionId)
      }
      for (const didUrl of [
        `${did}/metadata`,
        `${did}/version/${versionId}/metadata`,
        `${did}?metadata=true`,
      ]) {
        const { contentStream, contentMetadata } = await dereferenced(didUrl)
        assert.deepEqual((contentStream as Members).versionId, versionId)
        assert.deepEqual(contentMetadata, {})
      }
      const { versions } = (await dereferenced(`${did}/versions`)).contentStream as { versions: Members[] }
      assert.deepEqual(
        versions.map((version) => version.versionId),
        [versionId],
      )
      const { contentStream, contentMetadata, dereferencingMetadata } = await dereferenced(`${did}%23key-1`)
      assert.equal(dereferencingMetadata.contentType, 'application/json')
      assert.equal((contentStream as Members).id, `${did}#key-1`)
      assert.equal(contentMetadata.versionId, versionId)
      assert.equal(((await dereferenced(`${did}%23web`)).contentStream as Members).type, 'LinkedDomains')
      const { status, headers } = await read(did, { query: { service: 'web', relativeRef: '/a' } })
      assert.equal(status, 303)
      assert.equal(headers.get('location'), 'https://example.com/a')
      const elsewhere = await read(did, { query: { service: 'script' } })
      assert.equal(elsewhere.status, 406)
      assert.equal(elsewhere.headers.get('location'), null)
      const { didDocument } = (await read(did, { query: { transformKeys: 'JsonWebKey2020' } }))
        .body as Resolved
      assert.equal(didDocument?.verificationMethod?.[0]?.publicKeyJwk?.crv, 'Ed25519')
    })
  })

  describe('of a resource', () => {
    it('returns its bytes and its metadata', async () => {
      const list = await createList(client(), { listType: 'StatusList2021' })
      const { resource, resourceMetadata } = await update(client(), list, [7], 'revoke', 'StatusList2021')
      const didUrl = `${list.did}/resources/${resourceMetadata.resourceId}`
      const { body, headers } = await read(didUrl)
      assert.deepEqual(body, resource)
      assert.equal(headers.get('content-type'), 'application/json')
      assert.equal(headers.get('etag'), `"${String(resourceMetadata.checksum)}"`)
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
      const { contentStream, contentMetadata } = await dereferenced(`${didUrl}/metadata`)
      assert.equal(contentStream, null)
      assert.deepEqual(contentMetadata, resourceMetadata)
      assert.deepEqual(Object.keys(contentMetadata), Object.keys(resourceMetadata))
      const wrapped = (await read(didUrl, { headers: { accept: DEREFERENCING } })).body as Dereferenced
      assert.deepEqual(wrapped.contentStream, resource)
      assert.deepEqual(wrapped.contentMetadata, resourceMetadata)
      const query = { resourceName: list.statusListName, resourceMetadata: 'true' }
      assert.deepEqual(
        ((await read(list.did, { query })).body as Dereferenced).contentMetadata,
        resourceMetadata,
      )
    })

    for (const listType of listTypesOn(setup)) {
      it(`returns every version byte for byte, however old: ${listType}`, async () => {
        const bits = randomBytes(16_384)
        for (let at = 0; at < 12; at++) bits.writeUInt8(0, at * 1300)
        const compressed = listType === 'TokenStatusList' ? deflateSync(bits) : gzipSync(bits)
        const prefix = listType === 'BitstringStatusList' ? 'u' : ''
        const encodedList = prefix + compressed.toString('base64url')
        const list = await createList(client(), { listType, body: { encodedList } })
        const versions: Members[] = []
        for (let n = 0; n < 12; n++) {
          versions.push((await update(client(), list, [n * 1300 * 8], 'revoke', listType)).resourceMetadata)
        }
        for (const { resourceId, checksum } of [...versions].reverse()) {
          const url = `${client().url}${IDENTIFIERS}${list.did}/resources/${String(resourceId)}`
          const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer())
          assert.equal(createHash('sha256').update(bytes).digest('hex'), checksum)
        }
      })
    }

    it('finds versions by name, id, version, time and checksum', async () => {
      const list = await createList(client(), { body: { statusListVersion: 'first' } })
      const { did, statusListName: resourceName } = list
      const { resourceMetadata: newest } = await update(client(), list, [3])
      const first = String(newest.previousVersionId)
      const name = { resourceName, resourceType: LIST_TYPE }
      const idOf = async (query: Record<string, string>) => {
        const { status, body } = await read(did, { query: { ...query, resourceMetadata: 'true' } })
        return status === 200 ? (body as Dereferenced).contentMetadata.resourceId : status
      }
      for (const [query, expected] of [
        [name, newest.resourceId],
        [{ resourceName }, newest.resourceId],
        [{ resourceType: LIST_TYPE }, newest.resourceId],
        [{ resourceId: first }, first],
        [{ ...name, resourceVersion: 'first' }, first],
        [{ checksum: String(newest.checksum) }, newest.resourceId],
        [{ ...name, resourceVersionTime: '2999-01-01T00:00:00Z' }, newest.resourceId],
        [{ ...name, timestamp: String(newest.created) }, newest.resourceId],
        [{ ...name, time: '32503680000' }, newest.resourceId],
        [{ ...name, resourceVersionTime: '2020-01-01' }, 404],
        [{ ...name, time: '0' }, 404],
        [{ ...name, resourceVersion: 'second' }, 404],
        [{ resourceName: 'other' }, 404],
        [{ resourceVersion: 'first' }, 400],
        [{ resourceVersionTime: '2999-01-01' }, 400],
        [{ resourceCollectionId: did.split(':')[3] ?? '' }, 400],
      ] as const) {
        assert.equal(await idOf(query), expected, JSON.stringify(query))
      }
    })
  })

  describe('failing', () => {
    it('reports the reason in the form of resolvers', async () => {
      const { did } = await createList(client())
      const unknown = `did:cheqd:testnet:${randomUUID()}`
      for (const [didUrl, status, error] of [
        [unknown, 404, 'notFound'],
        [`${unknown}/versions`, 404, 'notFound'],
        [`${did}%23nothing`, 404, 'notFound'],
        [`${did}/resources/${randomUUID()}`, 404, 'notFound'],
        ['did:cheqd:devnet:a', 400, 'invalidDid'],
        ['did:cheqd:testnet:a', 400, 'invalidDid'],
        ['did:key:a', 400, 'invalidDid'],
        ['a', 400, 'invalidDid'],
        ['%00', 400, 'invalidDid'],
        ['%', 400, 'invalidDid'],
        ['..%2f..%2fhealth%2flive', 400, 'invalidDid'],
        [`${did}%00`, 400, 'invalidDid'],
        [`${did}/resources/..%2f..%2fx`, 400, 'invalidDidUrl'],
        [`${did}/other`, 400, 'invalidDidUrl'],
        [`${did}/`, 400, 'invalidDidUrl'],
        [`${did}?resourceName=`, 400, 'invalidDidUrl'],
        [`${did}?resourceName=a&resourceName=b`, 400, 'invalidDidUrl'],
        [`${did}?other=a`, 400, 'invalidDidUrl'],
        [`${did}?resourceName=%ff`, 400, 'invalidDidUrl'],
        [`${did}?versionId=a`, 400, 'invalidDidUrl'],
        [`${did}?resourceName=${'a'.repeat(5000)}`, 400, 'invalidDidUrl'],
        [`${did}%23key-1?versionId=${randomUUID()}`, 400, 'invalidDidUrl'],
      ] as const) {
        await refused(didUrl, status, error)
      }
      await refused(did, 406, 'representationNotSupported', { headers: { accept: 'image/png' } })
    })

    it('neither requires nor checks a key', async () => {
      const did = await createDid(client())
      for (const apiKey of ['vidimus_wrong', null]) {
        assert.equal((await read(did, { apiKey })).status, 200)
      }
      assert.equal((await client().call('DELETE', IDENTIFIERS + did)).status, 405)
    })
  })
}
