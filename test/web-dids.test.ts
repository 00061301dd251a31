import assert from 'node:assert/strict'
import { request } from 'node:http'
import { accountRows } from '../packages/custody/src/account-rows.js'
import type { Client } from './support/client.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { ServiceHere } from './support/service-here.js'

const HOST = 'status.example.com:8443'
const UNDER = 'did:web:status.example.com%3A8443'

interface Answer {
  status: number
  headers: Record<string, unknown>
  body: { id?: string; verificationMethod?: { id: string; publicKeyJwk: { x: string } }[]; code?: string }
}

for (const place of PLACES) {
  describe(`did:web under the public URL (${place})`, () => {
    let service: ServiceHere
    let first: Client
    let second: Client
    before(async () => {
      const environment = { VIDIMUS_PUBLIC_URL: `https://${HOST}` }
      service = await ServiceHere.start({ url: await emptyInstallation(place), listen: true, environment })
      first = await service.clientOf('first')
      second = await service.clientOf('second')
    })
    after(() => service.stop())

    const read = (path: string, { host = HOST, headers = {}, method = 'GET' } = {}): Promise<Answer> =>
      new Promise((resolve, reject) => {
        const sent = request(new URL(path, first.url), { method, headers: { host, ...headers } }, (res) => {
          let text = ''
          res.on('data', (part: Buffer) => (text += part.toString()))
          res.on('end', () =>
            resolve({
              status: res.statusCode ?? 0,
              headers: res.headers,
              body: text === '' ? {} : (JSON.parse(text) as Answer['body']),
            }),
          )
        })
        sent.on('error', reject)
        sent.end()
      })
    const create = (client: Client, did: string) =>
      client.post('/did/create', {
        json: { providerId: 'did:web', didDocument: { id: did }, options: { keyType: 'Ed25519' } },
      })

    it('is served at the root of the host and at paths, in its current version', async () => {
      for (const [did, path] of [
        [UNDER, '/.well-known/did.json'],
        [`${UNDER}:issuers:one`, '/issuers/one/did.json'],
      ] as const) {
        assert.equal((await read(path)).status, 404)
        const { status, body } = await create(first, did)
        const { keys, documentUrl } = body as { keys: { publicKeyHex: string }[]; documentUrl: string }
        assert.equal(status, 200, JSON.stringify(body))
        assert.equal(documentUrl, `https://${HOST}${path}`)
        const found = await read(path)
        assert.equal(found.status, 200)
        assert.equal(found.headers['content-type'], 'application/did+ld+json')
        assert.equal(found.headers['access-control-allow-origin'], '*')
        assert.equal(found.body.id, did)
        const x = Buffer.from(keys[0]?.publicKeyHex ?? '', 'hex').toString('base64url')
        assert.deepEqual(
          found.body.verificationMethod?.map(({ publicKeyJwk }) => publicKeyJwk.x),
          [x],
        )
        const headers = { 'if-none-match': String(found.headers.etag) }
        assert.equal((await read(path, { headers })).status, 304)
        assert.equal((await read(path, { method: 'POST' })).status, 405)
        const services = {
          did,
          service: { id: `${did}#hub`, type: 'Hub', serviceEndpoint: 'https://h.example' },
        }
        const added = await first.post('/agent/didManagerAddService', { json: services })
        assert.equal(added.status, 200, JSON.stringify(added.body))
        assert.notEqual((await read(path)).headers.etag, found.headers.etag)
      }
    })

    it('changes its key by adding one and removing the former, not by a rotation', async () => {
      const did = `${UNDER}:rotating`
      const { body } = await create(first, did)
      const former = (body as { keys: { kid: string }[] }).keys[0]?.kid ?? assert.fail('it has a key')
      const refused = await first.post('/did/rotate-key', { json: { did } })
      const { error } = refused.body as { error: string }
      assert.equal(refused.status, 400)
      assert.match(error, /^did: .* a DID of did:web is published by its owner on its host/)
      const key = (await first.ok('POST', '/key/create', { json: {} })) as Record<string, string>
      const { kid = '', kms, type, publicKeyHex } = key
      const methods = async () =>
        (await read('/rotating/did.json')).body.verificationMethod?.map(({ id }) => id.split('#')[1]).sort()
      await first.ok('POST', '/agent/didManagerAddKey', {
        json: { did, key: { kid, kms, type, publicKeyHex } },
      })
      assert.deepEqual(await methods(), [former, kid].sort())
      await first.ok('POST', '/agent/didManagerRemoveKey', { json: { did, kid: former } })
      assert.deepEqual(await methods(), [kid])
    })

    it('is not served for another host, whatever a request claims', async () => {
      for (const host of ['other.example', 'status.example.com', `${HOST}.other.example`, '[', '']) {
        const { status } = await read('/.well-known/did.json', { host })
        assert.ok(status === 404 || (host === '' && status === 400), `${host}: ${status}`)
      }
      const headers = { 'x-forwarded-host': HOST }
      assert.equal((await read('/.well-known/did.json', { host: 'other.example', headers })).status, 404)
      for (const path of ['/did.json', '/issuers//did.json', '/%2e%2e/did.json', '/issuers/one/did.json/'])
        assert.equal((await read(path)).status, path.endsWith('/') ? 401 : 404, path)
    })

    it('stays with the account that created it first, even after deletion', async () => {
      const did = `${UNDER}:kept`
      assert.equal((await create(first, did)).status, 200)
      for (const taken of [did, `${UNDER}:issuers:one`]) {
        const { status, body } = await create(second, taken)
        assert.deepEqual([status, (body as Answer['body']).code], [400, 'did_taken'])
      }
      const deleted = await first.post('/agent/didManagerDelete', { json: { did } })
      assert.equal(deleted.status, 200, JSON.stringify(deleted.body))
      assert.equal((await read('/kept/did.json')).status, 404)
      assert.equal((await create(second, did)).status, 400)
      assert.equal((await create(first, did)).status, 200)
      assert.equal((await read('/kept/did.json')).status, 200)
    })

    it('has one spelling', async () => {
      for (const did of [
        'did:web:Status.Example.com%3A8443:one',
        'did:web:status.example.com%3a8443:one',
        `${UNDER}:%6Fne`,
        `${UNDER}:o~ne`,
      ]) {
        const { status, body } = await second.post('/agent/didManagerCreate', {
          json: { provider: 'did:web', alias: did.slice('did:web:'.length), options: { keyType: 'Ed25519' } },
        })
        assert.equal(status, 400, `${did}: ${JSON.stringify(body)}`)
      }
    })

    it('of another host is given to the account with its required address, without locking anybody out', async () => {
      const did = 'did:web:issuer.example'
      for (const client of [first, second]) {
        const { body } = await create(client, did)
        assert.equal(
          (body as { documentUrl: string }).documentUrl,
          'https://issuer.example/.well-known/did.json',
        )
        const given = (await client.ok('GET', `/did/document/${did}`)) as {
          didDocument: { id: string }
          documentUrl: string
        }
        assert.equal(given.didDocument.id, did)
        assert.equal(given.documentUrl, 'https://issuer.example/.well-known/did.json')
      }
      assert.equal((await read('/.well-known/did.json', { host: 'issuer.example' })).status, 404)
      const cheqd = (await first.ok('POST', '/did/create', { json: { network: 'testnet' } })) as {
        did: string
      }
      const { didDocument, ...others } = (await first.ok('GET', `/did/document/${cheqd.did}`)) as {
        didDocument: { id: string }
      }
      assert.deepEqual([didDocument.id, others], [cheqd.did, {}])
      assert.equal((await second.get(`/did/document/${UNDER}`)).status, 404)
    })

    it('belongs to nobody once its account is deleted', async () => {
      const leaving = await service.clientOf('leaving')
      const did = `${UNDER}:leaving`
      assert.equal((await create(leaving, did)).status, 200)
      await service.accounts.deletion(accountRows({ database: service.database })).run('leaving')
      assert.equal((await read('/leaving/did.json')).status, 404)
      const { status, body } = await create(second, did)
      assert.deepEqual([status, (body as Answer['body']).code], [400, 'did_taken'])
    })
  })
}
