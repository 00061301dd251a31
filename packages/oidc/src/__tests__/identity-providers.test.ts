import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Accounts } from '@vidimus/accounts'
import { readLog, tokenHolder, type LogLine } from '@vidimus/core-types'
import { migrations } from '@vidimus/custody'
import { Database } from '@vidimus/database'
import { base64url, CompactSign, importJWK, UnsecuredJWT } from 'jose'
import { AUDIENCE, IdentityProvider, newKeyPair } from '../../../../test/support/identity-provider.js'
import { migratedDatabase } from '../../../../test/support/fresh-database.js'
import { hasCode } from '../../../custody/src/__tests__/set-up.js'
import { IdentityProviders } from '../index.js'

const MINUTE_MS = 60_000

describe('tokens of an identity provider', () => {
  let issuer: IdentityProvider
  let database: Database
  let accounts: Accounts
  let now: number
  let lines: LogLine[]
  let endLog: () => void

  before(async () => {
    issuer = await IdentityProvider.start()
    const tables = { migrations: [migrations] }
    database = new Database({ url: await migratedDatabase('SQLite', tables), ...tables })
    await database.lifecycle.start()
    accounts = new Accounts(database)
    await accounts.create('acme')
    await accounts.create('beta')
  })
  after(async () => {
    await issuer.stop()
    await accounts.lifecycle.stop()
    await database.lifecycle.stop()
  })
  beforeEach(() => {
    now = Date.now()
    lines = []
    endLog = readLog((line) => lines.push(line))
    issuer.outage = undefined
    issuer.asked.length = 0
  })
  afterEach(() => endLog())

  const providers = (options: object = {}) =>
    new IdentityProviders(accounts, {
      providers: [{ issuer: issuer.issuer, audience: AUDIENCE, ...options }],
      clock: () => new Date(now),
    })
  const jwks = () => issuer.asked.filter((path) => path === '/jwks').length

  it('are those of an account, named by issuer and subject', async () => {
    const found = await providers().authenticate(await issuer.token({ vidimus_account: 'acme' }))
    assert.equal(found?.name, 'acme')
    assert.deepEqual(tokenHolder(found?.grant?.id ?? ''), { issuer: issuer.issuer, subject: 'machine' })
    assert.equal(found?.grant?.scopes, undefined)
    assert.equal(found?.grant?.networks, undefined)
  })

  it('leave API keys as they are', async () => {
    const { apiKey, id } = await accounts.createApiKey({ account: 'acme' })
    assert.equal((await providers().authenticate(apiKey))?.grant?.id, id)
    assert.equal(await providers().authenticate('vidimus_unknown'), undefined)
    assert.deepEqual(issuer.asked, [])
  })

  it('may be limited to scopes and networks, in lists or words, and never make an operator', async () => {
    const claims = {
      vidimus_account: 'acme',
      vidimus_scopes: 'read  dids operator b\nd é',
      vidimus_networks: ['testnet', 'moon'],
    }
    const { grant } = (await providers().authenticate(await issuer.signed(claims))) ?? {}
    assert.deepEqual(grant?.scopes, ['read', 'dids'])
    assert.deepEqual(grant?.networks, ['testnet'])
    for (const nothing of ['', [], [7], 7, null, { read: true }]) {
      const token = await issuer.signed({ ...claims, vidimus_scopes: nothing, vidimus_networks: nothing })
      const { grant } = (await providers().authenticate(token)) ?? {}
      assert.deepEqual([grant?.scopes, grant?.networks], [[], []], JSON.stringify(nothing))
    }
  })

  const refusals: [string, () => Promise<string>][] = [
    ['for another audience', () => issuer.signed({ aud: 'https://other.example' })],
    ['for no audience', () => issuer.signed({ aud: [] })],
    ['of another issuer', () => issuer.signed({ iss: 'https://other.example' })],
    ['of an issuer that is spelt almost the same', () => issuer.signed({ iss: `${issuer.issuer}/` })],
    ['that has expired', () => issuer.signed({ exp: Math.floor(now / 1000) - 61 })],
    ['that is not valid yet', () => issuer.signed({ nbf: Math.floor(now / 1000) + 61 })],
    ['without an expiry', () => issuer.signed({ exp: undefined as never })],
    ['that expires after the end of time', () => issuer.signed({ exp: 1e15 })],
    ['without a subject', () => issuer.signed({ sub: undefined as never })],
    ['whose subject is a number', () => issuer.signed({ sub: 7 as never })],
    ['whose subject is a list', () => issuer.signed({ sub: ['alice'] as never })],
    ['whose subject is no text of OpenID Connect', () => issuer.signed({ sub: 'a\nb' })],
    ['of a type that is no access token', () => issuer.signed({}, { header: { typ: 'logout+jwt' } })],
    ['with a critical header that nobody knows', () => issuer.signed({}, { header: { crit: ['x'], x: 1 } })],
    ['of a key that the issuer does not have', () => issuer.signed({}, { header: { kid: 'unknown' } })],
    [
      'signed with a key of somebody else under the id of the issuer',
      async () => issuer.signed({}, { key: await importJWK(newKeyPair().privateJwk, 'ES256') }),
    ],
    [
      'signed by HMAC with the public key as the secret, as PEM',
      () => {
        const secret = new TextEncoder().encode(issuer.signingKey.publicKeyPem)
        return issuer.signed({}, { header: { alg: 'HS256' }, key: secret })
      },
    ],
    [
      'signed by HMAC with the public key as the secret, as a JWK',
      () => {
        const secret = new TextEncoder().encode(JSON.stringify(issuer.signingKey.publicJwk))
        return issuer.signed({}, { header: { alg: 'HS256' }, key: secret })
      },
    ],
    [
      'without a signature',
      () => {
        const seconds = Math.floor(now / 1000)
        const claims = { iss: issuer.issuer, sub: 'alice', aud: AUDIENCE, exp: seconds + 300 }
        return Promise.resolve(new UnsecuredJWT({ ...claims, vidimus_account: 'acme' }).encode())
      },
    ],
    [
      'whose key is in its own header',
      async () => {
        const { privateJwk, publicJwk: jwk } = newKeyPair()
        const key = await importJWK(privateJwk, 'ES256')
        return issuer.signed({}, { key, header: { jwk, kid: undefined } })
      },
    ],
    [
      'whose claims were changed',
      async () => {
        const [header, , signature] = (await issuer.signed({ vidimus_account: 'acme' })).split('.')
        const [, payload] = (await issuer.signed({ vidimus_account: 'acme', sub: 'mallory' })).split('.')
        return [header, payload, signature].join('.')
      },
    ],
    [
      'that is not JSON',
      () =>
        new CompactSign(new TextEncoder().encode('no claims'))
          .setProtectedHeader({ alg: 'ES256', kid: issuer.signingKey.kid })
          .sign(issuer.signingKey.privateKey),
    ],
    ['that is too long', () => issuer.signed({ vidimus_account: 'acme', filler: 'x'.repeat(9000) })],
    ['that only looks like one', () => Promise.resolve(`eyJ.${base64url.encode('{}')}.`)],
  ]
  for (const [what, token] of refusals) {
    it(`refuses one ${what}`, async () => {
      const text = await token()
      assert.equal(await providers().authenticate(text), undefined)
      assert.ok(!JSON.stringify(lines).includes(text.split('.')[1] ?? text))
    })
  }

  it('accepts clocks that differ by up to a minute', async () => {
    const token = await issuer.signed({ vidimus_account: 'acme', exp: Math.floor(now / 1000) - 50 })
    assert.equal((await providers().authenticate(token))?.name, 'acme')
    const early = await issuer.signed({ vidimus_account: 'acme', nbf: Math.floor(now / 1000) + 50 })
    assert.equal((await providers().authenticate(early))?.name, 'acme')
  })

  it('gives no account where no rule applies, where there is none, and where it is disabled', async () => {
    await accounts.create('disabled')
    await accounts.states.disable('disabled')
    const messages = new Set<string>()
    for (const vidimus_account of [undefined, '', 'nobody', 'disabled', 7, ['acme'], 'a'.repeat(500)]) {
      const token = await issuer.signed({ ...(vidimus_account !== undefined && { vidimus_account }) })
      await assert.rejects(providers().authenticate(token), (error: Error) => {
        messages.add(error.message)
        return hasCode('forbidden')(error)
      })
    }
    assert.equal(messages.size, 1)
  })

  it('finds a new key of the issuer at once, and drops the former one within ten minutes', async () => {
    const tokens = providers()
    const before = await issuer.signed({ vidimus_account: 'acme' })
    assert.ok(await tokens.authenticate(before))
    assert.equal(jwks(), 1)
    await issuer.rotateKey()
    const after = await issuer.signed({ vidimus_account: 'acme' })
    now += 5000
    assert.ok(await tokens.authenticate(after))
    assert.equal(jwks(), 2)
    assert.equal(await tokens.authenticate(before), undefined)
  })

  it('drops a withdrawn key within ten minutes, also if nobody uses another one', async () => {
    const tokens = providers()
    const token = await issuer.signed({ vidimus_account: 'acme', exp: Math.floor(now / 1000) + 3600 })
    assert.ok(await tokens.authenticate(token))
    await issuer.rotateKey()
    now += 9 * MINUTE_MS
    assert.ok(await tokens.authenticate(token))
    now += MINUTE_MS
    assert.equal(await tokens.authenticate(token), undefined)
  })

  it('asks the issuer once in five seconds for keys that it does not have', async () => {
    const tokens = providers()
    const unknown = () => issuer.signed({}, { header: { kid: `unknown-${Math.random()}` } })
    await Promise.all(
      [1, 2, 3, 4].map(async () => assert.equal(await tokens.authenticate(await unknown()), undefined)),
    )
    await tokens.authenticate(await unknown())
    assert.equal(jwks(), 1)
    now += 5000
    await tokens.authenticate(await unknown())
    assert.equal(jwks(), 2)
  })

  it('is closed while the issuer cannot be reached, tries again, and needs no restart', async () => {
    const tokens = providers()
    const token = await issuer.signed({ vidimus_account: 'acme' })
    issuer.outage = 500
    await assert.rejects(tokens.authenticate(token), hasCode('unavailable'))
    const [check] = await tokens.lifecycle.check()
    assert.deepEqual([check?.ok, check?.warning], [false, true])
    const asked = issuer.asked.length
    await assert.rejects(tokens.authenticate(token), hasCode('unavailable'))
    assert.equal(issuer.asked.length, asked, 'it is left alone for a moment')
    issuer.outage = undefined
    now += 2000
    assert.ok(await tokens.authenticate(token))
    assert.deepEqual(await tokens.lifecycle.check(), [{ name: check?.name, ok: true }])
    // what is known is used on, but not for long
    issuer.outage = 503
    now += 9 * MINUTE_MS
    const later = await issuer.signed({ vidimus_account: 'acme', exp: Math.floor(now / 1000) + 3600 })
    assert.ok(await tokens.authenticate(later))
    now += MINUTE_MS
    await assert.rejects(tokens.authenticate(later), hasCode('unavailable'))
  })

  it('trusts no metadata that is for another issuer, and follows no redirect', async () => {
    let respond = (_path: string): { status: number; headers?: object; body?: string } => ({ status: 404 })
    const server = createServer((req, res) => {
      const { status, headers, body } = respond(req.url ?? '')
      res.writeHead(status, { ...headers }).end(body)
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const token = await issuer.signed({ iss: address, vidimus_account: 'acme' })
    const metadata = (members: object) => () => ({ status: 200, body: JSON.stringify(members) })
    const bad = [
      metadata({ issuer: issuer.issuer, jwks_uri: `${issuer.issuer}/jwks` }),
      metadata({ issuer: address, jwks_uri: 'http://192.0.2.1/jwks' }),
      metadata({ issuer: address, jwks_uri: 'file:///etc/passwd' }),
      metadata({ issuer: address }),
      () => ({ status: 302, headers: { location: `${issuer.issuer}/.well-known/openid-configuration` } }),
      () => ({ status: 200, body: 'x'.repeat(2_000_000) }),
      () => ({ status: 200, body: '[]' }),
      () => ({ status: 200, body: '{"issuer":' }),
    ]
    try {
      for (respond of bad) {
        const tokens = providers({ issuer: address })
        await assert.rejects(tokens.authenticate(token), hasCode('unavailable'))
      }
      respond = metadata({ issuer: address, jwks_uri: `${issuer.issuer}/jwks` })
      assert.ok(await providers({ issuer: address }).authenticate(token))
    } finally {
      server.close()
    }
  })

  it('lets the first rule that applies decide', async () => {
    const tokens = providers({
      rules: [
        { when: [{ claim: 'groups', is: ['ops', 'admins'] }], account: 'acme', scopes: ['operator', 'read'] },
        {
          when: [{ claim: ['realm', 'a.b'], is: 'x' }],
          account: 'beta',
          scopes: { claim: ['realm', 'roles'] },
        },
        {
          when: [
            { claim: 'scope', is: 'status' },
            { claim: 'email_verified', is: true },
          ],
          account: { claim: 'org' },
        },
      ],
    })
    const rights = async (claims: object) => {
      const { name, grant } = (await tokens.authenticate(await issuer.signed({ ...claims }))) ?? {}
      return [name, grant?.scopes, grant?.networks]
    }
    assert.deepEqual(await rights({ groups: ['x', 'admins'] }), ['acme', ['operator', 'read'], undefined])
    assert.deepEqual(await rights({ groups: 'ops' }), ['acme', ['operator', 'read'], undefined])
    assert.deepEqual(await rights({ realm: { 'a.b': 'x', roles: ['dids', 'operator'] } }), [
      'beta',
      ['dids'],
      undefined,
    ])
    assert.deepEqual(await rights({ realm: { 'a.b': 'x' } }), ['beta', [], undefined])
    assert.deepEqual(
      await rights({ scope: 'a status', email_verified: true, org: 'beta', vidimus_networks: 'testnet' }),
      ['beta', undefined, ['testnet']],
    )
    for (const claims of [
      { groups: 'not ops' },
      { groups: ['opsadmins'] },
      { scope: 'a status', email_verified: 'true', org: 'beta' },
      { scope: 'status', email_verified: true },
      { realm: 'a.b' },
      { constructor: { name: 'x' }, toString: 'x' },
    ]) {
      await assert.rejects(rights(claims), hasCode('forbidden'), JSON.stringify(claims))
    }
  })

  it('reports every mistake of its options', () => {
    const problems = (options: object) => {
      try {
        new IdentityProviders(accounts, options as never)
        return []
      } catch (error) {
        return (error as { details: { path: string; message: string }[] }).details.map(
          ({ path, message }) => `${path}: ${message}`,
        )
      }
    }
    const mistakes = problems({
      providers: [
        { issuer: 'http://idp.example', audience: '' },
        { issuer: 'https://idp.example', audience: 'a', apiKeyLife: 90 },
        { issuer: 'https://idp.example', audience: 'a', apiKeyLife: 'P20Y' },
        {
          issuer: 'https://other.example?x=1',
          audience: ['a'],
          rules: [
            { when: [{ claim: 'groups' }], account: 7 },
            { networks: ['moonnet'] },
            { scopes: ['no scope!'] },
            { acount: 'acme' },
          ],
        },
      ],
    })
    const expected = [
      'providers[0].issuer: must be https, or http on loopback; "allowHttp: true" beside it allows http',
      'providers[0].audience[0]: must be a non-empty string',
      'providers[1].apiKeyLife: must be an ISO 8601 duration; 90 seconds are PT90S',
      'providers[2].apiKeyLife: must be at most 10 years',
      'providers[3].issuer: must be an http(s) URL without query and fragment',
      'providers[3].rules[0].when[0].is: ',
      'providers[3].rules[0].account: must be the name of an account, or {claim: name of a claim}',
      'providers[3].rules[1].networks: must be a list of testnet, mainnet',
      'providers[3].rules[2].scopes[0]: must be a scope',
      'providers[3].rules[3]: "acount" is not known here: did you mean "account"?',
    ]
    for (const one of expected)
      assert.ok(
        mistakes.some((found) => found.startsWith(one)),
        `${one}\n${mistakes.join('\n')}`,
      )
    const twice = { issuer: 'https://idp.example', audience: 'a' }
    assert.match(problems({ providers: [twice, twice] }).join(), /providers\[1\]\.issuer: is listed twice/)
    assert.deepEqual(
      problems({ providers: [{ issuer: 'http://idp.example', allowHttp: true, audience: 'a, b' }] }),
      [],
    )
  })
})
