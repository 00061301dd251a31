import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '@vidimus/database'
import { accountRows } from '../packages/custody/src/account-rows.js'
import type { Client } from './support/client.js'
import { Examination } from './support/doctor.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { outsideKey } from './support/outside-key.js'
import { refusedStart } from './support/refused-start.js'
import { codeOfVidimus } from './support/service.js'
import { ServiceHere } from './support/service-here.js'

const HOST = 'status.example.com:8443'
const UNDER = 'did:web:status.example.com%3A8443'

const NONE = '{ webDids: { root: null, prefixes: {} } }'
const granting = (webDids: string) => (text: string) => {
  assert.ok(text.includes(NONE))
  return text.replace(NONE, `{ webDids: ${webDids.replaceAll('\n', '\n              ')} }`)
}
const GRANTS = granting("{ root: first, prefixes: { first: ['issuers:one', later, kept], second: [teams] } }")

interface Answer {
  status: number
  headers: Record<string, unknown>
  body: { id?: string; verificationMethod?: { id: string; publicKeyJwk: { x: string } }[]; code?: string }
}

for (const place of PLACES) {
  describe(`did:web under the public URL (${place})`, () => {
    const environment = { VIDIMUS_PUBLIC_URL: `https://${HOST}` }
    let dataDirectory: string
    let installation: { dataDirectory: string; environment: Record<string, string>; configure: typeof GRANTS }
    let service: ServiceHere
    let first: Client
    let second: Client
    before(async () => {
      const url = await emptyInstallation(place)
      service = await ServiceHere.start({ url, listen: true, environment, configure: GRANTS })
      // For commands beside the service.
      dataDirectory = await mkdtemp(join(tmpdir(), 'vidimus-web-dids-'))
      const secret = { DATABASE_URL: url, KMS_SECRET_KEY: 'a5'.repeat(32) }
      installation = { dataDirectory, environment: { ...environment, ...secret }, configure: GRANTS }
      first = await service.clientOf('first')
      second = await service.clientOf('second')
    })
    after(async () => {
      await service.stop()
      await rm(dataDirectory, { recursive: true })
    })

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
      const did = `${UNDER}:first:rotating`
      const { body } = await create(first, did)
      const former = (body as { keys: { kid: string }[] }).keys[0]?.kid ?? assert.fail('it has a key')
      const refused = await first.post('/did/rotate-key', { json: { did } })
      const { error } = refused.body as { error: string }
      assert.equal(refused.status, 400)
      assert.match(error, /^did: .* a DID of did:web is published by its owner on its host/)
      const key = (await first.ok('POST', '/key/create', { json: {} })) as Record<string, string>
      const { kid = '', kms, type, publicKeyHex } = key
      const methods = async () =>
        (await read('/first/rotating/did.json')).body.verificationMethod
          ?.map(({ id }) => id.split('#')[1])
          .sort()
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
      const deleted = await first.post('/agent/didManagerDelete', { json: { did } })
      assert.equal(deleted.status, 200, JSON.stringify(deleted.body))
      assert.equal((await read('/kept/did.json')).status, 404)
      const [claim] = await claims(did)
      assert.ok(claim?.account_id, 'it stays taken')
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

    it('belongs to nobody once its account is deleted, until the operator releases its name', async () => {
      const leaving = await service.clientOf('leaving')
      const did = `${UNDER}:leaving`
      assert.equal((await create(leaving, did)).status, 200)
      const release = (name: string) => codeOfVidimus(['did', 'release', name], installation)
      const refused = await release(did)
      assert.match(refused.complained, /did: the account "leaving" has it; it must remove it first/)
      await service.accounts.deletion(accountRows({ database: service.database })).run('leaving')
      assert.equal((await read('/leaving/did.json')).status, 404)
      const successor = await service.clientOf('leaving')
      assert.equal(codeOf(await create(successor, did)), 'did_taken')
      const released = await release(did)
      assert.deepEqual([released.code, released.printed], [0, `${did} can be created again\n`])
      assert.match((await release(did)).complained, /no account has taken the name/)
      assert.equal((await create(successor, did)).status, 200)
      const [row] = await service.audit.list({ event: 'name-released' })
      assert.equal(row?.subject, did)
    })

    it('whose account has removed it is released for an account to which it is granted now', async () => {
      const did = `${UNDER}:kept`
      await first.post('/agent/didManagerDelete', { json: { did } })
      const kept = await service.clientOf('kept')
      assert.equal(codeOf(await create(kept, did)), 'did_not_granted')
      assert.equal((await codeOfVidimus(['did', 'release', did], installation)).code, 0)
      assert.deepEqual(await claims(did), [])
    })

    const refusedDoors = (did: string): [path: string, json: object][] => {
      const alias = did.slice('did:web:'.length)
      const options = { keyType: 'Ed25519' }
      return [
        ['/did/create', { providerId: 'did:web', didDocument: { id: did }, options }],
        ['/1.0/create?method=web', { did, options: { keyType: 'Ed25519' } }],
        ['/agent/didManagerCreate', { provider: 'did:web', alias, options }],
        ['/agent/didManagerGetOrCreate', { provider: 'did:web', alias, options }],
      ]
    }
    const claims = (did: string) =>
      service.database.query<{ account_id: string | null }>(
        sql`SELECT account_id FROM web_did WHERE did = ${did}`,
      )
    const codeOf = ({ body }: { body: unknown }) => {
      const { code, didState } = body as { code?: string; didState?: { error?: string } }
      return code ?? didState?.error
    }

    it('is refused outside of what is granted to the account, through every interface', async () => {
      const outside = { kid: 'outside', type: 'Ed25519', privateKeyHex: outsideKey().privateKeyHex }
      for (const did of [
        UNDER,
        `${UNDER}:issuers:one`,
        `${UNDER}:issuers`,
        `${UNDER}:first:own`,
        `${UNDER}:free`,
      ]) {
        for (const [path, json] of refusedDoors(did)) {
          const answer = await second.post(path, { json })
          assert.equal(answer.status, 400, `${path} ${did}: ${JSON.stringify(answer.body)}`)
          assert.match(JSON.stringify(answer.body), /did_not_granted/, `${path} ${did}`)
          assert.match(JSON.stringify(answer.body), /%3A8443:second \(and what is below it\), \S+:teams \(/)
        }
        const imported = { did, provider: 'did:web', keys: [{ ...outside, kms: 'local' }], services: [] }
        const agent = service.as(await service.accounts.get('second'))
        await assert.rejects(agent('didManagerImport', imported), { code: 'did_not_granted' })
        assert.deepEqual(
          (await claims(did)).filter(({ account_id: id }) => id === 'second'),
          [],
        )
      }
      const { dids } = (await second.ok('GET', '/did/list')) as { dids: string[] }
      assert.deepEqual(
        dids.filter((did) => did.startsWith(UNDER)),
        [],
      )
    })

    it('is granted at the path of the own name, at configured paths, and below them', async () => {
      for (const path of ['second', 'second:deep:er', 'teams', 'teams:one']) {
        const { status, body } = await create(second, `${UNDER}:${path}`)
        assert.equal(status, 200, JSON.stringify(body))
      }
    })

    it('is served but not changed where it is not granted any more, and the doctor names it', async () => {
      const did = `${UNDER}:later`
      const service_ = { id: `${did}#hub`, type: 'Hub', serviceEndpoint: 'https://h.example' }
      const created = (await first.ok('POST', '/did/create', {
        json: { providerId: 'did:web', didDocument: { id: did }, options: { keyType: 'Ed25519' } },
      })) as { keys: { kid: string }[] }
      const kid = created.keys[0]?.kid ?? ''
      const own = (await first.ok('POST', '/key/create', { json: {} })) as Record<string, string>
      await first.ok('POST', '/agent/didManagerAddService', { json: { did, service: service_ } })
      // Its name is that of an account from now on, so the path belongs to neither.
      const later = await service.clientOf('later')
      const changes: [path: string, json: object][] = [
        ['/agent/didManagerAddService', { did, service: { ...service_, id: `${did}#other` } }],
        ['/agent/didManagerRemoveService', { did, id: service_.id }],
        ['/agent/didManagerAddKey', { did, key: own }],
        ['/agent/didManagerRemoveKey', { did, kid }],
        ['/agent/didManagerSetAlias', { did, alias: 'other' }],
        ['/did/create', { providerId: 'did:web', didDocument: { id: `${did}:below` } }],
      ]
      const before = await read('/later/did.json')
      assert.equal(before.status, 200)
      for (const [path, json] of changes) {
        const answer = await first.post(path, { json })
        assert.deepEqual([answer.status, codeOf(answer)], [400, 'did_not_granted'], path)
      }
      assert.equal(codeOf(await create(later, did)), 'did_not_granted')
      assert.deepEqual((await read('/later/did.json')).body, before.body)
      const examination = await Examination.of(installation)
      assert.match(
        examination.of('did:web'),
        /^warn: the path "later" in webDids .* account "later": .*\n(warn.*\n)*warn: served, but not granted to their accounts: \S+:later of "first"$/,
      )
      await first.ok('POST', '/agent/didManagerDelete', { json: { did } })
    })
  })
}

describe('webDids', () => {
  it('is refused at the start with the line of each mistake', async () => {
    const { says } = await refusedStart({
      configure: granting('{ prefixes: {\n one: [issuers, a],\n two: ["issuers:two", ab],\n three: [a] } }'),
    })
    assert.match(
      says,
      /agent\.yml:\d+:\d+ +\S*prefixes\.two\[0\]: is below the path "issuers" of the account "one"/,
    )
    assert.match(says, /prefixes\.three\[0\]: is the path "a" of the account "one"/)
    assert.doesNotMatch(says, /two\[1\]/)
  })
})
