import assert from 'node:assert/strict'
import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { Client } from './support/client.js'
import { refusedStart } from './support/refused-start.js'
import { runVidimus, Service, type ServiceOptions } from './support/service.js'
import { until } from './support/until.js'
import { createDid } from './behaviour/suite.js'

describe('starting', () => {
  let dataDirectory: string
  beforeEach(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'vidimus-start-'))
  })
  afterEach(() => rm(dataDirectory, { recursive: true, force: true }))

  const failing = async (options: ServiceOptions) => (await refusedStart({ dataDirectory, ...options })).says

  describe('for the first time', () => {
    const privateKeyHex = 'c0ffee'.padEnd(64, '7')
    let installed: string
    let first: Service
    before(async () => {
      installed = await mkdtemp(join(tmpdir(), 'vidimus-first-start-'))
      first = await Service.start({ dataDirectory: installed, fromNothing: true })
      const client = await Client.of(first.url, first.apiKey)
      await client.ok('POST', '/key/import', { json: { privateKeyHex } })
      assert.equal(await first.stop(), 0)
    })
    after(() => rm(installed, { recursive: true, force: true }))

    it('keeps database and secret private to their owner, and no key in plain text', async () => {
      assert.equal((await stat(join(installed, 'kms-secret.key'))).mode & 0o777, 0o600)
      const stored = await readFile(join(installed, 'agent.sqlite'), 'latin1')
      assert.ok(!stored.includes(privateKeyHex))
      assert.ok(!stored.includes(String(first.apiKey)))
    })

    it('shows address, documentation, locality and the first API key, the latter only once', async () => {
      assert.match(first.log, /REST API {3}http:\/\/127\.0\.0\.1:\d+/)
      assert.match(first.log, /API docs {3}http:\/\/127\.0\.0\.1:\d+\/docs/)
      assert.match(first.log, /Console {4}http:\/\/127\.0\.0\.1:\d+\/console/)
      assert.match(first.log, /testnet: embedded .* local to this installation/)
      assert.match(first.apiKey ?? '', /^vidimus_\w{40,}$/)
      const second = await Service.start({ dataDirectory: installed })
      assert.equal(second.apiKey, undefined)
      const client = await Client.of(second.url, first.apiKey)
      assert.match(await createDid(client), /^did:cheqd:testnet:/)
      assert.equal(await second.stop(), 0)
    })

    it('refuses a wrong secret afterwards immediately, and suggests a fix', async () => {
      const environment = { KMS_SECRET_KEY: 'ab'.repeat(32) }
      const message = await failing({ dataDirectory: installed, environment })
      assert.match(message, /secret/i)
      assert.match(message, /KMS_SECRET_KEY/)
      assert.ok(!message.includes('ab'.repeat(32)))
      assert.doesNotMatch(message, /\n\s+at /)
    })

    it('refuses a secret file afterwards that others can read', async () => {
      const file = join(installed, 'kms-secret.key')
      await chmod(file, 0o644)
      assert.match(await failing({ dataDirectory: installed }), /chmod 600/)
      await chmod(file, 0o600)
    })
  })

  it('refuses a malformed secret without repeating it', async () => {
    const message = await failing({ environment: { KMS_SECRET_KEY: 'hunter2' } })
    assert.match(message, /64/)
    assert.ok(!message.includes('hunter2'))
  })

  it('reports which port is in use', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => blocker.once('listening', resolve))
    const { port } = blocker.address() as AddressInfo
    const message = await failing({ environment: { PORT: String(port) } }).finally(() => blocker.close())
    assert.match(message, new RegExp(`${port}`))
    assert.match(message, /PORT/)
    assert.doesNotMatch(message, /\n\s+at /)
  })

  it('reports every configuration error with its location, and opens nothing', async () => {
    const message = await failing({
      configure: (text) =>
        text
          .replace('maxCredentials: 100', 'maxCredentials: many')
          .replace('network: mainnet', 'network: mainet')
          .replace('$ref: /keyStore', '$ref: /keyStorr')
          .replace('bodyBytes: 1048576', 'bodyBites: 1048576'),
    })
    assert.match(message, /agent\.yml:\d+:\d+.*keyStorr/)
    await assert.rejects(stat(join(dataDirectory, 'agent.sqlite')))
    const other = await failing({
      configure: (text) =>
        text
          .replace('maxCredentials: 100', 'maxCredentials: many')
          .replace('network: mainnet', 'network: mainet')
          .replace('firstAccount: default', 'firstAcount: default'),
    })
    for (const place of ['maxCredentials', 'network', 'firstAcount']) {
      assert.match(other, new RegExp(`agent\\.yml:\\d+:\\d+.*${place}`))
    }
    assert.match(other, /maxCredentials: must be a number$/m)
    assert.match(other, /network: must be one of "testnet", "mainnet"$/m)
    assert.match(other, /\^/)
    await assert.rejects(stat(join(dataDirectory, 'agent.sqlite')))
  })

  it('reports option errors together with those of dependencies, with suggestions', async () => {
    const message = await failing({
      configure: (text) =>
        text
          .replace('poolSize: {', 'poolSise: {')
          .replace('maxApiKeys: 100', 'maxApiKey: 100')
          .replace('keepUndoneHours: 24', 'keepUndoneHours: soon')
          .replace('bodyBytes: 1048576', 'bodyBites: 1048576'),
      environment: {
        DATABASE_URL: 'mysql://db/x',
        KMS_SECRET_KEY: '12',
        PORT: 'abc',
        LOG_LEVEL: 'loud',
        TRUST_PROXY: 'maybe',
      },
    })
    const told = [
      'url: must be sqlite:<path of a file> or postgres://<host>/<database>: "mysql" is not supported',
      '"poolSise" is not known here: did you mean "poolSize"?',
      '"maxApiKey" is not known here: did you mean "maxApiKeys"?',
      'keepUndoneHours: must be a number',
      '"bodyBites" is not known here: did you mean "bodyBytes"?',
      'KMS_SECRET_KEY',
      'port: must be a whole number from',
      'level: must be one of fatal, error',
      'trustProxy: must be false, the number of proxies',
    ]
    for (const one of told) {
      assert.ok(message.includes(one), `${one}\n${message}`)
    }
    assert.equal([...message.matchAll(/agent\.yml:\d+:\d+/g)].length, told.length, message)
  })

  it('reports an unusable data directory, and the reason', async () => {
    const file = join(dataDirectory, 'file')
    await writeFile(file, '')
    const secret = { KMS_SECRET_KEY: `${'ab'.repeat(32)}\n` }
    for (const environment of [{}, secret]) {
      const message = await failing({ environment: { ...environment, VIDIMUS_DATA_DIR: file } })
      assert.ok(message.includes(`${file} is a file, not a folder; choose`), message)
      assert.match(message, /comes from the environment variable VIDIMUS_DATA_DIR/)
      assert.doesNotMatch(message, /ENOTDIR|\n\s+at /)
      if (process.platform !== 'linux') continue
      const other = await failing({ environment: { ...environment, VIDIMUS_DATA_DIR: '/proc/vidimus' } })
      assert.match(other, /the folder \/proc\/vidimus cannot be created/)
    }
    await mkdir(join(dataDirectory, 'kms-secret.key'))
    assert.match(await failing({}), /\/kms-secret\.key is a folder, not a file/)
  })

  it('accepts a secret with a trailing line break, as in a mounted file', async () => {
    const environment = { KMS_SECRET_KEY: ` ${'ab'.repeat(32)}\n` }
    assert.equal(await (await Service.start({ dataDirectory, environment })).stop(), 0)
    const trimmed = { KMS_SECRET_KEY: 'ab'.repeat(32) }
    assert.equal(await (await Service.start({ dataDirectory, environment: trimmed })).stop(), 0)
  })

  it('shows the value of a wrong variable that is not secret', async () => {
    assert.match(await failing({ environment: { HOST: 'foo.invalid' } }), /foo\.invalid is not an address/)
    assert.match(await failing({ environment: { PORT: 'abc' } }), /port: .*whole number from 0 to 65535/)
    assert.match(await failing({ environment: { LOG_LEVEL: 'foo' } }), /log\.level: .*debug.*LOG_LEVEL/s)
    assert.match(
      await failing({
        configure: (text) => text.replace('maxCredentials: 100', 'maxCredentials: many'),
      }),
      /\| .*maxCredentials: many/,
    )
  })

  it('terminates itself if its event loop is blocked', async () => {
    const block = `data:text/javascript,process.on('SIGUSR2',()=>{for(;;);})`
    const service = await Service.start({
      environment: { NODE_OPTIONS: `--import=${block}` },
      configure: (text) => text.replace('watchdogMs: 30000', 'watchdogMs: 5000'),
    })
    process.kill(service.pid, 'SIGUSR2')
    await until(() => !service.running)
    assert.match(service.log, /event loop has not responded for 5000 ms/)
  })

  it('terminates itself if no request ever ends', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const service = await Service.start({
      configure: (text) =>
        text
          .replace('watchdogMs: 30000', 'watchdogMs: 5000')
          .replace('concurrentRequests: 1000', 'concurrentRequests: 1')
          .replace(
            /(getWebDidResolver'\n {8}\$args:\n)(?: {10}.*\n)+/,
            '$1          - { timeoutMs: 60000, allowPrivateAddresses: true }\n',
          ),
    })
    const { port } = silent.address() as AddressInfo
    const resolved = fetch(`${service.url}/agent/resolveDid`, {
      method: 'POST',
      headers: { 'x-api-key': service.apiKey ?? '', 'content-type': 'application/json' },
      body: JSON.stringify({ didUrl: `did:web:localhost%3A${port}` }),
    })
    await assert.rejects(resolved)
    await until(() => !service.running)
    assert.match(service.log, /no request has completed for 5000 ms, and no more can be accepted/)
    silent.close()
  })

  it('shows an IPv6 address in brackets', async function () {
    if (!Object.values(networkInterfaces()).some((some) => some?.some(({ address }) => address === '::1'))) {
      this.skip()
    }
    const service = await Service.start({ dataDirectory, environment: { HOST: '::1' } })
    assert.match(service.url, /^http:\/\/\[::1\]:\d+$/)
    assert.match(service.log, /network=testnet 'http:\/\/\[::1\]:\d+\/did\/create'/)
    const client = await Client.of(service.url, service.apiKey)
    assert.equal((await client.get('/did/list')).status, 200)
    await service.stop()
  })

  it('refuses a file that is not a database', async () => {
    await writeFile(
      join(dataDirectory, 'agent.sqlite'),
      'this is a text file, and quite a long one at that. '.repeat(50),
    )
    const message = await failing({})
    assert.match(message, /agent\.sqlite/)
    assert.doesNotMatch(message, /\n\s+at /)
  })

  it('creates no new database next to the secret of a missing one, unless told to', async () => {
    await writeFile(join(dataDirectory, 'kms-secret.key'), `${'5a'.repeat(32)}\n`, { mode: 0o600 })
    const message = await failing({})
    assert.match(message, /agent\.sqlite is missing or empty, but the file .*kms-secret\.key has a secret/)
    assert.match(message, /Restore it from a backup.* vidimus start --new-database/s)
    await assert.rejects(runVidimus(['account', 'list'], { dataDirectory }), /Restore it from a backup/)
    await assert.rejects(runVidimus(['migrate'], { dataDirectory }), /Restore it from a backup/)
    await assert.rejects(runVidimus(['doctor', '--json'], { dataDirectory }), /ended with 2/)
    assert.deepEqual(await readdir(dataDirectory), ['kms-secret.key'])
    const service = await Service.start({ dataDirectory, args: ['--new-database'] })
    const client = await Client.of(service.url, service.apiKey)
    const did = await createDid(client)
    await rm(join(dataDirectory, 'agent.sqlite'))
    const refused = await client.post('/did/create', { json: { network: 'testnet' } })
    assert.equal(refused.status, 503)
    assert.match(JSON.stringify(refused.body), /the database file was deleted or replaced/)
    assert.equal((await client.get(`/did/read/${did}`)).status, 200)
    const ready = await client.get('/health/ready')
    assert.equal(ready.status, 503)
    assert.match(JSON.stringify(ready.body), /the database file was deleted or replaced/)
    assert.match(service.log, /the database file was deleted or replaced/)
    assert.equal(await service.stop(), 0)
  })

  it('refuses an unsupported database without repeating its password', async () => {
    const message = await failing({ environment: { DATABASE_URL: 'mysql://root:hunter2@localhost/x' } })
    assert.match(message, /sqlite:/)
    assert.ok(!message.includes('hunter2'))
  })
})

describe('service run by npm', () => {
  let dataDirectory: string
  let npm: ChildProcess | undefined
  beforeEach(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'vidimus-npm-start-'))
  })
  afterEach(async () => {
    endGroup(npm?.pid)
    await rm(dataDirectory, { recursive: true, force: true })
  })

  const bannerOf = async (started: ChildProcessByStdio<null, Readable, null>): Promise<string> => {
    let banner = ''
    for await (const text of started.stdout) {
      banner += String(text)
      if (banner.includes('shown only once')) break
    }
    return banner
  }

  for (const [command, ...words] of [
    ['npm', 'start'],
    ['npx', 'vidimus', 'start'],
  ] as const) {
    it(`stops with the process that a supervisor signals: ${[command, ...words].join(' ')}`, async function () {
      if (process.platform === 'win32') this.skip()
      const started = spawn(command, words, {
        cwd: resolve(import.meta.dirname, '..'),
        env: { ...process.env, PORT: '0', VIDIMUS_DATA_DIR: dataDirectory, LOG_LEVEL: 'silent' },
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: true,
      })
      npm = started
      const banner = await bannerOf(started)
      const [, url] = /REST API {3}(\S+)/.exec(banner) ?? []
      assert.ok(url, banner)
      assert.ok(await isReachable(url))
      started.kill('SIGTERM')
      await until(async () => !(await isReachable(url)))
    })
  }
})

const isReachable = (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`).then(
    (response) => response.arrayBuffer().then(() => true),
    () => false,
  )

/** Ends the remains of a detached process and of everything that it started. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ESRCH') throw error
  }
}

describe('command line', () => {
  let service: Service
  before(async () => {
    service = await Service.start()
  })
  after(() => service.stop())

  it('creates and lists accounts while the service runs', async () => {
    const created = JSON.parse(await service.command('account', 'create', 'acme', '--json')) as {
      name: string
    }
    assert.equal(created.name, 'acme')
    const listed = JSON.parse(await service.command('account', 'list', '--json')) as { name: string }[]
    assert.deepEqual(listed.map(({ name }) => name).sort(), ['acme', 'default'])
    await assert.rejects(service.command('account', 'create', 'acme'), /acme/)
    assert.match(
      await service.command('account', 'create', 'a b'),
      /vidimus key create --account 'a b' --config \S+agent\.yml$/m,
    )
    assert.match(await service.command('account', 'list'), /^NAME.*\nacme|^NAME[\s\S]*acme/)
  })

  it('changes the quota of an account while the service runs', async () => {
    await service.command('account', 'create', 'small', '--quota', 'dids=1', '--quota', 'webhooks=0')
    const key = JSON.parse(await service.command('key', 'create', '--account', 'small', '--json')) as {
      apiKey: string
    }
    const client = await Client.of(service.url, key.apiKey)
    const create = () => client.post('/did/create', { json: { providerId: 'did:key' } })
    assert.equal((await create()).status, 200)
    const refused = await create()
    const message = 'the account may have at most 1 DIDs, and has 1'
    const { requestId, ...refusal } = refused.body as { requestId: string }
    assert.deepEqual(refusal, {
      error: `quota.dids: ${message}`,
      code: 'quota_exceeded',
      details: [{ path: 'quota.dids', message, used: 1, limit: 1 }],
    })
    const changed = await service.command(
      'account',
      'update',
      'small',
      '--quota',
      'dids=2',
      '--quota',
      'apiKeys=1',
    )
    assert.equal(changed.trim(), 'Account "small" may have: dids 2, apiKeys 1.')
    assert.equal((await create()).status, 200)
    const usage = (await client.ok('GET', '/account/usage')) as Record<string, unknown>
    assert.deepEqual(
      [usage.dids, usage.apiKeys, usage.webhooks],
      [
        { used: 2, limit: 2 },
        { used: 1, limit: 1 },
        { used: 0, limit: 0 },
      ],
    )
    await service.command('account', 'update', 'small', '--quota', 'dids=default', '--quota', 'bytes=10')
    assert.equal((await create()).status, 200)
    await assert.rejects(
      service.command('key', 'create', '--account', 'small'),
      /may have at most 1 API keys, and has 1/,
    )
    for (const [quota, problem] of [
      ['rows=1', /is not a quota; expected one of: dids, keys/],
      ['dids=many', /whole number/],
    ] as const) {
      await assert.rejects(service.command('account', 'update', 'small', '--quota', quota), problem)
    }
    await assert.rejects(service.command('account', 'update', 'small'), /nothing to change/)
    const chooseKms = (name: string) => service.command('account', 'update', 'small', '--kms', name)
    await assert.rejects(chooseKms('cloud'), /--kms must be one of the configured KMSs: local/)
    assert.match(await chooseKms('local'), /New keys of account "small" are made in the KMS "local"/)
    assert.match(await chooseKms('default'), /are made where the service makes them/)
    const updates = await service.audited({ event: 'account-updated', account: 'small', limit: 1000 })
    assert.deepEqual(
      updates.slice(-2).map(({ detail }) => detail),
      ['kms=local', 'kms=default'],
    )
    assert.match(await service.command('audit', '--account', 'small'), /account-updated/)
  })

  it('creates, lists and revokes API keys, effective immediately', async () => {
    const { id, apiKey } = JSON.parse(
      await service.command('key', 'create', '--account', 'default', '--name', 'ci', '--json'),
    ) as { id: string; apiKey: string }
    const client = await Client.of(service.url, apiKey)
    assert.equal((await client.get('/did/list')).status, 200)
    const listed = await service.command('key', 'list', '--json')
    assert.ok(listed.includes(id))
    assert.ok(!listed.includes(apiKey))
    await service.command('key', 'revoke', id)
    assert.equal((await client.get('/did/list')).status, 401)
    assert.match(await service.command('key', 'list'), /revoked/)
  })

  it('limits and rotates API keys, and shows their use', async () => {
    const key = JSON.parse(
      await service.command(
        ...['key', 'create', '--account', 'default', '--scope', 'read', 'did-create', '--network', 'testnet'],
        '--json',
      ),
    ) as { id: string; apiKey: string; scopes: string[]; networks: string[] }
    assert.deepEqual([key.scopes, key.networks], [['read', 'did-create'], ['testnet']])
    const client = await Client.of(service.url, key.apiKey)
    await createDid(client)
    assert.equal((await client.post('/did/create', { json: { network: 'mainnet' } })).status, 403)
    assert.equal((await client.post('/key/create')).status, 403)
    const { created } = JSON.parse(
      await service.command('key', 'rotate', key.id, '--overlap', '1h', '--json'),
    ) as { created: { id: string; apiKey: string } }
    assert.equal((await client.get('/did/list')).status, 200)
    assert.equal((await client.as(created.apiKey).get('/did/list')).status, 200)
    await service.command('key', 'rotate', created.id, '--overlap', '0')
    assert.equal((await client.as(created.apiKey).get('/did/list')).status, 401)
    const listed = await service.command('key', 'list')
    assert.match(listed, /SCOPES +NETWORKS +CREATED +LAST USED/)
    assert.match(listed, new RegExp(`${key.id}.*read did-create +testnet .*rotated to ${created.id}`))
    await assert.rejects(service.command('key', 'rotate', key.id), /already rotated/)
  })

  it('shows the audit trail while the service runs', async () => {
    const { id } = await service.apiKeyOf('audited')
    await service.command('key', 'revoke', id)
    const printed = await service.command('audit', '--account', 'audited')
    assert.match(printed, /account-created[\s\S]*api-key-created[\s\S]*api-key-revoked/)
    const events = JSON.parse(
      await service.command('audit', '--since', '2026-01-01', '--event', 'api-key-revoked', '--json'),
    ) as { subject: string }[]
    assert.ok(events.some(({ subject }) => subject === id))
    assert.deepEqual(JSON.parse(await service.command('audit', '--since', '2999-01-01', '--json')), [])
  })

  it('reports errors in one sentence', async () => {
    await assert.rejects(service.command('key', 'create', '--account', 'nobody'), /nobody/)
    await assert.rejects(service.command('key', 'revoke', 'nothing'), /nothing/)
    await assert.rejects(
      service.command('key', 'create', '--account', 'default', '--expires', 'soon'),
      /ISO 8601/,
    )
  })
})
