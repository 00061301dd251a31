import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sql, type Sql } from '@vidimus/database'
import { Client } from './support/client.js'
import { Examination } from './support/doctor.js'
import {
  copyOfDatabase,
  emptyInstallation,
  freshDatabase,
  PLACES,
  type Place,
} from './support/fresh-database.js'
import { openDatabase } from './support/open-database.js'
import { codeOfVidimus, runVidimus, Service, type ServiceOptions } from './support/service.js'

const SECRET = 'ab'.repeat(32)

for (const place of PLACES) describe(`vidimus doctor (${place})`, () => doctorSuite(place))

function doctorSuite(place: Place): void {
  let dataDirectory: string
  let url: string
  beforeEach(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'vidimus-doctor-'))
  })
  afterEach(() => rm(dataDirectory, { recursive: true, force: true }))

  const options = (environment: Record<string, string> = {}, others: ServiceOptions = {}) => ({
    ...others,
    dataDirectory,
    environment: { DATABASE_URL: url, KMS_SECRET_KEY: SECRET, ...environment },
  })
  const examine = (environment?: Record<string, string>, others?: ServiceOptions) =>
    Examination.of(options(environment, others))
  const doctor = (environment?: Record<string, string>) => Examination.byCommand(options(environment))
  const served = async (work: (client: Client, service: Service) => Promise<unknown>) => {
    url = await emptyInstallation(place)
    const service = await Service.start(options())
    try {
      await work(await Client.of(service.url, service.apiKey), service)
    } finally {
      await service.stop()
    }
  }
  const createDids = (client: Client) =>
    Promise.all(
      ['testnet', 'mainnet'].map((network) => client.ok('POST', '/did/create', { json: { network } })),
    )
  let template: Promise<string> | undefined
  /** A service has run here and made a DID on each network. */
  const installed = async () => {
    template ??= served(createDids).then(() => url)
    url = await copyOfDatabase(await template)
  }
  const change = async (...statements: Sql[]) => {
    const database = await openDatabase({ dataDirectory, databaseUrl: url })
    await database.write(async (connection) => {
      for (const statement of statements) await connection.run(statement)
    })
    await database.lifecycle.stop()
  }

  it('finds nothing wrong before the first start, and creates nothing', async () => {
    url = await freshDatabase(place)
    const found = await examine()
    assert.deepEqual(found.complaints, [])
    assert.deepEqual(await readdir(dataDirectory), [])
    assert.match(found.of('migrations'), /^ok: .* has no tables yet: the first start creates them$/)
  })

  it('reports on everything that a running service needs', async () => {
    await served(async (client, service) => {
      await createDids(client)
      const { port } = new URL(service.url)
      const found = await doctor({ PORT: port })
      assert.deepEqual(found.complaints, [])
      assert.match(found.of('runtime'), new RegExp(`^ok: Node.js ${process.versions.node}`))
      assert.equal(found.of('keys'), 'ok: complete: 2 DIDs, 2 keys')
      assert.match(found.of('database'), new RegExp(`^ok: ${place} [0-9]`))
      if (place === 'PostgreSQL') {
        assert.match(
          found.of('connections'),
          /^ok: room for \d+ connections, .* with up to 20 and one more each$/,
        )
        const larger = await examine({ DATABASE_POOL_SIZE: '1000' })
        assert.match(
          larger.of('connections'),
          /^warn: .* up to 1000 and one more each: each has \d+ for its pools/,
        )
      }
      assert.match(found.of('secret'), /^ok: \S+ from the value .* opens all [1-9][0-9]* sealed texts$/)
      assert.match(found.of('ledger:testnet'), /^ok: embedded; its DIDs are local to this installation$/)
      assert.equal(found.of('service'), `ok: running and ready at http://127.0.0.1:${port}`)
      const { code, printed } = await codeOfVidimus(['doctor'], options())
      assert.equal(code, 0)
      assert.match(printed, /^ok {4}keys {15}complete: 2 DIDs, 2 keys$/m)
      const beginnings = printed
        .trim()
        .split('\n')
        .map((line) => line.slice(6).search(/(?<= {2})\S/))
      assert.equal(new Set(beginnings).size, 1, printed)
      assert.ok(!printed.includes(SECRET) && !printed.includes('\u001b'))
    })
    template = Promise.resolve(url)
  })

  it('detects missing keys', async () => {
    await installed()
    await change(
      sql`DELETE FROM account_private_key WHERE alias IN (SELECT kid FROM account_did_key WHERE did LIKE ${'did:cheqd:testnet%'})`,
    )
    const [missing] = (await examine()).complaints
    assert.match(missing ?? '', /^keys: without a private key: 1 key \([0-9a-f]+\) of the KMS "local"$/)
    await change(sql`DELETE FROM account_did_key WHERE did LIKE ${'did:cheqd:mainnet%'}`)
    const found = await examine()
    assert.match(found.of('keys'), /^fail: without any key: 1 DID \(did:cheqd:mainnet:[0-9a-f-]+\)$/m)
    const renamed = (text: string) => text.replace('local: { $ref: /kms }', 'elsewhere: { $ref: /kms }')
    const configured = await examine({}, { configure: renamed })
    assert.match(configured.of('keys'), /^fail: the KMS "local", which has 2 keys, is not configured$/m)
  })

  it('reports wrong counts, which `vidimus account recount` corrects', async () => {
    await installed()
    assert.match((await examine()).of('quotas'), /^ok: /)
    await change(
      sql`UPDATE account_tally SET n = n + 5 WHERE kind = 'keys'`,
      sql`DELETE FROM account_tally WHERE kind = 'ledgerBytes'`,
    )
    assert.match(
      (await examine()).of('quotas'),
      /^warn: counted wrong: account "default" has 2 keys, and 7 were counted; account "default" has \d+ ledgerBytes, and 0 were counted$/,
    )
    const printed = await runVidimus(['account', 'recount'], options())
    assert.match(printed, /^Corrected: account "default" has 2 keys, and 7 were counted\.$/m)
    assert.match((await examine()).of('quotas'), /^ok: /)
    assert.equal(
      await runVidimus(['account', 'recount'], options()),
      'The usage of all accounts was counted correctly.\n',
    )
  })

  it('reports that the audit trail can be changed', async () => {
    await installed()
    assert.equal((await examine()).of('guards of the audit trail'), '')
    await change(
      place === 'SQLite'
        ? sql`DROP TRIGGER audit_event_no_delete`
        : sql`ALTER TABLE audit_event DISABLE TRIGGER audit_event_guard`,
    )
    const missing = place === 'SQLite' ? 'audit_event_no_delete' : 'audit_event_guard'
    const found = (await examine()).of('guards of the audit trail')
    assert.match(found, new RegExp(`^warn: .* the table audit_event lacks ${missing}$`))
  })

  it('reports pending migrations', async () => {
    await installed()
    await change(sql`DELETE FROM migrations WHERE id = (SELECT MAX(id) FROM migrations)`)
    const found = await examine()
    assert.equal(found.level, 'warn')
    assert.match(found.of('migrations'), /^warn: 1 of [0-9]+ pending; later checks were skipped$/)
  })

  it('reports a wrong clock', async () => {
    await installed()
    const offset = join(dataDirectory, 'offset')
    await writeFile(offset, '-90000')
    const clock = resolve(import.meta.dirname, 'support/shifted-clock.mjs')
    const found = await doctor({ NODE_OPTIONS: `--import=${clock}`, CLOCK_OFFSET_FILE: offset })
    assert.match(found.of('ledger:testnet'), /^warn: .* its newest block is [0-9]+ s in the future$/)
    if (place === 'PostgreSQL') {
      assert.match(found.of('clock'), /^fail: this machine is (89|90)\.[0-9] s behind the database$/)
    }
  })

  it('reports a database written by a newer version', async () => {
    await installed()
    await change(
      sql`INSERT INTO migrations (timestamp, name) VALUES (1999999999999, 'InventTimeTravel1999999999999')`,
    )
    assert.match((await examine()).of('database'), /^fail: .* was written by a newer version/)
  })

  // The rest is found by the same statements, with nothing that another database returns otherwise.
  if (place === 'PostgreSQL') return

  it('detects a wrong secret without revealing it', async () => {
    await installed()
    const other = 'cd'.repeat(32)
    const found = await examine({ KMS_SECRET_KEY: other })
    assert.match(found.of('secret'), /^fail: .* does not fit: [1-9][0-9]* sealed with \S+$/)
    assert.ok(!JSON.stringify(found).includes(other))
    const file = await Examination.of({ dataDirectory, environment: { DATABASE_URL: url } })
    assert.match(file.of('secret'), /does not fit: .*, and there is none$/)
    assert.deepEqual(await readdir(dataDirectory), [])
    const both = await examine({ KMS_SECRET_KEY: other, KMS_SECRET_KEY_PREVIOUS: SECRET })
    assert.match(both.of('secret'), /^warn: .*, some of them with \S+, which it replaces$/)
  })

  it('names API keys that may do less than the groups of their scopes once said', async () => {
    await installed()
    await change(sql`UPDATE api_key SET scopes = '["keys","credentials"]'`)
    const found = (await examine()).of('api-keys')
    const add = [...found.matchAll(/^ok: limited to .*1 API key \(\S+\);.* --add-scope (\S+) /gm)]
    assert.deepEqual(
      add.map(([, scope]) => scope),
      ['signing', 'certificates', 'revocation'],
    )
  })

  it('reports another program at the address of the service', async () => {
    await installed()
    const other = createServer((_req, res) => res.end('hello')).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const found = await examine({ PORT: String(port) })
    assert.equal(found.of('service'), `fail: another program is listening at http://127.0.0.1:${port}`)
    other.close()
    await once(other, 'close')
    const free = await examine({ PORT: String(port) })
    assert.match(free.of('service'), /^ok: not running at/)
  })
}

describe('vidimus doctor', () => {
  let dataDirectory: string
  beforeEach(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'vidimus-doctor-'))
  })
  afterEach(() => rm(dataDirectory, { recursive: true, force: true }))

  it('reports every error in the configuration', async () => {
    const configure = (text: string) =>
      text.replace('poolSize:', 'poolsize:').replace('previous: {', 'previuos: {')
    const found = await Examination.byCommand({ dataDirectory, configure })
    assert.equal(found.level, 'fail')
    assert.match(found.of('configuration'), /agent\.yml:\d+:\d+: .*"poolsize" is not known here/)
    assert.match(found.of('configuration'), /agent\.yml:\d+:\d+: .*"previuos" is not known here/)
  })

  it('reports an unreachable database, without its password', async () => {
    const environment = { DATABASE_URL: 'postgres://vidimus:hidden@127.0.0.1:1/vidimus' }
    const found = await Examination.of({ dataDirectory, environment })
    assert.match(found.of('database'), /^fail: .*127\.0\.0\.1:1\/vidimus cannot be opened: .*ECONNREFUSED/)
    assert.ok(!JSON.stringify(found).includes('hidden'))
  })

  it('reports a data directory that others can read', async () => {
    await chmod(dataDirectory, 0o755)
    const found = await Examination.byCommand({ dataDirectory })
    assert.equal(found.level, 'warn')
    assert.match(found.of('disk'), /^warn: [0-9.]+ GB free for .*; other users may read it$/)
  })
})
