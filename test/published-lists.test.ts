import assert from 'node:assert/strict'
import { createPublicKey, verify, type JsonWebKey, type KeyObject } from 'node:crypto'
import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { decode, encode, Tagged } from 'cborg'
import { compactVerify, decodeJwt, decodeProtectedHeader, importJWK, type JWK } from 'jose'
import { Client, type Answer } from './support/client.js'
import { Service } from './support/service.js'

const PUBLIC_URL = 'https://status.example.com'
const ENTRY_TYPES = ['StatusList2021', 'BitstringStatusList', 'TokenStatusList'] as const
type ListType = (typeof ENTRY_TYPES)[number]

interface Created {
  statusListId: string
  statusListUrl?: string
  resource: Record<string, unknown> & { jwt?: string }
  resourceMetadata: { resourceType: string; checksum: string; created: string }
}

let service: Service
let client: Client
let did: string
let names = 0

async function create(listType: ListType, fields: object = {}, address?: string) {
  const statusListName = `list ${++names}`
  const created = (await client.ok('POST', '/credential-status/create/unencrypted', {
    query: { listType, statusPurpose: 'revocation' },
    json: { did, statusListName, ...fields, ...(address && { address }) },
  })) as Created
  return { ...created, listType, statusListName }
}

/** As a proxy with the public address would ask. */
const read = (
  list: { statusListId: string },
  headers: Record<string, string> = {},
  query = '',
): Promise<Answer> => client.get(`/status-lists/${list.statusListId}${query}`, { apiKey: null, headers })

const didUrlOf = ({
  statusListName,
  resourceMetadata: { resourceType },
}: { statusListName: string } & Created) =>
  `${did}?resourceName=${encodeURIComponent(statusListName)}&resourceType=${resourceType}`

/** The claims of a JWT that verifies under the key of the publisher. */
async function verified(jwt: string): Promise<Record<string, unknown>> {
  const { kid = '' } = decodeProtectedHeader(jwt)
  const { body } = await client.get(`/1.0/identifiers/${did}`, {
    apiKey: null,
    headers: { accept: 'application/did+json' },
  })
  const { verificationMethod } = body as { verificationMethod: { id: string; publicKeyMultibase: string }[] }
  const method = verificationMethod.find(({ id }) => id === kid) ?? assert.fail(`no ${kid}`)
  const { base58 } = await import('@scure/base')
  const bytes = base58.decode(method.publicKeyMultibase.slice(1)).slice(2)
  const jwk: JWK = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(bytes).toString('base64url') }
  await compactVerify(jwt, await importJWK(jwk, 'EdDSA'))
  return decodeJwt(jwt)
}

/** A DID with a key of that type alone. */
async function publisherWith(type: string): Promise<{ did: string; publicKey: KeyObject }> {
  const { kid: key } = (await client.ok('POST', '/key/create', { query: { type } })) as { kid: string }
  const json = { network: 'testnet', verificationMethodType: 'JsonWebKey2020', key }
  const created = (await client.ok('POST', '/did/create', { json })) as { did: string }
  const { body } = await client.get(`/1.0/identifiers/${created.did}`, {
    apiKey: null,
    headers: { accept: 'application/did+json' },
  })
  const [method] = (body as { verificationMethod: { publicKeyJwk: JsonWebKey }[] }).verificationMethod
  assert.ok(method)
  return { did: created.did, publicKey: createPublicKey({ key: method.publicKeyJwk, format: 'jwk' }) }
}

/** The JSON that credentials of a list carry. */
async function issue(list: { statusListName: string }, issuerDid = did) {
  const issued = (await client.ok('POST', '/credential/issue', {
    json: {
      issuerDid,
      attributes: { a: 1 },
      credentialStatus: { did, statusListName: list.statusListName },
    },
  })) as Record<string, unknown> & { proof: { jwt: string } }
  const payload = decodeJwt(issued.proof.jwt) as { vc: Record<string, unknown>; status?: unknown }
  return { credential: issued.proof.jwt, payload }
}

describe('status lists under a public URL', () => {
  before(async () => {
    service = await Service.start({ environment: { VIDIMUS_PUBLIC_URL: `${PUBLIC_URL}/` } })
    client = await Client.of(service.url, service.apiKey)
    const created = await client.ok('POST', '/did/create', { json: { network: 'testnet' } })
    did = (created as { did: string }).did
  })
  after(() => service.stop())

  describe('https addresses of status lists', () => {
    for (const listType of ENTRY_TYPES) {
      it(`are the identity of a ${listType} and appear in its entries`, async () => {
        const list = await create(listType, {}, 'https')
        const url = `${PUBLIC_URL}/status-lists/${list.statusListId}`
        assert.match(list.statusListId, /^[\w-]{22}$/)
        assert.equal(list.statusListUrl, url)
        const { payload } = await issue(list)
        if (listType === 'TokenStatusList') {
          const claims = await verified(list.resource.jwt ?? '')
          assert.equal(claims.sub, url)
          assert.equal(
            (claims.status_list as { aggregation_uri: string }).aggregation_uri,
            `${PUBLIC_URL}/status-lists/aggregation`,
          )
          const { status_list } = payload.status as { status_list: { uri: string; idx: number } }
          assert.equal(status_list.uri, url)
        } else {
          const entry = payload.vc.credentialStatus as Record<string, string>
          assert.equal(entry.id, `${url}#${entry.statusListIndex}`)
          if (listType === 'BitstringStatusList') {
            assert.equal(entry.statusListCredential, url)
            assert.equal((await verified(list.resource.jwt ?? '')).id, url)
          }
        }
      })

      it(`lead to a ${listType} of another DID of the account than the issuer's`, async () => {
        const created = await client.ok('POST', '/did/create', { json: { network: 'testnet' } })
        const { credential } = await issue(
          await create(listType, {}, 'https'),
          (created as { did: string }).did,
        )
        const reasons = async () => {
          const verdict = await client.ok('POST', '/credential/verify', { json: { credential } })
          return (verdict as { problems?: { message: string }[] }).problems?.[0]?.message
        }
        assert.equal(await reasons(), undefined)
        await client.ok('POST', '/credential/revoke', { json: { credential } })
        assert.match(String(await reasons()), /it is revoked/)
      })

      it(`lead to a ${listType}, whatever its identity, in every way that callers use`, async () => {
        for (const address of ['https', 'did']) {
          const list = await create(listType, {}, address)
          const { credential } = await issue(list)
          const verdict = async () =>
            (
              (await client.ok('POST', '/credential/verify', { json: { credential } })) as {
                verified: boolean
              }
            ).verified
          assert.equal(await verdict(), true)
          await client.ok('POST', '/credential/revoke', { json: { credential } })
          assert.equal(await verdict(), false)
          const query = { listType, statusPurpose: 'revocation' }
          for (const statusListCredential of [list.statusListUrl, didUrlOf(list)]) {
            const json = { did, statusListName: list.statusListName, index: 0, statusListCredential }
            await client.ok('POST', '/credential-status/check', { query, json })
          }
          const other = await create(listType)
          const refused = await client.post('/credential-status/check', {
            query,
            json: {
              did,
              statusListName: list.statusListName,
              index: 0,
              statusListCredential: other.statusListUrl,
            },
          })
          assert.match((refused.body as { error: string }).error, /^statusListCredential: /)
        }
      })
    }

    it('stay the same in every version', async () => {
      const list = await create('TokenStatusList', {}, 'https')
      const { statusListName } = list
      await client.ok('POST', '/credential-status/update/unencrypted', {
        query: { listType: 'TokenStatusList', statusAction: 'revoke' },
        json: { did, statusListName, indices: [5] },
      })
      assert.equal((await verified((await read(list)).body as string)).sub, list.statusListUrl)
      const found = (await client.ok('GET', '/credential-status/search', {
        query: { did, statusListName, listType: 'TokenStatusList' },
      })) as Created
      assert.equal(found.statusListUrl, list.statusListUrl)
    })

    it('appear in listings, and do not depend on where a list is read', async () => {
      const list = await create('BitstringStatusList')
      const { statusLists } = (await client.ok('GET', '/credential-status/list', { query: { did } })) as {
        statusLists: { statusListName: string; statusListId: string; statusListUrl: string }[]
      }
      const listed = statusLists.find(({ statusListName }) => statusListName === list.statusListName)
      assert.deepEqual([listed?.statusListId, listed?.statusListUrl], [list.statusListId, list.statusListUrl])
      assert.equal((await verified((await read(list)).body as string)).id, didUrlOf(list))
    })
  })

  describe('a status list at its https address', () => {
    it('comes in the requested form, and signed by default', async () => {
      const token = await create('TokenStatusList')
      const bitstring = await create('BitstringStatusList')
      const older = await create('StatusList2021')
      const cases: [list: Created, accept: string | undefined, type: string][] = [
        [token, undefined, 'application/statuslist+jwt'],
        [token, '*/*', 'application/statuslist+jwt'],
        [token, 'application/statuslist+jwt', 'application/statuslist+jwt'],
        [token, 'text/html,application/xhtml+xml,*/*;q=0.8', 'application/statuslist+jwt'],
        [bitstring, '*/*', 'application/vc+jwt'],
        [bitstring, 'application/vc+ld+json', 'application/vc+ld+json'],
        [bitstring, 'application/vc+jwt;q=0.1, application/vc', 'application/vc'],
        [older, 'application/json', 'application/json'],
        [older, '*/*', 'application/json'],
      ]
      for (const [list, accept, type] of cases) {
        const { status, headers } = await read(list, accept === undefined ? {} : { accept })
        assert.deepEqual([status, headers.get('content-type')], [200, type], String(accept))
      }
      const { body } = await read(bitstring, { accept: 'application/vc' })
      assert.deepEqual(JSON.parse(body as string), {
        '@context': ['https://www.w3.org/ns/credentials/v2'],
        id: `data:application/vc+jwt,${bitstring.resource.jwt ?? ''}`,
        type: 'EnvelopedVerifiableCredential',
      })
    })

    it('comes as a CWT with the same content, signed by the same publisher', async () => {
      for (const key of ['Ed25519', 'Secp256r1']) {
        const publisher = await publisherWith(key)
        const list = await create('TokenStatusList', { did: publisher.did, ttl: 300_000 }, 'https')
        const response = await fetch(`${service.url}/status-lists/${list.statusListId}`, {
          headers: { accept: 'application/statuslist+cwt' },
        })
        assert.equal(response.headers.get('content-type'), 'application/statuslist+cwt')
        const bytes = new Uint8Array(await response.arrayBuffer())
        const tagged = decode(bytes, { useMaps: true, tags: Tagged.preserve(18) }) as Tagged
        const [header, unprotected, payload, signature] = tagged.value as [
          Uint8Array,
          Map<never, never>,
          Uint8Array,
          Uint8Array,
        ]
        assert.equal(unprotected.size, 0)
        const names = decode(header, { useMaps: true }) as Map<number, unknown>
        assert.equal(names.get(1), key === 'Ed25519' ? -8 : -7)
        assert.equal(names.get(16), 'application/statuslist+cwt')
        const { body: jwt } = await read(list)
        assert.equal(
          Buffer.from(names.get(4) as Uint8Array).toString(),
          decodeProtectedHeader(jwt as string).kid,
        )
        const claims = decodeJwt<{ status_list: { bits: number; lst: string; aggregation_uri: string } }>(
          jwt as string,
        )
        const { bits, lst, aggregation_uri } = claims.status_list
        assert.deepEqual(
          decode(payload, { useMaps: true }),
          new Map<number, unknown>([
            [1, claims.iss],
            [2, list.statusListUrl],
            [6, claims.iat],
            [65_534, 300],
            [
              65_533,
              new Map<string, unknown>([
                ['bits', bits],
                ['lst', Uint8Array.from(Buffer.from(lst, 'base64url'))],
                ['aggregation_uri', aggregation_uri],
              ]),
            ],
          ]),
        )
        const signed = encode(['Signature1', header, new Uint8Array(), payload])
        const algorithm = key === 'Ed25519' ? null : 'sha256'
        assert.ok(
          verify(algorithm, signed, { key: publisher.publicKey, dsaEncoding: 'ieee-p1363' }, signature),
          key,
        )
      }
    })

    it('answers 406 and lists its forms if none is acceptable', async () => {
      const { status, body } = await read(await create('TokenStatusList'), { accept: 'application/json' })
      assert.equal(status, 406)
      assert.equal((body as { code: string }).code, 'not_acceptable')
      assert.match((body as { error: string }).error, /^accept: .*: application\/statuslist\+jwt/)
    })

    it('may be cached for its ttl, and then revalidated with its entity tag', async () => {
      const list = await create('TokenStatusList', { ttl: 300_000 })
      const { headers } = await read(list)
      const etag = headers.get('etag') ?? ''
      assert.equal(headers.get('cache-control'), 'public, max-age=300')
      assert.equal(headers.get('access-control-allow-origin'), '*')
      assert.equal(headers.get('vary'), 'accept, accept-encoding')
      assert.equal(headers.get('last-modified'), new Date(list.resourceMetadata.created).toUTCString())
      const again = await read(list, { 'if-none-match': etag })
      assert.deepEqual([again.status, again.body], [304, ''])
      assert.equal((await read(list, { 'if-none-match': '"x"' })).status, 200)
      const asked = await client.call('HEAD', `/status-lists/${list.statusListId}`, { apiKey: null })
      assert.deepEqual([asked.status, asked.headers.get('etag')], [200, etag])
      const preflight = await client.call('OPTIONS', `/status-lists/${list.statusListId}`, { apiKey: null })
      assert.equal(preflight.status, 204)
      assert.equal((await client.post(`/status-lists/${list.statusListId}`)).status, 405)
    })

    it('is compressed on request, with another entity tag', async () => {
      const list = await create('TokenStatusList')
      const [plain, gzip] = await Promise.all(['identity', 'gzip'].map((coding) => rawAnswer(list, coding)))
      assert.ok(plain && gzip)
      assert.equal(gzip.headers['content-encoding'], 'gzip')
      assert.equal(plain.headers['content-encoding'], undefined)
      assert.notEqual(gzip.headers.etag, plain.headers.etag)
      assert.deepEqual(gunzipSync(gzip.body), plain.body)
      assert.equal((await rawAnswer(list, 'gzip;q=0')).headers['content-encoding'], undefined)
    })

    it('returns the version of a time on request', async () => {
      const list = await create('TokenStatusList', { statusListVersion: '1' })
      const first = (await read(list)).body
      const created = Date.parse(list.resourceMetadata.created) / 1000
      // the next version is of another second
      while (Date.now() / 1000 < created + 1) await new Promise((resolve) => setTimeout(resolve, 50))
      await client.ok('POST', '/credential-status/update/unencrypted', {
        query: { listType: 'TokenStatusList', statusAction: 'revoke' },
        json: { did, statusListName: list.statusListName, indices: [5] },
      })
      assert.notEqual((await read(list)).body, first)
      const past = await read(list, {}, `?time=${created}`)
      assert.equal(past.body, first)
      assert.equal(past.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      const stamp = encodeURIComponent(list.resourceMetadata.created)
      assert.equal((await read(list, {}, `?timestamp=${stamp}`)).body, first)
      for (const query of [`?time=${created - 10}`, `?time=${created + 100_000}`]) {
        const { status, body } = await read(list, {}, query)
        assert.deepEqual([status, (body as { code: string }).code], [404, 'list_not_found'], query)
      }
      for (const query of ['?time=1.5', '?time=-1', '?time=x', '?timestamp=1', '?time=1&time=2', '?when=1']) {
        assert.equal((await read(list, {}, query)).status, 400, query)
      }
    })

    it('answers 404 for a missing list', async () => {
      for (const id of ['x', 'A'.repeat(22), '..%2F..%2F', '%00', `${'A'.repeat(22)}/x`, '']) {
        const { status } = await client.get(`/status-lists/${id}`, { apiKey: null })
        assert.ok(status === 404 || status === 400, `${id}: ${status}`)
      }
    })
  })

  describe('the aggregation of status lists', () => {
    it('lists the token lists that are identified by their https address, and no others', async () => {
      const ours = await create('TokenStatusList', {}, 'https')
      const others = [await create('TokenStatusList'), await create('BitstringStatusList', {}, 'https')]
      const { body, headers } = await client.get('/status-lists/aggregation', { apiKey: null })
      const { status_lists } = body as { status_lists: string[] }
      assert.equal(headers.get('content-type'), 'application/json')
      assert.ok(status_lists.includes(ours.statusListUrl ?? ''))
      for (const { statusListUrl } of others) assert.ok(!status_lists.includes(statusListUrl ?? ''))
      const path = '/status-lists/aggregation'
      const mine = await client.get(path, { apiKey: null, query: { did } })
      const named = (mine.body as { status_lists: string[] }).status_lists
      assert.ok(named.includes(ours.statusListUrl ?? '') && named.every((url) => status_lists.includes(url)))
      const stranger = did.replace(/[0-9a-f]{12}$/, '000000000000')
      assert.deepEqual((await client.get(path, { apiKey: null, query: { did: stranger } })).body, {
        status_lists: [],
      })
      assert.equal((await client.get(path, { apiKey: null, query: { did: 'x' } })).status, 400)
    })
  })
})

interface Raw {
  headers: Record<string, unknown>
  body: Buffer
}

/** With its bytes as they came. */
function rawAnswer(list: { statusListId: string }, coding: string) {
  return new Promise<Raw>((resolve, reject) => {
    const url = `${service.url}/status-lists/${list.statusListId}`
    request(url, { headers: { 'accept-encoding': coding } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }))
    })
      .on('error', reject)
      .end()
  })
}
