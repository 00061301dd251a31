import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Accounts, AuditLog } from '@vidimus/accounts'
import { loadConfiguration, type Configuration } from '@vidimus/agent-config'
import { readLog, type LogLine } from '@vidimus/core-types'
import { sql, type Database } from '@vidimus/database'
import type { RemoteServer } from '@vidimus/remote-server'
import { newApiKey } from '../packages/accounts/src/api-key.js'
import { startingConfiguration } from '../packages/cli/src/starting-configuration.js'
import { createDid, createList } from './behaviour/suite.js'
import { Client, type Answer } from './support/client.js'
import { emptyInstallation, PLACES, type Place } from './support/fresh-database.js'
import { AUDIENCE, IdentityProvider } from './support/identity-provider.js'
import { until } from './support/until.js'

const root = resolve(import.meta.dirname, '..')

/** As `vidimus init --login` writes it, with what this test is about. */
const configurationWith = (issuer: string): string =>
  startingConfiguration({ database: 'sqlite', cheqd: [], kms: 'local', publish: 'none', login: issuer })

for (const place of PLACES) describe(`login with an identity provider (${place})`, () => login(place))

function login(place: Place): void {
  let issuer: IdentityProvider
  let folder: string
  let configuration: Configuration
  let accounts: Accounts
  let audit: AuditLog
  let database: Database
  let url: string
  let client: Client
  let lines: LogLine[]
  let endLog: () => void

  before(async () => {
    issuer = await IdentityProvider.start()
    folder = await mkdtemp(join(tmpdir(), 'vidimus-login-'))
    const file = join(folder, 'agent.yml')
    await writeFile(
      file,
      configurationWith(issuer.issuer)
        .replace('apiKeyLife: null', 'apiKeyLife: P90D')
        .replace('perKey: { requests: 600000, seconds: 60 }', 'perKey: { requests: 1000, seconds: 86400 }'),
    )
    configuration = await loadConfiguration(file, {
      environment: {
        PORT: '0',
        LOG_LEVEL: 'silent',
        VIDIMUS_DATA_DIR: folder,
        DATABASE_URL: await emptyInstallation(place),
        OIDC_AUDIENCE: `https://other.example, ${AUDIENCE}`,
      },
      resolveFrom: [import.meta.url, `file://${join(root, 'packages/cli/build/index.js')}`],
    })
    const built = await configuration.build('/accounts', '/server', '/database', '/audit')
    const [ofAccounts, server, ofDatabase, ofAudit] = built as [Accounts, RemoteServer, Database, AuditLog]
    accounts = ofAccounts
    database = ofDatabase
    audit = ofAudit
    await configuration.start()
    url = (await server.listen()).url
    client = await Client.of(url)
    await accounts.create('acme')
    await accounts.create('beta')
  })
  after(async () => {
    await configuration.stop()
    await issuer.stop()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(() => {
    lines = []
    endLog = readLog((line) => lines.push(line))
  })
  afterEach(() => endLog())

  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
  const tokenOf = (subject: string, claims: object = {}) =>
    issuer.signed({ sub: subject, vidimus_account: 'acme', ...claims })
  const remaining = ({ headers }: Answer) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])

  it('lets a token do what an API key may, in its account only', async () => {
    const token = await issuer.token({ vidimus_account: 'acme' })
    const did = await createDid({
      ok: (method, path, request = {}) => client.ok(method, path, { ...request, ...bearer(token) }),
    } as Client)
    const { apiKey } = await accounts.createApiKey({ account: 'acme' })
    assert.equal(((await client.as(apiKey).ok('GET', '/did/list')) as { total: number }).total, 1)
    assert.equal((await client.get(`/did/search/${did}`, bearer(token))).status, 200)
    const other = bearer(await tokenOf('bob', { vidimus_account: 'beta' }))
    assert.equal(((await client.ok('GET', '/did/list', other)) as { total: number }).total, 0)
    assert.equal(
      (await client.post('/did/deactivate/' + encodeURIComponent(did), { ...other, json: {} })).status,
      404,
    )
  })

  it('records who it was in the audit trail, by issuer and subject', async () => {
    const token = await tokenOf('carol')
    const { kid } = (await client.ok('POST', '/key/create', { ...bearer(token), json: {} })) as {
      kid: string
    }
    const events = await audit.list({ event: 'key-created' })
    const event = events.find(({ subject }) => subject === kid)
    const { entries } = (await client.ok('GET', '/account/audit', {
      ...bearer(token),
      query: { tokenSubject: 'carol', event: 'key-created' },
    })) as { entries: { subject: string; issuer: string }[] }
    assert.deepEqual(
      entries.map((entry) => [entry.subject, entry.issuer]),
      [[kid, issuer.issuer]],
    )
    assert.deepEqual(
      [event?.issuer, event?.tokenSubject, event?.apiKeyId],
      [issuer.issuer, 'carol', undefined],
    )
    const limited = await tokenOf('carol', { vidimus_scopes: ['read'] })
    const refused = await client.post('/key/create', { ...bearer(limited), json: {} })
    assert.equal(refused.status, 403)
    assert.match(JSON.stringify(refused.body), /this token lacks a required scope: keys/)
    assert.equal(refused.headers.get('x-api-key-scopes'), 'read')
    await until(async () => (await audit.list({ event: 'access-forbidden' })).length > 0)
    const [found] = await audit.list({ event: 'access-forbidden' })
    assert.deepEqual([found?.tokenSubject, found?.account], ['carol', 'acme'])
  })

  it('keeps a token to its networks', async () => {
    const token = bearer(await tokenOf('carol', { vidimus_networks: 'testnet' }))
    const create = (network: string) => client.post('/did/create', { ...token, json: { network } })
    assert.equal((await create('testnet')).status, 200)
    const refused = await create('mainnet')
    assert.equal(refused.status, 403)
    assert.match(JSON.stringify(refused.body), /this token may not write to the network mainnet/)
  })

  it('takes a token as a bearer token alone, and no two credentials', async () => {
    const token = await tokenOf('dave')
    const { apiKey } = await accounts.createApiKey({ account: 'acme' })
    const status = async (headers: Record<string, string>) =>
      (await client.get('/did/list', { headers })).status
    assert.equal(await status({ authorization: `Bearer ${token}` }), 200)
    assert.equal(await status({ authorization: `Bearer ${apiKey}` }), 200)
    assert.equal(await status({ 'x-api-key': token }), 401)
    assert.equal(await status({ 'x-api-key': apiKey, authorization: `Bearer ${token}` }), 401)
    assert.equal(await status({ authorization: `Basic ${token}` }), 401)
    assert.equal(await status({ authorization: `Bearer ${token}, Bearer ${token}` }), 401)
  })

  it('answers tokens that are not valid like unknown API keys, and tells none of them', async () => {
    const bad = [
      await issuer.signed({ vidimus_account: 'acme', aud: 'https://vidimus.other' }),
      await issuer.signed({ vidimus_account: 'acme', exp: 1 }),
      await issuer.signed({ vidimus_account: 'acme', iss: 'https://login.other' }),
      'eyJhbGciOiJub25lIn0.e30.',
    ]
    const unknown = await client.get('/did/list', bearer(newApiKey()))
    for (const token of bad) {
      const { status, body, headers } = await client.get('/did/list', bearer(token))
      assert.equal(status, 401)
      assert.equal((body as { error: string }).error, (unknown.body as { error: string }).error)
      assert.match(headers.get('www-authenticate') ?? '', /Bearer/)
    }
    const nobody = await client.get('/did/list', bearer(await issuer.signed({ sub: 'eve' })))
    assert.equal(nobody.status, 403)
    const log = JSON.stringify(lines)
    for (const token of bad) assert.ok(!log.includes(token.slice(0, -20).slice(-60)))
    assert.deepEqual(
      lines
        .filter(({ message }) => message === 'a token was refused')
        .map(({ fields }) => [fields.reason, fields.claim]),
      [
        ['ERR_JWT_CLAIM_VALIDATION_FAILED', 'aud'],
        ['ERR_JWT_EXPIRED', undefined],
      ],
    )
  })

  it('counts requests for the holder, not for each token', async () => {
    const first = await client.get('/did/list', bearer(await tokenOf('frank')))
    const second = await client.get('/did/list', bearer(await tokenOf('frank', { jti: 'another' })))
    assert.deepEqual([remaining(first), remaining(second)], [999, 998])
    assert.equal(remaining(await client.get('/did/list', bearer(await tokenOf('grace')))), 999)
  })

  it('returns the response of a repeated request also to a renewed token of the same holder', async () => {
    const send = async (subject: string, path: string, claims = {}) => {
      const { headers } = bearer(await tokenOf(subject, claims))
      return client.post(path, { headers: { ...headers, 'idempotency-key': `k-${path}` }, json: {} })
    }
    const exp = Math.floor(Date.now() / 1000) + 900
    const made = await send('heidi', '/key/create')
    const again = await send('heidi', '/key/create', { exp })
    assert.deepEqual(again.body, made.body)
    const key = await send('heidi', '/account/api-keys')
    assert.deepEqual((await send('heidi', '/account/api-keys', { exp })).body, key.body)
    const refused = await send('ivan', '/account/api-keys')
    assert.deepEqual(
      [refused.status, (refused.body as { code: string }).code],
      [400, 'idempotency_key_reused'],
    )
  })

  it('lets a token manage API keys with its own rights, for the configured time', async () => {
    const token = bearer(await tokenOf('judy', { vidimus_scopes: 'api-keys read' }))
    const create = (json: object) => client.post('/account/api-keys', { ...token, json })
    const made = (await create({})).body as { id: string; scopes: string[]; expiresAt: string }
    assert.deepEqual(made.scopes, ['api-keys', 'read'])
    const days = (Date.parse(made.expiresAt) - Date.now()) / 86_400_000
    assert.ok(days > 89.9 && days <= 90, made.expiresAt)
    assert.equal((await create({ scopes: ['dids'] })).status, 403)
    assert.equal((await create({ expiresAt: '2099-01-01' })).status, 403)
    const free = await accounts.createApiKey({ account: 'acme', scopes: ['read'] })
    const more = await accounts.createApiKey({ account: 'acme' })
    assert.equal((await client.call('DELETE', `/account/api-keys/${free.id}`, token)).status, 200)
    assert.equal((await client.call('DELETE', `/account/api-keys/${more.id}`, token)).status, 403)
    assert.equal((await client.call('DELETE', `/account/api-keys/${made.id}`, token)).status, 200)
  })

  it('keeps who ordered a mass change, and creates webhooks without an API key to name', async () => {
    const token = bearer(await tokenOf('kate'))
    const list = await createList({
      ok: (method, path, request = {}) => client.ok(method, path, { ...request, ...token }),
    } as Client)
    const found = (await client.ok('GET', '/credential-status/search', {
      ...token,
      query: { did: list.did, statusListName: list.statusListName, listType: 'BitstringStatusList' },
    })) as { resource?: unknown }
    assert.ok(found)
    const address = `${list.did}?resourceName=${list.statusListName}&resourceType=BitstringStatusListCredential`
    const ordered = await client.post('/credential-status/jobs', {
      headers: { ...token.headers, 'content-type': 'text/csv' },
      body: `credentialId,list,index,action,reason\n,${address},7,revoke,\n`,
    })
    assert.equal(ordered.status, 202, JSON.stringify(ordered.body))
    const { id } = ordered.body as { id: string }
    await until(async () => {
      const { state } = (await client.ok('GET', `/credential-status/jobs/${id}`, token)) as { state: string }
      return state === 'done'
    })
    const events = await audit.list({ event: 'resource-updated' })
    assert.equal(events.at(-1)?.tokenSubject, 'kate')
    const webhook = (await client.ok('POST', '/account/webhooks', {
      ...token,
      json: { url: 'https://receiver.example/' },
    })) as { apiKeyId?: string }
    assert.equal(webhook.apiKeyId, undefined)
  })

  it('ends a stream of events when the token does', async () => {
    const ending = new AbortController()
    const exp = Math.floor(Date.now() / 1000) - 58
    const response = await client.stream('/account/events', {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${await tokenOf('leo', { exp })}` },
      signal: ending.signal,
    })
    assert.equal(response.status, 200)
    // It ends by itself; otherwise this test does not.
    await response.text()
  })

  it('answers 503 while the issuer cannot be reached, and lets API keys in', async () => {
    issuer.outage = 500
    try {
      const elsewhere = await loadConfiguration(join(folder, 'agent.yml'), {
        environment: {
          PORT: '0',
          LOG_LEVEL: 'silent',
          VIDIMUS_DATA_DIR: folder,
          DATABASE_URL: await emptyInstallation('SQLite'),
          OIDC_AUDIENCE: AUDIENCE,
        },
        resolveFrom: [import.meta.url, `file://${join(root, 'packages/cli/build/index.js')}`],
      })
      const [ofAccounts, server] = (await elsewhere.build('/accounts', '/server')) as [Accounts, RemoteServer]
      await elsewhere.start()
      const other = await Client.of((await server.listen()).url, (await ofAccounts.firstStart())?.apiKey)
      try {
        const refused = await other.get('/did/list', { ...bearer(await tokenOf('mia')), apiKey: null })
        assert.equal(refused.status, 503)
        assert.match(JSON.stringify(refused.body), /identity provider cannot be reached/)
        assert.ok(refused.headers.get('retry-after'))
        assert.equal((await other.get('/did/list')).status, 200)
        server.useChecks(() => elsewhere.check())
        const ready = await other.get('/health/ready')
        assert.equal(ready.status, 200)
        assert.match(JSON.stringify(ready.body), /"identity-provider:default".*its keys cannot be fetched/)
        assert.ok(!JSON.stringify(ready.body).includes(new URL(issuer.issuer).host))
      } finally {
        await elsewhere.stop()
      }
    } finally {
      issuer.outage = undefined
    }
  })

  it('forgets the holder with the account', async () => {
    await accounts.create('leaving')
    const token = bearer(await tokenOf('nina', { vidimus_account: 'leaving' }))
    await client.ok('POST', '/key/create', { ...token, json: {} })
    await accounts.states.disable('leaving')
    assert.equal((await client.get('/did/list', token)).status, 403)
    const [row] = await database.query<{ n: number }>(
      sql`SELECT COUNT(*) AS n FROM audit_event WHERE token_subject = 'nina'`,
    )
    assert.ok(Number(row?.n) > 0)
    await accounts.states.beginDeletion('leaving')
    const audited = accounts.accountRows.find(({ tables }) => tables.includes('audit_event'))
    const { id } = await accounts.get('leaving')
    await audited?.erase(id)
    const [left] = await database.query<{ subjects: number; issuers: number }>(
      sql`SELECT COUNT(token_subject) AS subjects, COUNT(token_issuer) AS issuers FROM audit_event WHERE account_id = ${id}`,
    )
    assert.equal(Number(left?.subjects), 0)
    assert.ok(Number(left?.issuers) > 0)
    await assert.rejects(
      database.write((connection) =>
        connection.run(sql`UPDATE audit_event SET token_issuer = 'x' WHERE account_id = ${id}`),
      ),
    )
  })
}

describe('mistakes in the rules for tokens', () => {
  it('are reported with their line, unknown scopes too', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vidimus-login-'))
    const file = join(folder, 'agent.yml')
    const text = configurationWith('https://login.example').replace(
      '            - account: { claim: vidimus_account }\n',
      [
        '            - account: default',
        '              scopes: [read, credentails]',
        '            - account: default',
        '              netwroks: [testnet]',
        '',
      ].join('\n'),
    )
    const problems = async (content: string) => {
      await writeFile(file, content)
      const configuration = await loadConfiguration(file, {
        environment: { VIDIMUS_DATA_DIR: folder, OIDC_AUDIENCE: AUDIENCE },
        resolveFrom: [import.meta.url, `file://${join(root, 'packages/cli/build/index.js')}`],
      })
      return configuration.build('/server').then(
        () => '',
        (error: Error) => error.message,
      )
    }
    const lineOf = (what: string) => text.split('\n').findIndex((line) => line.includes(what)) + 1
    const misspelt = await problems(text)
    assert.match(
      misspelt,
      new RegExp(
        `agent\\.yml:${lineOf('netwroks')}:.*"netwroks" is not known here: did you mean "networks"\\?`,
      ),
    )
    const unknown = await problems(text.replace('netwroks', 'networks'))
    assert.match(
      unknown,
      new RegExp(
        `agent\\.yml:${lineOf('credentails')}:.*"credentails" is not a scope: did you mean "credentials"\\?`,
      ),
    )
    await rm(folder, { recursive: true })
  })
})
