import assert from 'node:assert/strict'
import { sign } from 'node:crypto'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { ListHost, WEB } from '../packages/status-list/src/__tests__/strangers/list-host.js'
import { Client } from './support/client.js'
import { outsideKey } from './support/outside-key.js'
import { Service } from './support/service.js'

const LIST = 'application/statuslist+jwt'
/** Eight bits for an entry. */
const VALUES = { good: 0, revoked: 1, suspended: 2 }

interface Verdict {
  verified: boolean
  statuses?: {
    index: number
    list: string
    status?: number
    valid?: boolean
    revoked?: boolean
    suspended?: boolean
    message?: string
    listMessage?: string
    error?: string
    code?: string
  }[]
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

  const listOf = (members: object = {}, signer = issuer) => {
    const lst = deflateSync(Uint8Array.from(Object.values(VALUES))).toString('base64url')
    const now = Math.floor(Date.now() / 1000)
    const claims = { sub: host.url(), iat: now, exp: now + 3600, status_list: { bits: 8, lst }, ...members }
    return signer.jwt(claims, 'statuslist+jwt')
  }
  const serve = (...list: Parameters<typeof listOf>) => host.serves(LIST, listOf(...list))
  const verifyFrom = async (answer: ListHost['answer'], uri = host.url()) => {
    host.asked.length = 0
    host.answer = answer
    return (await client.ok('POST', '/credential/verify', {
      json: { credential: credential(VALUES.revoked, uri) },
    })) as Verdict
  }
  const credential = (idx: number, uri = host.url()) =>
    issuer.jwt(
      {
        '@context': ['https://www.w3.org/ns/credentials/v2'],
        type: ['VerifiableCredential'],
        issuer: issuer.did,
        iss: issuer.did,
        credentialSubject: { name: 'Ada' },
        status: { status_list: { idx, uri } },
      },
      'vc+jwt',
    )
  /** How an object store, a web server with its own types, and one that compresses whatever is asked send a list. */
  const WAYS: [title: string, headers: Record<string, string>, encode?: (list: string) => Buffer][] = [
    ['no type', {}],
    ['application/octet-stream', { 'content-type': 'application/octet-stream' }],
    ['binary/octet-stream', { 'content-type': 'binary/octet-stream' }],
    ['application/vc+ld+json+jwt', { 'content-type': 'application/vc+ld+json+jwt' }],
    ['gzip', { 'content-encoding': 'gzip' }, gzipSync],
    ['GZIP', { 'content-encoding': 'GZIP', 'content-type': 'text/html' }, gzipSync],
    ['deflate with its frame', { 'content-encoding': 'deflate' }, deflateSync],
    ['deflate without it', { 'content-encoding': 'deflate' }, deflateRawSync],
    ['br', { 'content-encoding': 'br' }, brotliCompressSync],
  ]
  for (const [title, headers, encode] of WAYS) {
    it(`are read however their host sends them: ${title}`, async () => {
      const list = listOf()
      const { statuses } = await verifyFrom((_, response) =>
        response.writeHead(200, { 'cache-control': 'no-store', ...headers }).end(encode?.(list) ?? list),
      )
      assert.deepEqual([statuses?.[0]?.error, statuses?.[0]?.status], [undefined, VALUES.revoked])
    })
  }

  it('are read from a host that does not know their types, and are missing for 10 seconds', async () => {
    const list = listOf()
    const { statuses } = await verifyFrom(({ headers: { accept } }, response) => {
      if (accept === '*/*') response.writeHead(200, { 'cache-control': 'no-store' }).end(list)
      else response.writeHead(406).end()
    })
    assert.equal(statuses?.[0]?.status, VALUES.revoked)
    assert.deepEqual(
      host.asked.map(({ accept }) => accept),
      ['application/statuslist+jwt, application/statuslist+cwt, */*;q=0.1', '*/*'],
    )
    const stubborn = await verifyFrom((_, response) => response.writeHead(406).end())
    assert.match(String(stubborn.statuses?.[0]?.error), /responded with 406/)
    assert.equal(host.asked.length, 2)
    const missing: ListHost['answer'] = (_, response) => response.writeHead(404).end()
    const away = `${host.url()}/away`
    assert.match(String((await verifyFrom(missing, away)).statuses?.[0]?.error), /responded with 404/)
    const again = await verifyFrom(missing, away)
    assert.match(String(again.statuses?.[0]?.error), /responded with 404/)
    assert.equal(host.asked.length, 0, 'its host was asked again')
  })

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
    host.answer = (_, response) => response.writeHead(503).end()
    const { verified, statuses } = await verify(VALUES.good)
    assert.deepEqual(
      [verified, statuses?.map(({ error }) => error)],
      [false, ['the status list cannot be read: its host responded with 503']],
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

  describe('with Bitstring entries', () => {
    /**
     * 131,072 entries of two bits: 0, 1, 2, and 3 in the last. `BitstreamStatusList` and `createStatusListCredential` of
     * `@4sure-tech/vc-bitstring-status-lists` 0.1.0-unstable.1 wrote this list for two purposes and `statusSize: 2`: with
     * `statusPurpose: ["revocation", "suspension"]`, and neither `statusSize` nor `statusMessages`.
     */
    const TWO_BITS =
      'uH4sIAAAAAAAAA-3BAQ0AAAwCoG-WeP-kBhH4AwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIB5KT7SlrcAgAAA'
    const bitsOf = (bytes: number, ...first: number[]) => {
      const bits = new Uint8Array(bytes)
      bits.set(first)
      return `u${gzipSync(bits).toString('base64url')}`
    }
    const BOTH = ['revocation', 'suspension']
    const words = (...all: string[]) =>
      all.map((message, value) => ({ status: `0x${value.toString(16)}`, message }))

    const serveList = (subject: object) => {
      const { did, jwt } = issuer
      const list = {
        '@context': ['https://www.w3.org/ns/credentials/v2'],
        id: host.url(),
        type: ['VerifiableCredential', 'BitstringStatusListCredential'],
        issuer: did,
        credentialSubject: { id: `${host.url()}#list`, type: 'BitstringStatusList', ...subject },
      }
      host.serves('application/vc+jwt', jwt(list, 'vc+jwt'), { 'cache-control': 'no-store' })
    }
    const entryOf = (index: number, members: object) => ({
      type: 'BitstringStatusListEntry',
      statusPurpose: 'revocation',
      statusListIndex: String(index),
      statusListCredential: host.url(),
      ...members,
    })
    const read = async (index: number, members: object = {}) => {
      const signed = issuer.jwt(
        {
          '@context': ['https://www.w3.org/ns/credentials/v2'],
          type: ['VerifiableCredential'],
          issuer: issuer.did,
          credentialSubject: { name: 'Ada' },
          credentialStatus: entryOf(index, members),
        },
        'vc+jwt',
      )
      const verdict = (await client.ok('POST', '/credential/verify', {
        json: { credential: signed },
      })) as Verdict
      const [status] = verdict.statuses ?? []
      return { verified: verdict.verified, ...status }
    }
    const check = (json: object, statusPurpose = 'revocation') =>
      client.post('/credential-status/check', {
        query: { listType: 'BitstringStatusList', statusPurpose },
        json: { uri: host.url(), did: issuer.did, ...json },
      })

    it('a list without a width has that of the entry, or of the request that checks it', async () => {
      serveList({ statusPurpose: BOTH, encodedList: TWO_BITS })
      const values = []
      for (const index of [0, 1, 2, 131_071]) {
        const { verified, status, error } = await read(index, { statusSize: 2 })
        values.push([verified, error ?? status])
      }
      assert.deepEqual(values, [
        [true, 0],
        [false, 1],
        [false, 2],
        [false, 3],
      ])
      const { status, body } = await check({ index: 131_071, statusSize: 2 })
      assert.deepEqual([status, (body as { status?: number }).status], [200, 3], JSON.stringify(body))
      assert.match(
        String((await read(131_072, { statusSize: 2 })).error),
        /131072 is outside the list \(0 to 131071\)/,
      )
      assert.match(String((await read(0, { statusSize: 9 })).error), /whole number of bits from 1 to 8/)
      assert.match(
        String((await read(0, { statusSize: 4 })).error),
        /65536 entries, fewer than the minimum 131072/,
      )
    })

    it('a list with a width has that width, and contradicts other statements', async () => {
      serveList({ statusPurpose: 'revocation', statusSize: 2, encodedList: TWO_BITS })
      const { status, revoked, message } = await read(2)
      assert.deepEqual([status, revoked, message], [2, true, undefined])
      const { verified, error } = await read(0, { statusSize: 1 })
      assert.equal(verified, false)
      assert.match(String(error), /a statusSize of 1, but the entries of the list have 2 bits/)
      const { status: refused, body } = await check({ index: 0, statusSize: 4 })
      assert.equal(refused, 400)
      assert.match(JSON.stringify(body), /"statusSize","message":"is 4, but the entries/)
    })

    it('values mean what the purpose of the entry says, not what they mean in lists of the service', async () => {
      serveList({ statusPurpose: BOTH, encodedList: bitsOf(16_384, 0b0100_0000) })
      const suspended = await read(1, { statusPurpose: 'suspension' })
      assert.deepEqual([suspended.verified, suspended.suspended, suspended.revoked], [false, true, undefined])
      assert.equal((await read(1)).revoked, true)
      assert.equal((await read(0, { statusPurpose: 'suspension' })).suspended, false)
      const { body } = await check({ index: 1 }, 'suspension')
      assert.equal((body as { suspended?: boolean }).suspended, true)
      assert.match(String((await read(1, { statusPurpose: 'refresh' })).error), /not refresh/)

      serveList({ statusPurpose: BOTH, encodedList: TWO_BITS })
      assert.equal((await read(1, { statusPurpose: 'suspension', statusSize: 2 })).suspended, true)
      assert.equal((await read(2, { statusSize: 2 })).revoked, true)
    })

    it('messages are those of the credential, with that of the list where it differs', async () => {
      const purpose = { statusPurpose: 'message' }
      const ofList = words('valid', 'revoked', 'suspended', 'unknown')
      const own = { statusSize: 2, statusMessage: words('sent', 'arrived', 'suspended', 'lost') }
      serveList({ ...purpose, statusSize: 2, statusMessages: ofList, encodedList: TWO_BITS })
      const arrived = await read(1, { ...purpose, ...own })
      assert.deepEqual(
        [arrived.message, arrived.listMessage, arrived.revoked],
        ['arrived', 'revoked', undefined],
      )
      const same = await read(2, { ...purpose, ...own })
      assert.deepEqual([same.message, same.listMessage], ['suspended', undefined])
      const silent = await read(1, purpose)
      assert.deepEqual([silent.message, silent.listMessage], ['revoked', undefined])
      const few = await read(1, { ...purpose, statusSize: 2, statusMessage: ofList.slice(1) })
      assert.match(String(few.error), /a message for each value/)
      const { status } = await check({ index: 1, ...own }, 'message')
      assert.equal(status, 400, 'a request must agree with the list')

      serveList({ ...purpose, encodedList: bitsOf(16_384, 0b0100_0000) })
      assert.deepEqual([(await read(0, purpose)).message, (await read(1, purpose)).message], ['unset', 'set'])
      const named = await read(1, { ...purpose, statusMessage: words('open', 'closed') })
      assert.equal(named.message, 'closed')
      const { body } = await check({ index: 1 }, 'message')
      assert.equal((body as { message?: string }).message, 'set')
    })

    it('a list with too few entries is refused with the option that allows it', async () => {
      serveList({ statusPurpose: 'revocation', encodedList: bitsOf(12_500, 0) })
      const { verified, error } = await read(0)
      assert.equal(verified, false)
      assert.match(String(error), /100000 entries, fewer than the minimum 131072; minForeignEntries of/)
    })
  })
})
