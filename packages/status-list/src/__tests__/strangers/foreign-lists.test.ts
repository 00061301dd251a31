import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { deflateSync, gzipSync } from 'node:zlib'
import type { VerifiableCredential } from '@veramo/core-types'
import { encode } from 'cborg'
import type { StatusListCheckArgs } from '@vidimus/core-types'
import { tokenVectors } from '../vectors.js'
import { agentOf, encodedBits, Issuer, ListHost, NOW, SECONDS, WEB } from './list-host.js'

const V1 = 'https://www.w3.org/2018/credentials/v1'
const V2 = 'https://www.w3.org/ns/credentials/v2'
const JWT = 'application/statuslist+jwt'
const CWT = 'application/statuslist+cwt'
/** Eight bits for an entry: 0, revoked, suspended. */
const LST = deflateSync(Uint8Array.of(0, 1, 2)).toString('base64url')

describe('external lists on the web', () => {
  const host = new ListHost()
  before(() => host.start())
  after(() => host.stop())

  const claims = (members: object = {}) => ({
    sub: host.url(),
    iat: SECONDS,
    status_list: { bits: 8, lst: LST },
    ...members,
  })
  const tokenOf = (issuer: string | undefined, idx: number, uri = host.url()) => ({
    ...(issuer !== undefined && { issuer: { id: issuer } }),
    status: { status_list: { idx, uri } },
  })
  const entry = (index: number, type = 'BitstringStatusListEntry') => ({
    credentialStatus: {
      type,
      statusPurpose: 'revocation',
      statusListIndex: String(index),
      statusListCredential: host.url(),
    },
  })
  const bitstring = (members: object = {}, subject: object = {}) => ({
    id: host.url(),
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    credentialSubject: {
      id: `${host.url()}#list`,
      type: 'BitstringStatusList',
      statusPurpose: 'revocation',
      encodedList: `u${encodedBits([1])}`,
      ...subject,
    },
    ...members,
  })
  type Agent = ReturnType<typeof agentOf>
  const statusOf = ({ agent }: Agent, credential: object) =>
    agent.checkCredentialStatus({ credential: credential as VerifiableCredential })
  const verdict = async (test: Agent, credential: object) => {
    const { verified, revoked, suspended, message } = await statusOf(test, credential)
    if (verified) return 'in force'
    return revoked ? 'revoked' : suspended ? 'suspended' : String(message)
  }

  describe('formats', () => {
    it('include token lists as JWT and CWT, for any key type, with and without an issuer', async () => {
      for (const type of ['Ed25519', 'Secp256r1', 'Secp256k1'] as const) {
        const test = agentOf()
        const other = new Issuer('did:cheqd:testnet:1d0c1b0a-0d0c-4b0a-8d0c-0d0c1b0a0d0c', test.ledger, type)
        const forms: [string, string | Uint8Array][] = [
          [JWT, other.listJwt(claims())],
          [JWT, other.listJwt(claims({ iss: other.did }))],
          [CWT, other.listCwt(claims())],
          [CWT, other.listCwt(claims({ iss: other.did }))],
          [`${JWT}; charset=utf-8`, other.listJwt(claims())],
        ]
        for (const [mediaType, content] of forms) {
          host.serves(mediaType, content)
          const found = await Promise.all([0, 1, 2].map((idx) => verdict(test, tokenOf(other.did, idx))))
          assert.deepEqual(found, ['in force', 'revoked', 'suspended'], mediaType)
          assert.match(
            String(host.asked[0]?.accept),
            /^application\/statuslist\+jwt, application\/statuslist\+cwt, \*\/\*;q=0\.1$/,
          )
        }
      }
    })

    it('include credentials in each of their forms', async () => {
      const test = agentOf()
      const { issuer } = test
      const vc2 = issuer.jwt(
        { '@context': [V2], issuer: issuer.did, ...bitstring() },
        { typ: 'vc+jwt', cty: 'vc' },
      )
      const vc1 = (vc: object) =>
        issuer.jwt({ iss: issuer.did, nbf: SECONDS, vc: { '@context': [V1], ...vc } }, { typ: 'JWT' })
      const enveloped = JSON.stringify({
        '@context': [V2],
        id: `data:application/vc+jwt,${vc2}`,
        type: 'EnvelopedVerifiableCredential',
      })
      const forms: [string, string, string?][] = [
        ['application/vc+jwt', vc2],
        ['application/jwt', vc2],
        ['text/plain', `${vc2}\n`],
        ['application/vc', enveloped],
        ['application/vc+ld+json', enveloped],
        ['application/json', enveloped],
        ['application/jwt', vc1(bitstring())],
        ...['', '='].map((padding): [string, string, string] => [
          'application/jwt',
          vc1({
            ...bitstring({ type: ['VerifiableCredential', 'StatusList2021Credential'] }),
            credentialSubject: {
              type: 'StatusList2021',
              statusPurpose: 'revocation',
              encodedList:
                padding === ''
                  ? encodedBits([1])
                  : Buffer.from(encodedBits([1]), 'base64url').toString('base64'),
            },
          }),
          'StatusList2021Entry',
        ]),
      ]
      for (const [mediaType, content, type] of forms) {
        host.serves(mediaType, content)
        assert.equal(await verdict(test, entry(0, type)), 'in force', mediaType)
        assert.equal(await verdict(test, entry(1, type)), 'revoked', mediaType)
      }
    })
  })

  describe('fail closed', () => {
    const revoked = async (
      test: Agent,
      serve: () => void,
      credential: object = tokenOf(test.issuer.did, 0),
    ) => {
      serve()
      const { verified, statuses = [], errors = [] } = await statusOf(test, credential)
      assert.equal(verified, false)
      assert.equal(statuses.length, 1)
      const [only] = statuses
      assert.ok(only && 'error' in only)
      assert.equal(errors[0]?.message, only.error)
      return only.error
    }

    const coded = (encoding: string, content: string | Buffer): [ListHost['answer']] => [
      (_, response) => void response.writeHead(200, { 'content-encoding': encoding }).end(content),
    ]

    it('if their host does not respond as required', async () => {
      const test = agentOf({ web: { ...WEB, timeoutMs: 20_000, maxBytes: 2000 } })
      const impatient = agentOf({ web: { ...WEB, timeoutMs: 300 } })
      const answers: [string, ListHost['answer'], RegExp][] = [
        ['broken', (_, response) => void response.writeHead(500).end(), /responded with 500/],
        ['not modified, unasked', (_, response) => void response.writeHead(304).end(), /responded with 304/],
        ['gone', ({ socket }) => socket.destroy(), /cannot be reached/],
        ['silent', () => undefined, /did not respond within 300 ms/],
        [
          'slow',
          (_, response) => void response.writeHead(200, { 'content-type': JWT }).write('e'),
          /within 300 ms/,
        ],
        [
          'large',
          (_, response) => void response.writeHead(200, { 'content-type': JWT }).end('x'.repeat(2001)),
          /more than 2000 bytes/,
        ],
        ['empty', (_, response) => void response.writeHead(200).end(), /with an empty body/],
        [
          'a page',
          (_, response) => void response.writeHead(200, { 'content-type': JWT }).end(' \n<!doctype html>'),
          /with HTML or XML/,
        ],
        ['bloated', ...coded('gzip', gzipSync('x'.repeat(2001))), /more than 2000 bytes/],
        ['damaged', ...coded('gzip', gzipSync('x'.repeat(2000)).subarray(0, 20)), /damaged gzip/],
        ['coded in another way', ...coded('zstd', 'x'), /in the encoding "zstd"/],
        ['deflated to nothing', ...coded('deflate', ''), /damaged deflate/],
        [
          'going round',
          ({ url }, response) => void response.writeHead(302, { location: String(url) }).end(),
          /redirects more than 3 times/,
        ],
        [
          'leading to http',
          (_, response) => void response.writeHead(302, { location: 'http://localhost/' }).end(),
          /is not https/,
        ],
        [
          'garbage',
          (_, response) => void response.writeHead(200, { 'content-type': JWT }).end('x'),
          /not a readable status list/,
        ],
        [
          'garbage in CBOR',
          (_, response) => void response.writeHead(200, { 'content-type': CWT }).end('x'),
          /not a readable status list/,
        ],
        ['missing', (_, response) => void response.writeHead(404).end(), /responded with 404/],
      ]
      for (const [title, answer, message] of answers) {
        const by = title.startsWith('s') ? impatient : test
        assert.match(await revoked(by, () => (host.answer = answer)), message, title)
      }
    })

    it('if they are not signed by their issuer for this address and time', async () => {
      const test = agentOf()
      const { issuer, ledger } = test
      const other = new Issuer('did:cheqd:testnet:2d0c1b0a-0d0c-4b0a-8d0c-0d0c1b0a0d0c', ledger)
      const [header, payload, signature] = issuer.listJwt(claims()).split('.')
      const cwt = issuer.listCwt(claims())
      const flipped = cwt.map((byte, n) => (n === cwt.length - 1 ? byte ^ 1 : byte))
      const bomb = deflateSync(Buffer.alloc(40_000_000)).toString('base64url')
      const jwt = (members: object) => issuer.listJwt(claims(members))
      const lists: [string, string, string | Uint8Array, RegExp][] = [
        ['by somebody else', JWT, other.listJwt(claims()), /not a key of/],
        [
          'by somebody else under its kid',
          JWT,
          other.jwt(claims(), { typ: 'statuslist+jwt', kid: issuer.kid }),
          /does not match|is invalid/,
        ],
        ['in the name of another', JWT, jwt({ iss: other.did }), /not a key of/],
        ['by who has no DID', JWT, jwt({ iss: 'https://example.com' }), /it has no certificates/],
        ['by who is called by a URN', JWT, jwt({ iss: 'urn:example' }), /which is not a DID/],
        [
          'changed',
          JWT,
          `${header}.${Buffer.from(JSON.stringify(claims({ exp: SECONDS + 9 }))).toString('base64url')}.${signature}`,
          /does not match|is invalid/,
        ],
        [
          'not signed',
          JWT,
          `${Buffer.from('{"alg":"none","typ":"statuslist+jwt"}').toString('base64url')}.${payload}.eA`,
          /alg of the JWT/,
        ],
        ['a changed CWT', CWT, flipped, /does not match|is invalid/],
        ['a CWT by somebody else', CWT, other.listCwt(claims()), /not a key of/],
        ['another list', JWT, jwt({ sub: host.url('/other') }), /claims to be the list/],
        [
          'another list as CWT',
          CWT,
          issuer.listCwt(claims({ sub: host.url('/other') })),
          /claims to be the list/,
        ],
        ['expired', JWT, jwt({ exp: SECONDS - 1 }), /not been valid since/],
        ['an expired CWT', CWT, issuer.listCwt(claims({ exp: SECONDS - 1 })), /not been valid since/],
        ['of later', JWT, jwt({ nbf: SECONDS + 3600 }), /not valid before/],
        ['of another typ', JWT, issuer.jwt(claims(), { typ: 'JWT' }), /typ/],
        ['too long', JWT, jwt({ status_list: { bits: 1, lst: bomb } }), /exceed the allowed/],
        [
          'not long enough',
          JWT,
          jwt({ status_list: { bits: 8, lst: deflateSync('').toString('base64url') } }),
          /0 entries/,
        ],
        ['of an odd width', JWT, jwt({ status_list: { bits: 3, lst: LST } }), /bits/],
        ['without iat', JWT, jwt({ iat: undefined }), /iat/],
      ]
      for (const [title, mediaType, content, message] of lists) {
        assert.match(await revoked(test, () => host.serves(mediaType, content)), message, title)
      }
      host.serves(JWT, jwt({}))
      assert.match(
        await verdict(test, tokenOf(undefined, 0)),
        /names no issuer, and no expected signer is known/,
      )
      assert.match(await verdict(test, tokenOf(issuer.did, 3)), /0 to 2/)
      assert.equal(await verdict(test, tokenOf(issuer.did, 0)), 'in force')
    })

    it('if their credential does not verify or is about something else', async () => {
      const test = agentOf()
      const { issuer } = test
      const signed = (members: object, subject?: object) =>
        issuer.jwt(
          { '@context': [V2], issuer: issuer.did, ...bitstring(members, subject) },
          { typ: 'vc+jwt' },
        )
      const lists: [string, string, RegExp][] = [
        ['expired', signed({ validUntil: '2026-01-01T00:00:00Z' }), /expired/],
        [
          'of nobody',
          signed({ issuer: 'did:cheqd:testnet:3d0c1b0a-0d0c-4b0a-8d0c-0d0c1b0a0d0c' }),
          /not a key of/,
        ],
        ['another list', signed({ id: host.url('/other') }), /claims to be the list/],
        ['no list', signed({ type: ['VerifiableCredential'] }), /BitstringStatusListCredential/],
        [
          'of another purpose',
          signed({}, { statusPurpose: 'suspension' }),
          /is for suspension, not revocation/,
        ],
        [
          'too short',
          signed({}, { encodedList: `u${encodedBits([], 16_383)}` }),
          /131064 entries, fewer than the minimum 131072; minForeignEntries/,
        ],
        ['without its prefix', signed({}, { encodedList: encodedBits([]) }), /prefix u/],
        ['encrypted', signed({}, { encryption: 'A256GCM' }), /encrypted/],
        ['no credential', 'x', /not a signed JWT/],
      ]
      for (const [title, content, message] of lists) {
        const serve = () => host.serves('application/vc+jwt', content)
        assert.match(await revoked(test, serve, entry(0)), message, title)
      }
      // Its own status is not looked at, which would be the next list.
      host.serves('application/vc+jwt', signed(entry(1)))
      assert.equal(await verdict(test, entry(0)), 'in force')
      assert.equal(host.asked.length, 1)
    })

    it('if they are shorter than the ecosystem allows', async () => {
      // As `createList({ length: 100_000 })` and `createCredential` of `@digitalcredentials/vc-bitstring-status-list` 1.0.0 write it.
      const encodedList = 'uH4sIAAAAAAAAA-3BIQEAAAACIP1_2hcmoAEAAAAAAAAAAAAAAPgbF0EzbtQwAAA'
      for (const [minForeignEntries, expected] of [
        [131_072, /100000 entries, fewer than the minimum 131072; minForeignEntries/],
        [100_001, /fewer than the minimum 100001/],
        [100_000, /^revoked$/],
      ] as const) {
        const test = agentOf({ minForeignEntries })
        const { issuer } = test
        const list = { '@context': [V2], issuer: issuer.did, ...bitstring({}, { encodedList }) }
        host.serves('application/vc+jwt', issuer.jwt(list, { typ: 'vc+jwt', cty: 'vc' }))
        assert.match(await verdict(test, entry(7)), expected)
      }
    })

    it('if external hosts are disabled or internal', async () => {
      for (const [web, message] of [
        [false, /does not fetch from other hosts/],
        [{}, /has no public address/],
      ] as const) {
        const test = agentOf({ web })
        const serve = () => host.serves(JWT, test.issuer.listJwt(claims()))
        assert.match(await revoked(test, serve), message)
        for (const url of [
          'https://127.0.0.1/list',
          'https://[::1]/list',
          'https://169.254.169.254/latest',
          'https://localhost/x',
        ]) {
          assert.match(await revoked(test, serve, tokenOf(test.issuer.did, 0, url)), message, url)
        }
        assert.equal(host.asked.length, 0)
      }
      const test = agentOf()
      for (const url of [
        'http://localhost/list',
        'file:///etc/passwd',
        'https://me:secret@localhost/',
        'https:',
        'x',
      ]) {
        assert.match(
          await revoked(test, () => undefined, tokenOf(test.issuer.did, 0, url)),
          /neither a DID URL .* nor an https URL/,
          url,
        )
      }
    })
  })

  describe('caching', () => {
    const asks = () => host.asked.map(({ etag }) => etag)

    it('lasts as long as the list says, and then uses the entity tag', async () => {
      const test = agentOf()
      const ask = async (seconds: number, idx = 0) => {
        test.time.now = new Date(NOW.getTime() + seconds * 1000)
        return verdict(test, tokenOf(test.issuer.did, idx))
      }
      host.serves(JWT, test.issuer.listJwt(claims({ ttl: 60 })), {
        etag: '"1"',
        'cache-control': 'max-age=9',
      })
      assert.equal(await ask(0), 'in force')
      assert.equal(await ask(59, 1), 'revoked')
      assert.deepEqual(asks(), [undefined])
      assert.equal(await ask(60), 'in force')
      assert.deepEqual(asks(), [undefined, '"1"'])
      assert.equal(await ask(119), 'in force')
      assert.deepEqual(asks(), [undefined, '"1"'])
      const list = { bits: 8, lst: deflateSync(Uint8Array.of(1)).toString('base64url') }
      host.serves(JWT, test.issuer.listJwt(claims({ status_list: list })), { etag: '"2"' })
      assert.equal(await ask(120), 'revoked')
      assert.deepEqual(asks(), ['"1"'])
    })

    it('lasts as long as the host says, if the list does not', async () => {
      const expected: [Record<string, string>, number][] = [
        [{}, 2],
        [{ 'cache-control': 'public, max-age=60' }, 1],
        [{ 'cache-control': 'max-age="60"' }, 1],
        [{ 'cache-control': 'max-age=60', age: '31' }, 2],
        [{ 'cache-control': 'max-age=60, no-cache' }, 2],
        [{ 'cache-control': 'no-store' }, 2],
        [{ 'cache-control': 'max-age=soon' }, 2],
      ]
      for (const [headers, requests] of expected) {
        const test = agentOf()
        host.serves(JWT, test.issuer.listJwt(claims()), headers)
        assert.equal(await verdict(test, tokenOf(test.issuer.did, 0)), 'in force')
        test.time.now = new Date(NOW.getTime() + 30_000)
        assert.equal(await verdict(test, tokenOf(test.issuer.did, 0)), 'in force')
        assert.equal(host.asked.length, requests, JSON.stringify(headers))
      }
    })

    it('ends with the validity of the list', async () => {
      const test = agentOf()
      host.serves(JWT, test.issuer.listJwt(claims({ ttl: 3600, exp: SECONDS + 60 })))
      assert.equal(await verdict(test, tokenOf(test.issuer.did, 0)), 'in force')
      test.time.now = new Date(NOW.getTime() + 61_000)
      assert.match(await verdict(test, tokenOf(test.issuer.did, 0)), /not been valid since/)
      const { issuer } = test
      const payload = {
        '@context': [V2],
        issuer: issuer.did,
        exp: SECONDS + 120,
        ...bitstring({}, { ttl: 3_600_000 }),
      }
      host.serves('application/vc+jwt', issuer.jwt(payload, { typ: 'vc+jwt' }))
      assert.equal(await verdict(test, entry(0)), 'in force')
      test.time.now = new Date(NOW.getTime() + 200_000)
      assert.match(await verdict(test, entry(0)), /not been valid since/)
      assert.equal(host.asked.length, 1)
    })

    it('ends when the issuer changes its key', async () => {
      const test = agentOf()
      host.serves(JWT, test.issuer.listJwt(claims()), { etag: '"1"' })
      assert.equal(await verdict(test, tokenOf(test.issuer.did, 0)), 'in force')
      test.issuer.rotate()
      assert.match(await verdict(test, tokenOf(test.issuer.did, 0)), /does not match|is invalid/)
      assert.deepEqual(asks(), [undefined, undefined])
    })

    it('does not survive a later failure of the host', async () => {
      const test = agentOf()
      host.serves(JWT, test.issuer.listJwt(claims()), { etag: '"1"' })
      assert.equal(await verdict(test, tokenOf(test.issuer.did, 0)), 'in force')
      host.answer = (_, response) => response.writeHead(503).end()
      assert.match(await verdict(test, tokenOf(test.issuer.did, 0)), /responded with 503/)
    })

    it('shares one request among all concurrent callers', async () => {
      const test = agentOf()
      host.serves(JWT, test.issuer.listJwt(claims()))
      const together = Array.from({ length: 20 }, () => verdict(test, tokenOf(test.issuer.did, 1)))
      assert.deepEqual(new Set(await Promise.all(together)), new Set(['revoked']))
      assert.equal(host.asked.length, 1)
    })

    it('uses the requested address, whatever it redirects to', async () => {
      const test = agentOf()
      const content = test.issuer.listJwt(claims({ ttl: 60 }))
      host.asked.length = 0
      host.answer = ({ url }, response) => {
        if (url === '/c') response.writeHead(200, { 'content-type': JWT }).end(content)
        else response.writeHead(307, { location: url === '/list' ? '/b' : host.url('/c') }).end()
      }
      assert.equal(await verdict(test, tokenOf(test.issuer.did, 1)), 'revoked')
      assert.deepEqual(
        host.asked.map(({ url }) => url),
        ['/list', '/b', '/c'],
      )
    })
  })

  describe('are checked', () => {
    const base = { listType: 'TokenStatusList', statusPurpose: 'revocation' }
    const check = async ({ agent }: Agent, args: Partial<StatusListCheckArgs>) =>
      agent.statusListCheck({ ...base, ...args })
    const status = async (test: Agent, args: Partial<StatusListCheckArgs>) => {
      const { results = [] } = await check(test, args)
      return results.map(({ status: value }) => value)
    }

    it('by address, for the issuer that the list or the caller names', async () => {
      const test = agentOf()
      const { did } = test.issuer
      host.serves(JWT, test.issuer.listJwt(claims()))
      assert.deepEqual(await status(test, { uri: host.url(), did, indices: [0, 1, 2] }), [0, 1, 2])
      assert.deepEqual(await status(test, { statusListCredential: host.url(), did, index: 1 }), [1])
      await assert.rejects(status(test, { uri: host.url(), index: 1 }), /names no issuer/)
      host.serves(JWT, test.issuer.listJwt(claims({ iss: did })))
      assert.deepEqual(await status(test, { uri: host.url(), indexRangeStart: 1, indexRangeEnd: 2 }), [1, 2])
      await assert.rejects(status(test, { uri: host.url(), index: 3 }), { code: 'index_out_of_range' })
      const bits = { ...base, listType: 'BitstringStatusList', statusListCredential: host.url(), index: 1 }
      host.serves(
        'application/vc+jwt',
        test.issuer.jwt({ '@context': [V2], issuer: did, ...bitstring() }, { typ: 'vc+jwt' }),
      )
      assert.equal((await test.agent.statusListCheck(bits)).revoked, true)
      await assert.rejects(test.agent.statusListCheck({ ...bits, statusPurpose: 'suspension' }), {
        code: 'purpose_mismatch',
        details: [{ path: 'statusPurpose', message: 'the list is for revocation, not suspension' }],
      })
      await assert.rejects(
        test.agent.statusListCheck({ ...bits, statusListCredential: host.url('/none') }),
        /claims to be/,
      )
    })

    it('by a token in each of its forms', async () => {
      const test = agentOf()
      const { issuer } = test
      host.serves(JWT, issuer.listJwt(claims()))
      const said = { iss: issuer.did, status: { status_list: { idx: 1, uri: host.url() } } }
      const jwt = issuer.jwt(said)
      const claimsOfCwt = new Map<number, unknown>([
        [1, issuer.did],
        [65_535, { status_list: { idx: 2, uri: host.url() } }],
      ])
      const cwt = Buffer.from(issuer.cwt(encode(claimsOfCwt))).toString('base64url')
      assert.deepEqual(await status(test, { token: jwt }), [1])
      assert.deepEqual(await status(test, { token: `${jwt}~WyJhIl0~` }), [1])
      assert.deepEqual(await status(test, { token: cwt }), [2])
      const refusals: [Partial<StatusListCheckArgs>, object][] = [
        [{ token: 'x.y.z' }, { path: 'token', message: 'must be a JWT, an SD-JWT, or a CWT in base64url' }],
        [{ token: 'oA' }, { path: 'token', message: 'must be a JWT, an SD-JWT, or a CWT in base64url' }],
        [
          { token: issuer.jwt({ iss: 'x' }) },
          { path: 'token', message: 'has no status claim with a status_list' },
        ],
        [
          { token: jwt, index: 1 },
          { path: 'index', message: 'must be omitted: the token names its index' },
        ],
        [
          { token: jwt, uri: 'x' },
          { path: 'token', message: 'must be omitted: one address names the list' },
        ],
        [
          { token: jwt, did: issuer.did, statusListName: 'a' },
          { path: 'token', message: 'must be omitted if statusListName names the list' },
        ],
        [
          { token: jwt, listType: 'StatusList2021' },
          { path: 'token', message: 'names a token status list, which a StatusList2021 is not' },
        ],
      ]
      for (const [args, detail] of refusals) {
        await assert.rejects(status(test, args), { code: 'invalid_input', details: [detail] })
      }
      const nameless = 'is required, unless statusListCredential, uri or token names the list'
      await assert.rejects(status(test, { index: 1 }), {
        details: [
          { path: 'did', message: nameless },
          { path: 'statusListName', message: nameless },
        ],
      })
    })

    it('by the referenced token of the specification', async () => {
      // draft-ietf-oauth-status-list, section 6.3
      const example =
        'd28443a10126a1044231325866a502653132333435017368747470733a2f2f6578616d706c652e636f6d061a648c5bea041a8898dfea19ffffa16b7374617475735f6c697374a2636964780063757269782168747470733a2f2f6578616d706c652e636f6d2f7374617475736c697374732f315840340f7efea10f1a36dc4797636a17b4dd4848b68997d1d10e8cceb3a38ff33b3dda72964a83989f6cf98560c2fc97a08bc8977cc6b0f84cfedab93d3e4481e938'
      const test = agentOf({ web: false })
      const token = Buffer.from(example, 'hex').toString('base64url')
      await assert.rejects(status(test, { token }), /does not fetch from other hosts/)
    })

    /** SHA-256 of the status lists in CBOR of the specification's test vectors. */
    const DIGESTS: Record<string, string> = {
      1: '117fbe7483b2782f40bfc6f85981e33567eb543cabb32cf2f5455fcf98d234d6',
      2: '46aeda691908bc8dd71368c9277807a493fce33bd703607ef1129c1847d39764',
      4: 'ae05e5f4ee9131d4f3d04f6bf87c240f735bd286bc97a2d4ce4f42520c7463ee',
      8: 'ab55805e05428ab8b44bd7dea4cc3b61550399554c365e144ae6f3609cfd84e3',
    }
    for (const [name, { bits, entries, lst }] of Object.entries(tokenVectors.long)) {
      it(`by the test vectors of the specification with ${name} bits, in JSON and in CBOR`, async () => {
        const test = agentOf()
        const { issuer } = test
        const list = Buffer.concat([
          Buffer.of(0xa2),
          ...['bits', bits, 'lst', new Uint8Array(Buffer.from(lst, 'base64url'))].map((part) => encode(part)),
        ])
        assert.equal(createHash('sha256').update(list).digest('hex'), DIGESTS[name])
        // claims 2, 6 and 65533: sub, iat and the list as the specification writes it
        const inCbor = Buffer.concat([
          Buffer.of(0xa3),
          ...[2, host.url(), 6, SECONDS, 65_533].map((part) => encode(part)),
          list,
        ])
        const vector = claims({ status_list: { bits, lst } })
        const indices = entries.map(([index]) => index).sort((a, b) => a - b)
        const values = new Map(entries)
        for (const [mediaType, content] of [
          [JWT, issuer.listJwt(vector)],
          [CWT, issuer.cwt(inCbor, CWT)],
        ] as const) {
          host.serves(mediaType, content)
          const found = await status(test, { uri: host.url(), did: issuer.did, indices })
          assert.deepEqual(
            found,
            indices.map((index) => values.get(index)),
          )
        }
      })
    }
  })
})
