import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Accounts, AuditLog } from '@vidimus/accounts'
import { loadConfiguration, type Configuration } from '@vidimus/agent-config'
import type { AnyAgent, ListedSession, Webhook } from '@vidimus/core-types'
import type { Database } from '@vidimus/database'
import type { RemoteServer } from '@vidimus/remote-server'
import { tellOfInstallation } from '../packages/cli/src/running-installation.js'
import { startingConfiguration } from '../packages/cli/src/starting-configuration.js'
import { createDid, createList } from './behaviour/suite.js'
import { Client } from './support/client.js'
import { commandHere } from './support/command-here.js'
import { freshDatabase, PLACES, type Place } from './support/fresh-database.js'
import { AUDIENCE, IdentityProvider } from './support/identity-provider.js'
import { putJobBack } from './support/jobs-put-back.js'
import { freePort } from './support/postgres-server.js'
import { until } from './support/until.js'

const root = resolve(import.meta.dirname, '..')
const SECRET = 'a secret of the console'

const PARTNER = /^( *)- id: partner\n(?:\1 {2}.*\n)+/m

interface Made {
  id: string
  apiKey: string
  scopes?: string[]
}

/** A second provider, whose people may not issue. */
const withPartner = (text: string, issuer: string): string =>
  text.replace(
    /^( *)- id: default\n(?:\1 {2}.*\n)+/m,
    (first, indent: string) =>
      first +
      [
        '- id: partner',
        `  issuer: ${issuer}`,
        `  audience: ${AUDIENCE}`,
        '  clientId: console',
        `  clientSecret: ${SECRET}`,
        '  name: Partner',
        '  rules: [{ account: acme, scopes: [read, api-keys, status-lists] }]',
      ]
        .map((line) => `${indent}${line}\n`)
        .join(''),
  )

const operators = (indent: string): string =>
  `${indent}  - { when: [{ claim: groups, is: operators }], account: acme, scopes: [operator, api-keys, read] }\n`

for (const place of PLACES)
  describe(`signing in to the console with an identity provider (${place})`, () => signingIn(place))

function signingIn(place: Place): void {
  let issuer: IdentityProvider
  let partner: IdentityProvider
  let database: string
  let stored: Database
  let agent: AnyAgent
  let folder: string
  let configuration: Configuration
  let audit: AuditLog
  let accounts: Accounts
  let url: string
  let port: number

  const environment = () => ({
    PORT: String(port),
    LOG_LEVEL: 'silent',
    VIDIMUS_DATA_DIR: folder,
    DATABASE_URL: database,
    VIDIMUS_PUBLIC_URL: url,
    OIDC_AUDIENCE: AUDIENCE,
    OIDC_CLIENT_ID: 'console',
    OIDC_CLIENT_SECRET: SECRET,
    OIDC_NAME: 'Staff & friends',
  })
  const start = async () => {
    configuration = await loadConfiguration(join(folder, 'agent.yml'), {
      environment: environment(),
      resolveFrom: [import.meta.url, `file://${join(root, 'packages/cli/build/index.js')}`],
    })
    const built = await configuration.build('/accounts', '/server', '/audit', '/database', '/agent')
    const [ofAccounts, server, ofAudit, ofDatabase, ofAgent] = built as [
      Accounts,
      RemoteServer,
      AuditLog,
      Database,
      AnyAgent,
    ]
    agent = ofAgent
    accounts = ofAccounts
    audit = ofAudit
    stored = ofDatabase
    await configuration.start()
    tellOfInstallation(configuration, stored, join(folder, 'agent.yml'))
    await server.listen()
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-console-login-'))
    port = await freePort()
    url = `http://127.0.0.1:${port}`
    database = await freshDatabase(place)
    const providerOf = (id: string) =>
      IdentityProvider.start(
        [
          {
            client_id: 'console',
            client_secret: SECRET,
            redirect_uris: [`${url}/console/callback/${id}`],
            post_logout_redirect_uris: [`${url}/console/`],
          },
        ],
        'localhost',
      )
    issuer = await providerOf('default')
    partner = await providerOf('partner')
    // It does not promise to name itself in the answers that the service is to compare.
    const published = await (await fetch(`${partner.issuer}/.well-known/openid-configuration`)).json()
    partner.metadata = {
      ...(published as Record<string, unknown>),
      authorization_response_iss_parameter_supported: undefined,
    }
    const choices = { database: 'sqlite', cheqd: [], kms: 'local', publish: 'none' } as const
    const text = startingConfiguration({ ...choices, login: issuer.issuer })
    const staffed = text.replace(/^( *)rules:\n/m, (rules, indent: string) => `${rules}${operators(indent)}`)
    await writeFile(join(folder, 'agent.yml'), withPartner(staffed, partner.issuer))
    await start()
    await accounts.create('acme')
    issuer.claims = { vidimus_account: 'acme', vidimus_scopes: 'read keys' }
  })
  after(async () => {
    await configuration.stop()
    await issuer.stop()
    await partner.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(path.startsWith('http') ? path : url + path, { method, headers, redirect: 'manual' })
  const cookiesOf = (response: Response) => response.headers.getSetCookie()
  const valueOf = (cookies: readonly string[], name: string) =>
    cookies.flatMap((cookie) => new RegExp(`^${name}=([^;]*)`).exec(cookie)?.[1] ?? [])[0]

  /** The way of a browser to the provider and back, before it opens the callback. */
  const begun = async (user = 'ann') => {
    const { cookies, attempt, address } = await left('default')
    const { url: callback } = await issuer.browse(address.href, user)
    return { cookies, attempt, callback, address }
  }
  /** The way to the provider. */
  const left = async (provider: string) => {
    const response = await ask(`/console/sign-in?provider=${provider}`)
    assert.equal(response.status, 303)
    const cookies = cookiesOf(response)
    const attempt = valueOf(cookies, 'vidimus-sign-in') ?? ''
    return { cookies, attempt, address: new URL(response.headers.get('location') ?? '') }
  }
  const called = (callback: string, attempt: string) =>
    ask(callback, { cookie: `vidimus-sign-in=${attempt}` })
  const signedIn = async (user?: string) => {
    const { callback, attempt } = await begun(user)
    const response = await called(callback, attempt)
    assert.equal(response.status, 200, await response.text())
    return valueOf(cookiesOf(response), 'vidimus-session') ?? ''
  }
  const asSession = (session: string) => ({ cookie: `vidimus-session=${session}`, 'x-api-key': 'session' })

  it('asks for a code with PKCE, state and nonce, and gives a cookie that scripts and other sites cannot use', async () => {
    assert.deepEqual(await (await ask('/console/session')).json(), {
      providers: [
        { id: 'default', name: 'Staff & friends' },
        { id: 'partner', name: 'Partner' },
      ],
      signedIn: false,
    })
    const { cookies, address, callback, attempt } = await begun()
    assert.match(cookies[0] ?? '', /; HttpOnly; SameSite=Lax; Max-Age=600$/)
    const sent = Object.fromEntries(address.searchParams)
    assert.deepEqual([sent.response_type, sent.code_challenge_method], ['code', 'S256'])
    assert.ok(sent.state && sent.nonce && sent.code_challenge)
    assert.equal(sent.redirect_uri, `${url}/console/callback/default`)
    const response = await called(callback, attempt)
    const page = await response.text()
    assert.equal(response.status, 200, page)
    const made = cookiesOf(response)
    assert.match(
      made.find((cookie) => cookie.startsWith('vidimus-session=')) ?? '',
      /; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    assert.match(made.find((cookie) => cookie.startsWith('vidimus-sign-in=')) ?? '', /Max-Age=0/)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    const state = await ask('/console/session', {
      cookie: `vidimus-session=${valueOf(made, 'vidimus-session')}`,
    })
    assert.equal(((await state.json()) as { signedIn: boolean }).signedIn, true)
  })

  it('makes requests with the cookie and a header, and with neither alone', async () => {
    const session = await signedIn('ben')
    const list = await ask('/did/list', asSession(session))
    assert.equal(list.status, 200)
    assert.equal(list.headers.get('x-api-key-scopes'), 'read, keys')
    for (const headers of [
      { cookie: `vidimus-session=${session}` },
      { cookie: `vidimus-session=${session}`, authorization: 'Bearer session' },
      { ...asSession(session), authorization: 'Bearer session' },
      { ...asSession(session), authorization: 'bearer vidimus_wrong' },
      { 'x-api-key': 'session' },
      { 'x-api-key': session },
      { authorization: `Bearer ${session}` },
      { cookie: `vidimus-session=${session}`, 'x-api-key': 'vidimus_wrong' },
      { cookie: 'vidimus-session=session_unknown', 'x-api-key': 'session' },
    ] as Record<string, string>[]) {
      assert.equal((await ask('/did/list', headers)).status, 401, JSON.stringify(Object.keys(headers)))
    }
    const made = await fetch(`${url}/key/create`, { method: 'POST', headers: asSession(session) })
    assert.equal(made.status, 200)
    const events = await audit.list({ event: 'key-created' })
    assert.deepEqual([events.at(-1)?.issuer, events.at(-1)?.tokenSubject], [issuer.issuer, 'ben'])
    const refused = await fetch(`${url}/did/create`, { method: 'POST', headers: asSession(session) })
    assert.equal(refused.status, 403)
  })

  it('completes an attempt once, in the browser that began it, and otherwise asks no provider', async () => {
    const one = await begun()
    const other = await begun()
    const { state, nonce } = Object.fromEntries(one.address.searchParams)
    const plain = JSON.stringify([issuer.issuer, state, nonce, 'v'.repeat(43), Date.now()])
    const refusals: [string, string, string][] = [
      ['no attempt', one.callback, ''],
      ['another attempt', one.callback, other.attempt],
      ['made up', one.callback, Buffer.from(plain).toString('base64url')],
      ['changed', one.callback, one.attempt.replace(/.{5}$/, 'AAAAA')],
      ['two states', `${one.callback}&state=${state}`, one.attempt],
      ['another redirect address', one.callback.replace('/default?', '/partner?'), one.attempt],
    ]
    issuer.asked.length = 0
    partner.asked.length = 0
    for (const [what, callback, attempt] of refusals) {
      const response = await called(callback, attempt)
      assert.equal(response.status, 401, what)
      assert.deepEqual(
        cookiesOf(response).filter((cookie) => cookie.startsWith('vidimus-session=')),
        [],
        what,
      )
    }
    assert.deepEqual([issuer.asked, partner.asked], [[], []])
    assert.equal((await called(one.callback, one.attempt)).status, 200)
    const asked = issuer.asked.length
    assert.equal((await called(one.callback, one.attempt)).status, 401)
    assert.equal(issuer.asked.length, asked)
    const nowhere = await ask('/console/callback/elsewhere?code=x&state=y', { 'x-api-key': 'vidimus_none' })
    assert.equal(nowhere.status, 401)
  })

  it('gives no provider the code of another one (mix-up)', async () => {
    // The partner leads an operator of the staff on to the provider of the staff, with the attempt at the partner.
    const { attempt, address } = await left('partner')
    const redirect = `${url}/console/callback/default`
    const led = new URL(address.href.replace(partner.issuer, issuer.issuer))
    led.searchParams.set('redirect_uri', redirect)
    const { url: callback } = await issuer.browse(led.href, 'operator')
    assert.ok(callback.startsWith(`${redirect}?code=`), callback)
    const bare = new URL(callback)
    bare.searchParams.delete('iss')
    issuer.asked.length = 0
    partner.asked.length = 0
    assert.equal((await called(bare.href, attempt)).status, 401)
    assert.deepEqual([issuer.asked, partner.asked], [[], []])
    // To its own address the code never comes, as that is not one of the staff's client.
    led.searchParams.set('redirect_uri', `${url}/console/callback/partner`)
    const { text } = await issuer.browse(led.href, 'operator')
    assert.match(text, /redirect_uri/)
  })

  it('shows what the provider says, as text', async () => {
    const { attempt, address } = await begun()
    const query = new URLSearchParams({
      error: 'access_denied',
      error_description: '<b>no</b>',
      state: address.searchParams.get('state') ?? '',
      iss: issuer.issuer,
    })
    const response = await called(`${url}/console/callback/default?${query.toString()}`, attempt)
    const page = await response.text()
    assert.equal(response.status, 401)
    assert.ok(page.includes('&#60;b&#62;no'), page)
    assert.ok(!page.includes('<b>'))
  })

  it('gives no session without an account, nor while the provider cannot be reached', async () => {
    issuer.claims = { vidimus_account: 'nobody' }
    const { callback, attempt } = await begun('eve')
    const refused = await called(callback, attempt)
    assert.equal(refused.status, 403)
    issuer.claims = { vidimus_account: 'acme', vidimus_scopes: 'read keys' }
    const next = await begun()
    issuer.outage = 503
    const unavailable = await called(next.callback, next.attempt)
    issuer.outage = undefined
    assert.ok([401, 503].includes(unavailable.status))
    assert.deepEqual(
      cookiesOf(unavailable).filter((cookie) => cookie.startsWith('vidimus-session=')),
      [],
    )
  })

  it('asks for a new sign-in if the answer with the tokens is lost, and never for the same twice', async () => {
    const lost = await begun()
    issuer.dropped = '/token'
    const response = await called(lost.callback, lost.attempt)
    issuer.dropped = undefined
    assert.equal(response.status, 503)
    assert.match(await response.text(), /sign in again/)
    const asked = issuer.asked.length
    assert.equal((await called(lost.callback, lost.attempt)).status, 401)
    assert.equal(issuer.asked.length, asked)
    const next = await begun()
    assert.equal((await called(next.callback, next.attempt)).status, 200)
  })

  it('makes no first key that works longer than the key, token or session that made it', async () => {
    const soon = new Date(Date.now() + 600_000).toISOString()
    const scopes = ['operator', 'api-keys']
    const { apiKey } = await accounts.createApiKey({ account: 'acme', scopes, expiresAt: soon })
    const exp = Math.floor(Date.now() / 1000) + 600
    const token = await issuer.signed({ sub: 'otto', groups: ['operators'], exp })
    issuer.claims = { groups: ['operators'] }
    const session = await signedIn('olga')
    issuer.claims = { vidimus_account: 'acme', vidimus_scopes: 'read keys' }
    const callers: [string, Record<string, string>, number][] = [
      ['key', { 'x-api-key': apiKey }, Date.parse(soon)],
      ['token', { authorization: `Bearer ${token}` }, exp * 1000],
      ['session', asSession(session), Date.now() + 12 * 3_600_000],
    ]
    for (const [who, headers, end] of callers) {
      const create = (name: string, firstKey: object, more: Record<string, string> = {}) =>
        fetch(`${url}/operator/accounts`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers, ...more },
          body: JSON.stringify({ name: `${name} of ${who}`, firstKey }),
        })
      const once = { 'idempotency-key': `first-${who}` }
      for (const [name, more] of [
        ['first', {}],
        ['repeated', once],
        ['repeated', once],
      ] as const) {
        const made = (await (await create(name, { name: 'first' }, more)).json()) as {
          firstKey?: { apiKey: string; expiresAt?: string }
        }
        const { expiresAt = '9999-01-01', apiKey: first = '' } = made.firstKey ?? {}
        assert.ok(Date.parse(expiresAt) <= end, `${who}: ${expiresAt}`)
        assert.equal((await ask('/did/list', { 'x-api-key': first })).status, 200)
      }
      assert.equal((await create('later', { expiresAt: '2199-01-01T00:00:00Z' })).status, 403, who)
      assert.equal((await create('operating', { scopes: ['operator'] })).status, 403, who)
    }
  })

  /** Restarts the service with another configuration for as long as `work` takes. */
  const configured = async (change: (text: string) => string, work: () => Promise<void>) => {
    const file = join(folder, 'agent.yml')
    const text = await readFile(file, 'utf8')
    const restart = async (content: string) => {
      await configuration.stop()
      await writeFile(file, content)
      await start()
    }
    await restart(change(text))
    try {
      await work()
    } finally {
      await restart(text)
    }
  }

  it('gives a session the rights of now: those of the rules, and none without rule or provider', async () => {
    const session = await signedIn('rita')
    const { attempt, address } = await left('partner')
    const { url: callback } = await partner.browse(address.href, 'paul')
    const ofPartner = valueOf(cookiesOf(await called(callback, attempt)), 'vidimus-session') ?? ''
    const scopesOf = async (one: string) => {
      const { status, headers } = await ask('/key/list', asSession(one))
      return status === 200 ? headers.get('x-api-key-scopes') : status
    }
    assert.deepEqual(
      [await scopesOf(session), await scopesOf(ofPartner)],
      ['read, keys', 'read, api-keys, status-lists'],
    )
    const ruled = (rule: string) => (text: string) =>
      text.replace(PARTNER, '').replace('- account: { claim: vidimus_account }', `- ${rule}`)
    await configured(ruled('{ account: acme, scopes: [read] }'), async () => {
      assert.deepEqual([await scopesOf(session), await scopesOf(ofPartner)], ['read', 401])
    })
    await configured(ruled('{ when: [{ claim: sub, is: nobody }], account: acme }'), async () => {
      assert.equal(await scopesOf(session), 401)
    })
    assert.equal(await scopesOf(session), 'read, keys')
  })

  it('lists sessions and ends them on the command line, and records who signed in and out', async () => {
    const session = await signedIn('sam')
    const command = async (...args: string[]) => {
      const file = join(folder, 'agent.yml')
      const here = { ...environment(), PATH: process.env.PATH ?? '' }
      const { code, printed, complained } = await commandHere(['session', ...args, '--config', file], here)
      assert.equal(code, 0, complained)
      return printed
    }
    const listed = JSON.parse(await command('list', '--account', 'acme', '--json')) as ListedSession[]
    const own = listed.find(({ subject }) => subject === 'sam')
    assert.deepEqual([own?.issuer, own?.account, own?.scopes], [issuer.issuer, 'acme', ['read', 'keys']])
    assert.ok(!JSON.stringify(listed).includes(session))
    assert.match(await command('list'), /sam/)
    assert.equal(await command('end', own?.id ?? ''), '1 session ended.\n')
    assert.equal((await ask('/did/list', asSession(session))).status, 401)
    const other = await signedIn('sam')
    assert.equal((await ask('/console/sign-out', asSession(other), 'POST')).status, 200)
    for (let n = 0; n < 8; n += 1) await called(`${url}/console/callback/default?code=sam&state=x`, 'none')

    const events = async (event: string) =>
      (await audit.list({ event, limit: 1000 })).filter(({ account }) => account)
    const ofSam = (await events('signed-in')).filter(({ tokenSubject }) => tokenSubject === 'sam')
    assert.deepEqual(
      ofSam.map(({ issuer: at, detail, account }) => [at, detail, account]),
      [
        [issuer.issuer, 'default', 'acme'],
        [issuer.issuer, 'default', 'acme'],
      ],
    )
    assert.equal((await events('signed-out')).at(-1)?.tokenSubject, 'sam')
    assert.deepEqual(
      (await events('session-ended')).map(({ subject, detail }) => [subject, detail]),
      [[own?.id, issuer.issuer]],
    )
    const refusals = await audit.list({ event: 'sign-in-refused', limit: 1000 })
    assert.ok(refusals.length > 0 && refusals.length < 8, `${refusals.length} rows`)
    assert.ok(!JSON.stringify(refusals).includes('sam'))
  })

  it('counts refused callbacks as failed authentications, and asks no provider for any of them', async () => {
    const limited = (text: string) =>
      text.replace(/failedAuthentications: \{.*?\}/, 'failedAuthentications: { requests: 3, seconds: 3600 }')
    await configured(limited, async () => {
      issuer.asked.length = 0
      const statuses: number[] = []
      for (let n = 0; n < 5; n += 1)
        statuses.push((await called(`${url}/console/callback/default?code=x&state=y`, 'none')).status)
      assert.deepEqual(statuses, [401, 401, 401, 429, 429])
      assert.equal((await ask('/did/list', { 'x-api-key': 'vidimus_none' })).status, 429)
      assert.deepEqual(issuer.asked, [])
    })
  })

  it('lists sessions to operators over HTTP, page by page, and ends them', async () => {
    const session = await signedIn('tess')
    await signedIn('tom')
    const { apiKey } = await accounts.createApiKey({ account: 'acme', scopes: ['operator', 'api-keys'] })
    const operator = await Client.of(url, apiKey)
    const SESSIONS = '/operator/sessions'
    const page = async (query: Record<string, string>) =>
      (await operator.ok('GET', SESSIONS, { query })) as { sessions: ListedSession[]; next?: string }
    const { sessions, next = '' } = await page({ account: 'acme', limit: '1' })
    assert.equal(sessions[0]?.subject, 'tom')
    const [own] = (await page({ account: 'acme', limit: '1', after: next })).sessions
    assert.deepEqual(
      [own?.subject, own?.issuer, own?.account, own?.scopes],
      ['tess', issuer.issuer, 'acme', ['read', 'keys']],
    )
    assert.deepEqual((await page({ account: 'nobody' })).sessions, [])
    assert.ok(!JSON.stringify(await page({})).includes(session))
    const { apiKey: plain } = await accounts.createApiKey({ account: 'acme' })
    const path = `${SESSIONS}/${own?.id}`
    for (const tried of [operator.as(plain).get(SESSIONS), operator.as(plain).call('DELETE', path)])
      assert.equal((await tried).status, 403)
    assert.equal((await ask('/did/list', asSession(session))).status, 200)
    assert.deepEqual(await operator.ok('DELETE', path), { id: own?.id, ended: true })
    assert.equal((await ask('/did/list', asSession(session))).status, 401)
    const again = await operator.call('DELETE', path)
    assert.deepEqual([again.status, (again.body as { code: string }).code], [404, 'session_not_found'])
    const ended = (await audit.list({ event: 'session-ended', limit: 1000 })).filter(
      ({ subject }) => subject === own?.id,
    )
    assert.deepEqual(
      ended.map(({ detail }) => detail),
      [issuer.issuer, issuer.issuer],
    )
  })

  it('continues no work of a token whose rule has ended, nor of a key whose provider is gone: it waits, and whoever has its rights resumes it', async () => {
    const token = await issuer.signed({ sub: 'wanda', vidimus_account: 'acme' })
    const anonymous = await Client.of(url)
    const authorization = `Bearer ${token}`
    const holder = {
      ok: (method, path, request = {}) =>
        anonymous.ok(method, path, { ...request, headers: { ...request.headers, authorization } }),
    } as Client
    const list = await createList(holder, { did: await createDid(holder) })
    const address = `${list.did}?resourceName=${list.statusListName}&resourceType=BitstringStatusListCredential`
    const made = (await anonymous.ok('POST', '/account/api-keys', {
      json: {},
      headers: { authorization: `Bearer ${await partner.signed({ sub: 'wim' })}` },
    })) as Made
    const JOBS = '/credential-status/jobs'
    const ordered = { 'of-a-token': authorization, 'of-a-key': `Bearer ${made.apiKey}` }
    for (const [n, [jobId, credential]] of Object.entries(ordered).entries()) {
      const body = `list,index,action\n${address},${n},revoke`
      const headers = { 'content-type': 'text/csv', authorization: credential }
      const { status } = await anonymous.post(JOBS, { body, headers, query: { jobId } })
      assert.equal(status, 202)
    }
    const ids = Object.keys(ordered)
    const owner = await Client.of(url, (await accounts.createApiKey({ account: 'acme' })).apiKey)
    const jobs = () =>
      Promise.all(ids.map((id) => owner.ok('GET', `${JOBS}/${id}`))) as Promise<
        { state: string; failure?: string }[]
      >
    const haveAll = (wanted: string) => async () => (await jobs()).every(({ state }) => state === wanted)
    await until(haveAll('done'))
    const { id } = (await holder.ok('POST', '/account/webhooks', {
      json: { url: 'https://receiver.example/', types: ['did.created'] },
    })) as Webhook
    const hook = async () => {
      const { webhooks } = (await owner.ok('GET', '/account/webhooks')) as { webhooks: Webhook[] }
      return webhooks.find((one) => one.id === id)
    }
    assert.equal((await hook())?.state, 'active')
    const narrowed = (text: string) =>
      text
        .replace(PARTNER, '')
        .replace('- account: { claim: vidimus_account }', '- { account: acme, scopes: [read] }')
    await configured(narrowed, async () => {
      // Its rows are applied again, which changes nothing.
      for (const jobId of ['of-a-token', 'of-a-key'])
        await putJobBack(stored, jobId, 'queued', '2000-01-01T00:00:00.000Z')
      await agent.execute('statusListJobsContinue', {})
      await until(async () => (await jobs()).every(({ state }) => !['queued', 'running'].includes(state)))
      for (const { state, failure } of await jobs())
        assert.match(`${state}: ${failure}`, /^paused: the rights of whoever ordered it have ended/)
      await createDid(owner)
      await until(async () => (await hook())?.waiting === 1)
      assert.equal((await hook())?.state, 'suspended')
      for (const jobId of ids) await owner.ok('POST', `${JOBS}/${jobId}/resume`)
      await until(haveAll('done'))
      const resumed = (await owner.ok('POST', `/account/webhooks/${id}/resume`)) as Webhook
      assert.deepEqual([resumed.state, resumed.waiting], ['active', 1])
    })
  })

  it('lets a key rotate itself with its scopes, and ends keys of a provider that is gone', async () => {
    const post = async (path: string, credential: string, json: object) => {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${credential}` },
        body: JSON.stringify(json),
      })
      assert.equal(response.status, 200, await response.clone().text())
      const answer = (await response.json()) as Made & { created?: Made }
      return answer.created ?? answer
    }
    const operator = await accounts.createApiKey({ account: 'acme', scopes: ['operator', 'api-keys'] })
    const successor = await post(`/account/api-keys/${operator.id}/rotate`, operator.apiKey, {})
    assert.deepEqual(successor.scopes, ['operator', 'api-keys'])

    const made = await post('/account/api-keys', await partner.signed({ sub: 'pia' }), {})
    const child = await post('/account/api-keys', made.apiKey, { scopes: ['read'] })
    const rotated = await post(`/account/api-keys/${made.id}/rotate`, made.apiKey, {})
    const statuses = () =>
      Promise.all(
        [made, child, rotated].map(
          async (key) => (await ask('/did/list', { 'x-api-key': key.apiKey })).status,
        ),
      )
    assert.deepEqual(await statuses(), [200, 200, 200])
    await configured(
      (text) => text.replace(PARTNER, ''),
      async () => assert.deepEqual(await statuses(), [401, 401, 401]),
    )
    assert.deepEqual(await statuses(), [200, 200, 200])
  })

  it('holds over a restart, and ends here and at the provider with signing out', async () => {
    const session = await signedIn('carl')
    await configuration.stop()
    await start()
    assert.equal((await ask('/did/list', asSession(session))).status, 200)
    const forged = await ask('/console/sign-out', { cookie: `vidimus-session=${session}` }, 'POST')
    assert.equal(forged.status, 401)
    assert.equal((await ask('/did/list', asSession(session))).status, 200)
    const ended = await ask('/console/sign-out', asSession(session), 'POST')
    assert.equal(ended.status, 200)
    assert.match(cookiesOf(ended)[0] ?? '', /^vidimus-session=; .*Max-Age=0$/)
    const { address } = (await ended.json()) as { address: string }
    assert.ok(address.startsWith(`${issuer.issuer}/session/end?`))
    assert.equal(new URL(address).searchParams.get('post_logout_redirect_uri'), `${url}/console/`)
    const { url: afterwards } = await issuer.browse(address, 'carl')
    assert.equal(afterwards, `${url}/console/`)
    assert.equal((await ask('/did/list', asSession(session))).status, 401)
  })
}
