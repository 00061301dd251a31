import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { AuditActor, AuditEntry, AuditTrail, AuthenticatedAccount } from '@vidimus/core-types'
import { currentCaller } from '@vidimus/core-types'
import type { RemoteServerOptions } from '../../options.js'
import { agentWith, ask, serve, type TestService } from '../set-up/service.js'

const account = { id: 'a3c1', name: 'default', createdAt: '2026-01-01T00:00:00Z' }
const KEYS: Record<string, AuthenticatedAccount> = {
  full: { ...account, grant: { id: 'k-full' } },
  reader: { ...account, grant: { id: 'k-reader', scopes: ['read'] } },
  creator: { ...account, grant: { id: 'k-creator', scopes: ['key-create'] } },
  tester: { ...account, grant: { id: 'k-tester', scopes: ['read', 'dids'], networks: ['testnet'] } },
}

describe('admission', () => {
  let service: TestService | undefined
  let lookedUp: string[]
  let counted: { entry: AuditEntry; actor?: AuditActor | undefined }[]
  const { agent, calls } = agentWith({
    keyManagerGet: () => Promise.resolve({ kid: 'aa', type: 'Ed25519', publicKeyHex: 'aa', kms: 'local' }),
    keyManagerGetKeyManagementSystems: () => Promise.resolve(['local']),
    keyManagerCreate: () => Promise.resolve({ kid: 'aa', publicKeyHex: JSON.stringify(currentCaller()) }),
  })
  const audit: AuditTrail = {
    record: () => Promise.resolve(),
    recordFirst: () => Promise.resolve(),
    count: (entry, actor) => void counted.push({ entry, actor }),
  }
  beforeEach(() => {
    lookedUp = []
    counted = []
    calls.length = 0
  })
  afterEach(async () => {
    await service?.stop()
    service = undefined
  })

  const start = async (options: Partial<RemoteServerOptions> = {}) => {
    service = await serve({
      agent,
      audit,
      authenticator: {
        authenticate: (key) => {
          lookedUp.push(key)
          return Promise.resolve(KEYS[key])
        },
      },
      ...options,
    })
    return service.url
  }
  const get = (url: string, headers: Record<string, string>) =>
    ask(`${url}/key/read/aa`, { headers: { 'x-api-key': '', ...headers } })
  const create = (url: string, headers: Record<string, string>) =>
    ask(`${url}/key/create`, { method: 'POST', headers: { 'x-api-key': '', ...headers } })

  describe('accepts an API key', () => {
    const accepted: [string, Record<string, string>][] = [
      ['as x-api-key', { 'x-api-key': 'full' }],
      ['as bearer token', { authorization: 'Bearer full' }],
      ['as bearer token with any case of the scheme', { authorization: 'bEARER full' }],
      ['in both headers, if they agree', { 'x-api-key': 'full', authorization: 'Bearer full' }],
      ['beside the password of a proxy', { 'x-api-key': 'full', authorization: 'Basic YTpi' }],
    ]
    for (const [title, headers] of accepted) {
      it(title, async () => assert.equal((await get(await start(), headers)).status, 200))
    }

    const refused: [string, Record<string, string>][] = [
      ['two that do not agree', { 'x-api-key': 'full', authorization: 'Bearer reader' }],
      ['one in another scheme', { authorization: 'Basic full' }],
      ['none', {}],
      ['an empty bearer token', { authorization: 'Bearer ' }],
      ['two tokens', { authorization: 'Bearer full, Bearer full' }],
    ]
    for (const [title, headers] of refused) {
      it(`but not ${title}`, async () => {
        const { status, body, headers: answered } = await get(await start(), headers)
        assert.equal(status, 401)
        assert.match(String(body.error), /^the access token is missing or invalid: /)
        assert.match(answered.get('www-authenticate') ?? '', /ApiKey.*Bearer/)
      })
    }
  })

  describe('rights of a limited API key', () => {
    it('allow the operations of its scopes, by group or individually', async () => {
      const url = await start()
      assert.equal((await get(url, { 'x-api-key': 'reader' })).status, 200)
      assert.equal((await create(url, { 'x-api-key': 'creator' })).status, 200)
    })

    it('are listed in every response, but not for an unlimited key', async () => {
      const url = await start()
      const rightsIn = ({ headers }: { headers: Headers }) => [
        headers.get('x-api-key-scopes'),
        headers.get('x-api-key-networks'),
      ]
      assert.deepEqual(rightsIn(await get(url, { 'x-api-key': 'tester' })), ['read, dids', 'testnet'])
      const refused = await create(url, { 'x-api-key': 'tester' })
      assert.deepEqual([refused.status, ...rightsIn(refused)], [403, 'read, dids', 'testnet'])
      assert.deepEqual(rightsIn(await create(url, { 'x-api-key': 'creator' })), ['key-create', null])
      assert.deepEqual(rightsIn(await get(url, { 'x-api-key': 'full' })), [null, null])
      assert.deepEqual(rightsIn(await get(url, {})), [null, null])
    })

    it('lack a scope that the response names, and the refusal is recorded', async () => {
      const { status, body } = await create(await start(), { 'x-api-key': 'reader' })
      assert.equal(status, 403)
      assert.equal(body.code, 'forbidden')
      assert.equal(body.error, 'this API key lacks a required scope: keys or key-create')
      assert.deepEqual(calls, [])
      assert.deepEqual(counted, [
        {
          entry: { event: 'access-forbidden', outcome: 'refused', detail: body.error, subject: 'key-create' },
          actor: {
            accountId: account.id,
            apiKeyId: 'k-reader',
            address: '127.0.0.1',
            requestId: body.requestId,
          },
        },
      ])
    })

    it('are checked before the body is read', async () => {
      const url = new URL(await start())
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const call = request(
          {
            hostname: url.hostname,
            port: url.port,
            path: '/key/create',
            method: 'POST',
            headers: { 'x-api-key': 'reader', 'content-type': 'application/json', 'content-length': 1000 },
          },
          (response) => {
            resolve(response.statusCode)
            call.destroy()
          },
        )
        call.on('error', reject)
        call.write('{')
      })
      assert.equal(status, 403)
    })

    it('are passed to the agent, together with the origin of the call', async () => {
      const { body } = await create(await start(), { 'x-api-key': 'creator' })
      const caller = JSON.parse(String(body.publicKeyHex)) as {
        account: object
        grant: object
        address: string
      }
      assert.deepEqual(caller.account, account)
      assert.deepEqual(caller.grant, KEYS.creator?.grant)
      assert.equal(caller.address, '127.0.0.1')
    })
  })

  describe('rate limit of an API key', () => {
    const rateLimits = { perKey: { requests: 3, seconds: 3600 } }

    it('allows a number of requests and reports the remaining ones', async () => {
      const url = await start({ rateLimits })
      const [first, second, third, fourth] = [
        await get(url, { 'x-api-key': 'full' }),
        await create(url, { 'x-api-key': 'full' }),
        await create(url, { 'x-api-key': 'full' }),
        await create(url, { 'x-api-key': 'full' }),
      ]
      assert.deepEqual(
        [first, second, third, fourth].map(({ status }) => status),
        [200, 200, 200, 429],
      )
      assert.equal(first?.headers.get('ratelimit-policy'), '"key";q=3;w=3600')
      assert.match(first?.headers.get('ratelimit') ?? '', /^"key";r=2;t=1200$/)
      assert.match(fourth?.headers.get('ratelimit') ?? '', /^"key";r=0;t=3\d{3}$/)
      assert.equal(fourth?.body.code, 'too_many_requests')
      const wait = Number(fourth?.headers.get('retry-after'))
      assert.ok(wait > 1100 && wait <= 1200, String(wait))
      assert.equal(calls.length, 3)
      assert.equal((await get(url, { 'x-api-key': 'reader' })).status, 200)
    })

    it('can be switched off', async () => {
      const url = await start({ rateLimits: { perKey: false } })
      const { headers } = await get(url, { 'x-api-key': 'full' })
      assert.equal(headers.get('ratelimit'), null)
    })
  })

  describe('rate limit of failed authentications', () => {
    const rateLimits = { failedAuthentications: { requests: 2, seconds: 3600 } }
    const forwarded = (key: string, address: string) => ({ 'x-api-key': key, 'x-forwarded-for': address })

    it('applies before a key is looked up if client addresses are known', async () => {
      const url = await start({ rateLimits, trustProxy: 'loopback' })
      for (const status of [401, 401, 429, 429]) {
        assert.equal((await get(url, forwarded('wrong', '192.0.2.1'))).status, status)
      }
      const { headers } = await get(url, forwarded('wrong', '192.0.2.1'))
      assert.ok(Number(headers.get('retry-after')) > 1000)
      assert.equal(lookedUp.length, 2)
      assert.equal((await get(url, forwarded('full', '192.0.2.2'))).status, 200)
    })

    it('lets through keys that were valid recently at the same address', async () => {
      const url = await start({ rateLimits, trustProxy: 1 })
      assert.equal((await get(url, forwarded('full', '192.0.2.1'))).status, 200)
      for (let n = 0; n < 3; n += 1) await get(url, forwarded('wrong', '192.0.2.1'))
      assert.equal((await get(url, forwarded('full', '192.0.2.1'))).status, 200)
      assert.equal((await get(url, forwarded('reader', '192.0.2.1'))).status, 429)
    })

    it('locks nobody out if all requests come from one address', async () => {
      const url = await start({ rateLimits })
      for (const status of [401, 401, 429]) {
        assert.equal((await get(url, forwarded('wrong', '192.0.2.1'))).status, status)
      }
      assert.equal((await get(url, { 'x-api-key': 'full' })).status, 200)
      assert.equal((await get(url, { 'x-api-key': 'reader' })).status, 200)
    })

    it('records failures without the key', async () => {
      const url = await start({ rateLimits, trustProxy: 'loopback' })
      await get(url, forwarded('wrong', '2001:db8::1'))
      assert.deepEqual(
        counted.map(({ entry, actor }) => [entry, actor?.address]),
        [[{ event: 'authentication-failed', outcome: 'refused' }, '2001:db8:0:0::/64']],
      )
    })
  })

  describe('rate limit of an address', () => {
    const rateLimits = { perAddress: { requests: 2, seconds: 3600 } }

    it('applies to known addresses, with and without a key, but never to health', async () => {
      const url = await start({ rateLimits, trustProxy: 'loopback' })
      const headers = { 'x-api-key': 'full', 'x-forwarded-for': '192.0.2.1' }
      assert.equal((await get(url, headers)).status, 200)
      assert.equal((await ask(`${url}/openapi.json`, { headers })).status, 200)
      assert.equal((await create(url, headers)).status, 429)
      assert.equal((await ask(`${url}/openapi.json`, { headers })).status, 429)
      assert.equal((await ask(`${url}/health/ready`, { headers })).status, 200)
      assert.equal((await get(url, { ...headers, 'x-forwarded-for': '192.0.2.2' })).status, 200)
    })

    it('cannot be evaded with a forged address', async () => {
      const url = await start({ rateLimits, trustProxy: 'loopback' })
      const statuses = []
      for (let n = 0; n < 3; n += 1) {
        const made = { 'x-api-key': 'full', 'x-forwarded-for': `198.51.100.${n}, 192.0.2.1` }
        statuses.push((await get(url, made)).status)
      }
      assert.deepEqual(statuses, [200, 200, 429])
    })

    it('does not apply if everybody has the same address', async () => {
      const url = await start({ rateLimits })
      for (let n = 0; n < 4; n += 1) assert.equal((await get(url, { 'x-api-key': 'full' })).status, 200)
    })
  })

  it('refuses operations beyond its concurrency limit', async () => {
    let release = () => undefined as void
    const held = new Promise<void>((resolve) => (release = resolve))
    let begun = () => undefined as void
    const started = new Promise<void>((resolve) => (begun = resolve))
    const slow = agentWith({
      keyManagerGet: async () => {
        begun()
        await held
        return { kid: 'aa', type: 'Ed25519', publicKeyHex: 'aa', kms: 'local' }
      },
    })
    const url = await start({
      agent: slow.agent,
      limits: { concurrentRequests: 1, concurrentRequestsPerAccount: 2 },
    })
    const first = get(url, { 'x-api-key': 'full' })
    await started
    const second = await get(url, { 'x-api-key': 'full' })
    assert.equal(second.status, 503)
    assert.equal(second.headers.get('retry-after'), '1')
    release()
    assert.equal((await first).status, 200)
    assert.equal((await get(url, { 'x-api-key': 'full' })).status, 200)
  })

  describe('cross-origin pages', () => {
    const cors = { origins: ['https://app.example'] }
    const preflight = (url: string, origin: string) =>
      fetch(`${url}/key/create`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'x-api-key',
        },
      })

    it('get an answer to their preflight request without an API key', async () => {
      const { status, headers } = await preflight(await start({ cors }), 'https://app.example')
      assert.equal(status, 204)
      assert.equal(headers.get('access-control-allow-origin'), 'https://app.example')
      for (const name of ['x-api-key', 'idempotency-key']) {
        assert.ok(headers.get('access-control-allow-headers')?.split(', ').includes(name), name)
      }
      assert.match(headers.get('access-control-allow-methods') ?? '', /DELETE/)
      assert.equal(headers.get('access-control-max-age'), '600')
      assert.equal(headers.get('access-control-allow-credentials'), null)
      assert.match(headers.get('vary') ?? '', /Origin/)
      assert.deepEqual(lookedUp, [])
    })

    it('can read every response, refusals too', async () => {
      const url = await start({ cors })
      for (const [headers, status] of [
        [{ 'x-api-key': 'full' }, 200],
        [{}, 401],
      ] as const) {
        for (const call of [get, create]) {
          const answer = await call(url, { origin: 'https://app.example', ...headers })
          assert.equal(answer.status, status)
          assert.equal(answer.headers.get('access-control-allow-origin'), 'https://app.example')
          for (const name of [
            'retry-after',
            'idempotency-replayed',
            'x-api-key-scopes',
            'x-api-key-networks',
          ]) {
            assert.ok(answer.headers.get('access-control-expose-headers')?.split(', ').includes(name), name)
          }
          assert.equal(answer.headers.get('vary'), 'Origin')
        }
      }
    })

    it('are ignored if not allowed, while caches are kept apart', async () => {
      const url = await start({ cors })
      for (const origin of [
        'https://app.example.evil.test',
        'https://app.example:444',
        'null',
        'https://APP.example',
      ]) {
        const answer = await preflight(url, origin)
        assert.equal(answer.status, 401, origin)
        assert.equal(answer.headers.get('access-control-allow-origin'), null)
        assert.equal(answer.headers.get('vary'), 'Origin')
      }
      const { headers } = await create(url, { 'x-api-key': 'full' })
      assert.equal(headers.get('vary'), 'Origin')
    })

    it('are not allowed by default', async () => {
      const answer = await preflight(await start(), 'https://app.example')
      assert.equal(answer.status, 401)
      assert.equal(answer.headers.get('vary'), null)
    })
  })

  describe('refuses options', () => {
    const wrong: [string, Partial<RemoteServerOptions>, RegExp][] = [
      ['a trusted proxy that could be anybody', { trustProxy: true }, /trustProxy/],
      ['a proxy that is not a network', { trustProxy: ['10.0.0.0/99'] }, /trustProxy/],
      ['zero proxies', { trustProxy: 0 }, /trustProxy/],
      ['any origin', { cors: { origins: ['*'] } }, /cors\.origins/],
      ['an origin with a path', { cors: { origins: ['https://app.example/'] } }, /cors\.origins/],
      ['an empty list of origins', { cors: { origins: [] } }, /cors\.origins/],
      ['a zero limit', { rateLimits: { perKey: { requests: 0, seconds: 1 } } }, /rateLimits\.perKey/],
      ['an unknown limit', { rateLimits: { perUser: false } as object }, /rateLimits/],
      ['a limit too low for normal headers', { limits: { headerBytes: 10 } }, /limits\.headerBytes/],
    ]
    for (const [title, options, message] of wrong) {
      it(title, async () => {
        await assert.rejects(start(options), (error: Error & { code: string }) => {
          assert.equal(error.code, 'invalid_configuration')
          assert.match(error.message, message)
          return true
        })
      })
    }

    it('but accepts those from environment variables', async () => {
      for (const trustProxy of ['false', '2', 'loopback, 10.0.0.0/8']) {
        await start({ trustProxy })
        await service?.stop()
      }
    })
  })
})
