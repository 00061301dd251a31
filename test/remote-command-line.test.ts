import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Accounts } from '@vidimus/accounts'
import { loadConfiguration, type Configuration } from '@vidimus/agent-config'
import type { RemoteServer } from '@vidimus/remote-server'
import { startingConfiguration } from '../packages/cli/src/starting-configuration.js'
import { commandHere } from './support/command-here.js'
import { AUDIENCE, DEVICE, IdentityProvider } from './support/identity-provider.js'
import { freePort } from './support/postgres-server.js'
import { beginVidimus } from './support/vidimus-process.js'

const root = resolve(import.meta.dirname, '..')

/** Of all commands. */
interface Printed {
  did: string
  kid: string
  id: string
  alias: string
  changed: number[]
  revoked: boolean
  verified: boolean
  total: number
  proof: { jwt: string }
  dids: string[] & { used: number }
  apiKeys: { id: string }[]
}

describe('the command line of a service elsewhere', () => {
  let issuer: IdentityProvider
  let folder: string
  let configuration: Configuration
  let accounts: Accounts
  let url: string
  let apiKey: string

  before(async () => {
    issuer = await IdentityProvider.start()
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    folder = await mkdtemp(join(tmpdir(), 'vidimus-remote-'))
    const file = join(folder, 'agent.yml')
    const choices = { database: 'sqlite', cheqd: [], kms: 'local', publish: 'none' } as const
    await writeFile(file, startingConfiguration({ ...choices, login: issuer.issuer }))
    configuration = await loadConfiguration(file, {
      environment: {
        PORT: String(port),
        LOG_LEVEL: 'silent',
        VIDIMUS_DATA_DIR: folder,
        VIDIMUS_PUBLIC_URL: url,
        OIDC_AUDIENCE: `${AUDIENCE},${url}`,
        OIDC_DEVICE_CLIENT_ID: DEVICE.client_id,
      },
      resolveFrom: [import.meta.url, `file://${join(root, 'packages/cli/build/index.js')}`],
    })
    const [ofAccounts, server] = (await configuration.build('/accounts', '/server')) as [
      Accounts,
      RemoteServer,
    ]
    accounts = ofAccounts
    await configuration.start()
    await server.listen()
    await accounts.create('acme')
    apiKey = (await accounts.createApiKey({ account: 'acme' })).apiKey
  })
  after(async () => {
    await configuration.stop()
    await issuer.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const environment = (more: Record<string, string> = {}) => ({
    PATH: process.env.PATH ?? '',
    XDG_CONFIG_HOME: folder,
    VIDIMUS_URL: url,
    ...more,
  })
  const run = (...args: string[]) => commandHere(args, environment({ VIDIMUS_API_KEY: apiKey }))
  const done = async (...args: string[]) => {
    const { code, printed, complained } = await run(...args)
    assert.equal(code, 0, complained)
    return JSON.parse(printed) as Printed
  }

  it('does the everyday operations with the words of the API', async () => {
    const { did } = await done('did', 'create', '--network', 'testnet')
    assert.match(did, /^did:cheqd:testnet:/)
    const { kid } = await done('custody', 'key', 'create', '--type', 'Secp256k1', '--alias', 'Acme, Inc')
    const named = ['--did', did, '--status-list-name', 'people']
    const list = ['--list-type', 'BitstringStatusList']
    await done(
      'credential-status',
      'create',
      'unencrypted',
      ...list,
      '--status-purpose',
      'revocation',
      ...named,
    )
    const both = ['--status-purpose', 'revocation', 'suspension', '--did', did]
    const create = ['credential-status', 'create', 'unencrypted', '--list-type', 'BitstringStatusList']
    const { complained } = await run(...create, ...both, '--status-list-name', 'both')
    assert.match(complained, /^Warning: few verifiers read a list with several purposes/m)
    const updated = await done(
      'credential-status',
      'update',
      'unencrypted',
      ...list,
      '--status-action',
      'revoke',
      ...named,
      '--indices',
      '7',
      '9',
    )
    assert.deepEqual(updated.changed, [7, 9])
    const checked = await done(
      'credential-status',
      'check',
      ...list,
      '--status-purpose',
      'revocation',
      ...named,
      '--index',
      '9',
    )
    assert.equal(checked.revoked, true)
    const issued = await done(
      'credential',
      'issue',
      '--issuer-did',
      did,
      '--subject-did',
      did,
      '--attributes',
      '{"name":"Ann"}',
    )
    const { jwt } = issued.proof
    assert.equal((await done('credential', 'verify', '--credential', jwt)).verified, true)
    const held = await done('presentation', 'create', '--credentials', jwt, '--holder-did', did)
    assert.ok(held.proof.jwt)
    assert.equal((await done('did', 'list', '--metadata')).total, 1)
    assert.deepEqual((await done('did', 'list', '--alias', 'nobody*')).dids, [])
    assert.equal((await done('custody', 'key', 'read', kid)).alias, 'Acme, Inc')
    assert.equal((await done('account', 'usage')).dids.used, 1)
    const made = await done('key', 'create', '--scopes', 'read', '--name', 'of the test')
    const { apiKeys } = await done('key', 'list', '--json')
    assert.ok(apiKeys.some(({ id }) => id === made.id))
    await done('key', 'revoke', made.id)
  })

  it('manages accounts with the words of the local command line, for operators', async () => {
    const operator = await accounts.createApiKey({ account: 'acme', scopes: ['operator'] })
    const asOperator = async (...args: string[]) => {
      const { code, printed, complained } = await commandHere(
        args,
        environment({ VIDIMUS_API_KEY: operator.apiKey }),
      )
      assert.equal(code, 0, complained)
      return JSON.parse(printed) as {
        account: { name: string }
        firstKey?: { apiKey: string }
        accounts: { name: string }[]
        disabledAt?: string
      }
    }
    const { account, firstKey } = await asOperator(
      'account',
      'create',
      '--name',
      'initech',
      '--first-key',
      '{}',
    )
    assert.equal(account.name, 'initech')
    assert.ok(firstKey?.apiKey)
    const { accounts: listed } = await asOperator('account', 'list', '--name', 'init*')
    assert.deepEqual(
      listed.map(({ name }) => name),
      ['initech'],
    )
    assert.ok((await asOperator('account', 'disable', 'initech')).disabledAt)
    assert.equal((await asOperator('account', 'enable', 'initech')).disabledAt, undefined)
    const refused = await run('account', 'list')
    assert.equal(refused.code, 1)
    assert.match(refused.complained, /lacks a required scope: operator/)
  })

  it('takes a body or a file as a whole, from a file or the standard input', async () => {
    const body = join(folder, 'body.json')
    await writeFile(body, JSON.stringify({ alias: 'from a file' }))
    assert.equal((await done('custody', 'key', 'create', '--body', body)).alias, 'from a file')
    const input = JSON.stringify({ type: 'Ed25519', privateKeyHex: 'ab'.repeat(32) })
    const { code, printed } = await beginVidimus(
      ['custody', 'key', 'import', '--body', '-'],
      environment({ VIDIMUS_API_KEY: apiKey }),
      { input },
    ).closed
    assert.equal(code, 0)
    assert.ok((JSON.parse(printed) as { kid: string }).kid)
    const refused = await run('custody', 'key', 'create', '--body', body, '--alias', 'x')
    assert.equal(refused.code, 1)
    assert.match(refused.complained, /--body is the whole body and cannot be combined with --alias/)
    const rows = join(folder, 'rows.csv')
    await writeFile(rows, 'credentialId,list,index,action,reason\nurn:uuid:unknown,,,revoke,\n')
    const job = await done('credential-status', 'job', 'create', '--file', rows, '--job-id', 'j1')
    assert.equal(job.id, 'j1')
    const again = await done('custody', 'key', 'create', '--idempotency-key', 'k1')
    assert.equal((await done('custody', 'key', 'create', '--idempotency-key', 'k1')).kid, again.kid)
  })

  it('shows what the service says, every problem of it, and fails', async () => {
    const { code, printed, complained } = await run(
      'did',
      'create',
      '--network',
      'moonnet',
      '--identifier-format-type',
      'x',
    )
    assert.deepEqual([code, printed], [1, ''])
    assert.match(complained, /^vidimus: \w+: .*\n {2}\w+: .*\n {2}request \S+\n$/)
    const unknown = await run('did', 'read', 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK')
    assert.equal(unknown.code, 1)
    const usage = await run('did', 'list', '--alais', 'x')
    assert.equal(usage.code, 2)
    assert.match(usage.complained, /unknown option '--alais'\n\(Did you mean --alias\?\)/)
    const key = 'vidimus_wrong'
    const denied = await commandHere(['did', 'list', '--url', url, '--api-key', key], {})
    assert.equal(denied.code, 1)
    assert.match(denied.complained, /the access token is missing or invalid/)
    assert.ok(!denied.complained.includes(key))
  })

  it('sends no credential in clear to another machine, and needs one', async () => {
    const clear = await commandHere(
      ['--url', 'http://192.0.2.1', 'did', 'list'],
      environment({ VIDIMUS_API_KEY: apiKey }),
    )
    assert.equal(clear.code, 1)
    assert.match(clear.complained, /must be https, or http on this machine/)
    const none = await commandHere(['did', 'list', '--url', url], environment())
    assert.match(none.complained, /no credential for .*: set VIDIMUS_API_KEY, or run vidimus login/)
  })

  it('leaves local commands alone where the environment names a service', async () => {
    const local = await commandHere(['key', 'create', '--help'], environment())
    assert.match(local.printed, /--account <name>/, 'without a credential')
    const remote = await commandHere(['key', 'create', '--help'], environment({ VIDIMUS_API_KEY: apiKey }))
    assert.doesNotMatch(remote.printed, /--account <name>/)
    const { code, printed } = await commandHere(
      ['key', 'update', '--help'],
      environment({ VIDIMUS_API_KEY: apiKey }),
    )
    assert.deepEqual([code, printed.includes('add scopes to a limited API key')], [0, true])
  })

  /** `vidimus login`, and what somebody does in a browser meanwhile. */
  const signedIn = async (...args: string[]) => {
    const login = beginVidimus(['login', ...args], environment())
    let output = ''
    const address = new Promise<string>((found) => {
      login.child.stdout.on('data', (text: Buffer) => {
        output += text.toString()
        const [, shown] = /Open (\S+) in a browser/.exec(output) ?? []
        if (shown !== undefined) found(shown)
      })
    })
    await Promise.race([address.then((shown) => issuer.browse(shown, 'ann')), login.closed])
    return login.closed
  }

  it('signs in with a browser elsewhere, renews the token, and signs out at the provider as well', async () => {
    issuer.claims = { vidimus_account: 'acme', vidimus_scopes: ['read'] }
    const { code, complained } = await signedIn()
    assert.equal(code, 0, complained)
    const file = join(folder, 'vidimus/tokens.json')
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    const stored = async () =>
      (
        JSON.parse(await readFile(file, 'utf8')) as Record<
          string,
          { accessToken: string; refreshToken: string; expiresAt: string }
        >
      )[url]
    const first = await stored()
    assert.ok(first?.refreshToken)
    const asAnn = (...args: string[]) => commandHere(args, environment())
    assert.equal((await asAnn('did', 'list')).code, 0)
    const forbidden = await asAnn('custody', 'key', 'create')
    assert.match(forbidden.complained, /this token lacks a required scope: keys/)
    // another service gets nothing of it
    const other = await commandHere(['did', 'list', '--url', `${url}/elsewhere`], environment())
    assert.match(other.complained, /no credential/)

    await writeFile(file, JSON.stringify({ [url]: { ...first, expiresAt: new Date().toISOString() } }), {
      mode: 0o600,
    })
    assert.equal((await asAnn('did', 'list')).code, 0)
    const second = await stored()
    assert.notEqual(second?.accessToken, first.accessToken)
    assert.ok(Date.parse(second?.expiresAt ?? '') > Date.now())

    assert.equal((await asAnn('logout')).code, 0)
    assert.equal(await stored(), undefined)
    await writeFile(file, JSON.stringify({ [url]: { ...second, expiresAt: new Date().toISOString() } }), {
      mode: 0o600,
    })
    const ended = await asAnn('did', 'list')
    assert.equal(ended.code, 1)
    assert.match(ended.complained, /the login at .* has expired; run vidimus login/)
  })

  it('gives no service a token that is for another one', async () => {
    issuer.claims = { vidimus_account: 'acme' }
    const file = join(folder, 'vidimus/tokens.json')
    await rm(file, { force: true })
    const sent: (string | undefined)[] = []
    let resource = url
    const evil = createServer((req, res) => {
      sent.push(req.headers.authorization)
      const metadata = {
        resource,
        authorization_servers: [issuer.issuer],
        device_clients: { [issuer.issuer]: DEVICE.client_id },
        scopes_supported: ['everything'],
      }
      res.setHeader('content-type', 'application/json').end(JSON.stringify(metadata))
    })
    await new Promise<void>((listening) => evil.listen(0, '127.0.0.1', listening))
    const evilUrl = `http://127.0.0.1:${(evil.address() as AddressInfo).port}`
    try {
      issuer.asked.length = 0
      const led = await signedIn('--url', evilUrl)
      assert.equal(led.code, 1)
      assert.match(led.complained, /--resource: the service calls itself .*nothing was sent/)
      assert.deepEqual(issuer.asked, [])

      // A provider that ignores what it is asked for.
      resource = evilUrl
      issuer.audience = url
      const ignored = await signedIn('--url', evilUrl, '--scope', 'email')
      assert.equal(ignored.code, 1)
      assert.match(
        ignored.complained,
        /gave a token that is not for .*, but for .*; nothing was stored or sent/,
      )
      assert.ok(!ignored.complained.includes('eyJ'))
      assert.match(issuer.asked.join(), /device/)

      issuer.audience = AUDIENCE
      assert.equal((await signedIn()).code, 1, 'the real service, whose tokens have another audience')
      const known = await commandHere(['did', 'list', '--url', url], environment())
      assert.match(known.complained, /no credential/)
      const named = await signedIn('--audience', AUDIENCE, '--resource', `${url}/`)
      assert.equal(named.code, 0, named.complained)
      assert.equal((await commandHere(['did', 'list'], environment())).code, 0)
      assert.deepEqual([...new Set(sent)], [undefined])
    } finally {
      issuer.audience = undefined
      await new Promise((closed) => evil.close(closed))
    }
  })

  it('knows no login at a service that accepts no tokens', async () => {
    const { code, complained } = await commandHere(['login', '--url', issuer.issuer], environment())
    assert.equal(code, 1)
    assert.match(complained, /accepts no tokens of an identity provider; use an API key/)
  })
})
