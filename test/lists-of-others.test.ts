import assert from 'node:assert/strict'
import { sign } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { ListHost, WEB } from '../packages/status-list/src/__tests__/strangers/list-host.js'
import { Client } from './support/client.js'
import { outsideKey } from './support/outside-key.js'
import { Service } from './support/service.js'

const LIST = 'application/statuslist+jwt'
/** Eight bits for an entry. */
const VALUES = { good: 0, revoked: 1, suspended: 2 }

interface Verdict {
  verified: boolean
  statuses?: { index: number; list: string; valid?: boolean; error?: string; code?: string }[]
  problems?: { message: string }[]
}

/** A party that the service does not know. */
const party = () => {
  const { jwk, privateKey } = outsideKey('Secp256r1')
  const did = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`
  const jwt = (payload: object, typ: string) => {
    const parts = [{ alg: 'ES256', kid: `${did}#0`, typ }, payload]
    const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return `${signed}.${signature.toString('base64url')}`
  }
  return { did, jwt }
}

const issuer = party()
const statusIssuer = party()
const evil = party()

describe('status lists served by others', () => {
  const host = new ListHost()
  let service: Service
  let client: Client
  before(async () => {
    await host.start()
    // The host is in the own network, and has a certificate of its own.
    const trusted = `allowPrivateAddresses: true\n                certificateAuthorities: ${JSON.stringify(WEB.certificateAuthorities)}`
    const configure = (text: string) =>
      withStatusIssuer(text).replace(
        /(\n {14}web:\n(?: {16}.*\n)*? {16})allowPrivateAddresses: false/,
        `$1${trusted}`,
      )
    const named = `{ issuer: '${statusIssuer.did}', for: ['${issuer.did}'] }`
    const withStatusIssuer = (text: string) => text.replace('statusIssuers: []', `statusIssuers: [${named}]`)
    service = await Service.start({ configure })
    client = await Client.of(service.url, service.apiKey)
  })
  after(async () => {
    await service.stop()
    host.stop()
  })

  const serve = (members: object = {}, signer = issuer) => {
    const lst = deflateSync(Uint8Array.from(Object.values(VALUES))).toString('base64url')
    const now = Math.floor(Date.now() / 1000)
    const claims = { sub: host.url(), iat: now, exp: now + 3600, status_list: { bits: 8, lst }, ...members }
    host.serves(LIST, signer.jwt(claims, 'statuslist+jwt'))
  }
  const credential = (idx: number) =>
    issuer.jwt(
      {
        '@context': ['https://www.w3.org/ns/credentials/v2'],
        type: ['VerifiableCredential'],
        issuer: issuer.did,
        iss: issuer.did,
        credentialSubject: { name: 'Ada' },
        status: { status_list: { idx, uri: host.url() } },
      },
      'vc+jwt',
    )
  const verify = async (idx: number, statusPolicy?: string) =>
    (await client.ok('POST', '/credential/verify', {
      json: { credential: credential(idx), statusPolicy },
    })) as Verdict

  it('determine whether their credentials verify', async () => {
    serve()
    const { verified, statuses } = await verify(VALUES.good, 'required')
    assert.equal(verified, true)
    assert.deepEqual(
      statuses?.map(({ index, list, valid }) => [index, list, valid]),
      [[0, host.url(), true]],
    )
    for (const state of ['revoked', 'suspended'] as const) {
      const { verified: holds, problems } = await verify(VALUES[state])
      assert.equal(holds, false)
      assert.match(String(problems?.[0]?.message), new RegExp(`it is ${state}`))
    }
  })

  it('fail verification if unreadable, unless the caller does not require them', async () => {
    host.answer = (_, response) => response.writeHead(404).end()
    const { verified, statuses } = await verify(VALUES.good)
    assert.deepEqual(
      [verified, statuses?.map(({ error }) => error)],
      [false, ['the status list cannot be read: its host responded with 404']],
    )
    host.asked.length = 0
    const { verified: anyway, statuses: none } = await verify(VALUES.revoked, 'skip')
    assert.deepEqual([anyway, none, host.asked], [true, undefined, []])
  })

  it('can be checked by address, and by a token that names them', async () => {
    serve()
    const check = (json: object) =>
      client.ok('POST', '/credential-status/check', {
        query: { listType: 'TokenStatusList', statusPurpose: 'suspension' },
        json,
      }) as Promise<{ suspended?: boolean; results: { status: number }[] }>
    const { results } = await check({ uri: host.url(), did: issuer.did, indices: [0, 1, 2] })
    assert.deepEqual(
      results.map(({ status }) => status),
      [0, 1, 2],
    )
    assert.equal((await check({ token: credential(VALUES.suspended) })).suspended, true)
    const answer = await client.post('/credential-status/check', {
      query: { listType: 'TokenStatusList', statusPurpose: 'suspension' },
      json: { uri: host.url(), index: 0 },
    })
    assert.equal(answer.status, 400)
    assert.match(JSON.stringify(answer.body), /names no issuer/)
  })

  it('are signed by the issuer of the credential, or by one of its status issuers', async () => {
    serve({ iss: evil.did }, evil)
    const { verified, statuses, problems } = await verify(VALUES.good)
    assert.deepEqual([verified, statuses?.[0]?.code], [false, 'status_issuer'])
    const line = `statusIssuers: [{ issuer: '${evil.did}', for: ['${issuer.did}'] }]`
    assert.ok(statuses?.[0]?.error?.includes(line), JSON.stringify(problems))

    const check = (json: object) =>
      client.post('/credential-status/check', {
        query: { listType: 'TokenStatusList', statusPurpose: 'revocation' },
        json,
      })
    for (const json of [
      { token: credential(VALUES.good) },
      { uri: host.url(), index: 0, issuer: issuer.did },
      { uri: host.url(), index: 0, did: issuer.did },
    ]) {
      const { status, body } = await check(json)
      assert.deepEqual(
        [status, (body as { code: string }).code],
        [400, 'status_issuer'],
        JSON.stringify(json),
      )
    }
    const { body } = await check({ uri: host.url(), index: 0 })
    assert.equal((body as { signedBy?: string }).signedBy, evil.did, 'a check by hand says who signed')

    serve({ iss: statusIssuer.did, iat: 1 }, statusIssuer)
    const { status, body: good } = await check({ uri: host.url(), index: 0, issuer: issuer.did })
    assert.equal(status, 200, JSON.stringify(good))
  })
})
