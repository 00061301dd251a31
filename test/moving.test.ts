import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { entities, migrations as accountMigrations } from '@vidimus/account-manager'
import { Database, sql } from '@vidimus/database'
import { migrations as ledgerMigrations } from '@vidimus/ledger-local'
import { migrations as storeMigrations } from '@vidimus/status-list-store'
import { Entities, migrations as veramoMigrations } from '@veramo/data-store'
import { bech32 } from '@scure/base'
import { Client } from './support/client.js'
import { freshDatabase, PLACES } from './support/fresh-database.js'
import { Service } from './support/service.js'
import { issueWithStatus } from './shared/credential-status.js'
import { readPublic } from './shared/identifiers.js'
import { check, search, update } from './shared/status-list.js'
import { createDid, createList } from './shared/suite.js'

const root = resolve(import.meta.dirname, '..')
const vidimus = join(root, 'packages/cli/bin/vidimus.js')
const PASSPHRASE = 'correct horse battery staple'
const FEE = bech32.encode('cheqd', bech32.toWords(Buffer.alloc(20, 7)))

/** What answers after a move as it did before. */
interface Installation {
  apiKeys: { main: string; guest: string; readOnly: string }
  dids: string[]
  kids: string[]
  plain: List
  token: List
  suspended: List
  encrypted: List
}
type List = Awaited<ReturnType<typeof createList>>

describe('moving an installation', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-moving-'))
    await writeFile(join(folder, 'passphrase'), `${PASSPHRASE}\n`)
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  /** Another data directory, with the secret of the first one where it is to have it. */
  async function directory(name: string, secretOf?: string): Promise<string> {
    const path = join(folder, name)
    await mkdir(path, { mode: 0o700 })
    if (secretOf) await copyFile(join(secretOf, 'kms-secret.key'), join(path, 'kms-secret.key'))
    return path
  }
  const begin = (
    command: string,
    dataDirectory: string,
    url: string,
    archive: string,
    { args = [], node = [] }: { args?: string[]; node?: string[] } = {},
  ) => {
    const given = ['--file', join(folder, archive), '--passphrase-file', join(folder, 'passphrase'), ...args]
    const child = spawn(process.execPath, [...node, vidimus, command, ...given], {
      cwd: root,
      env: { PATH: process.env.PATH, VIDIMUS_DATA_DIR: dataDirectory, DATABASE_URL: url },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = { printed: '', complained: '' }
    child.stdout.on('data', (text: Buffer) => (output.printed += text.toString()))
    child.stderr.on('data', (text: Buffer) => (output.complained += text.toString()))
    const closed = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }))
    return { child, closed }
  }
  const run = async (...args: Parameters<typeof begin>) => {
    const { code, printed, complained } = await begin(...args).closed
    assert.equal(code, 0, complained)
    return printed
  }
  const exported = async (...args: [dataDirectory: string, url: string, archive: string]) =>
    JSON.parse(await run('export', ...args, { args: ['--json'] })) as {
      sha256: string
      rows: number
      tables: number
    }

  it('goes from SQLite to PostgreSQL and back, and everything answers as before', async function () {
    this.timeout(300_000)
    const first = await directory('first')
    const url = `sqlite:${join(first, 'agent.sqlite')}`
    await storeAsVeramo(url)
    const service = await Service.start({ dataDirectory: first, environment: { DATABASE_URL: url } })
    const installation = await fill(service)
    const [copy] = await Promise.all([
      exported(first, url, 'copy.age'),
      createDid(await Client.of(service.url, installation.apiKeys.main)),
    ])
    const answers = await answersOf(service, installation)
    assert.ok(copy.rows > 100 && copy.tables > 30)
    assert.equal(await service.stop(), 0)
    await exported(first, url, 'first.age')

    let [from, archive] = [first, 'first.age']
    const contents = [await contentOf('first.age')]
    for (const [n, place] of (['PostgreSQL', 'SQLite'] as const).entries()) {
      const dataDirectory = await directory(`moved-${n}`, from)
      const target = await freshDatabase(place)
      assert.match(await run('import', dataDirectory, target, archive), /^Imported: \d+ rows of \d+ tables/)
      archive = `second-${n}.age`
      await exported(dataDirectory, target, archive)
      contents.push(await contentOf(archive))
      const moved = await Service.start({ dataDirectory, environment: { DATABASE_URL: target } })
      assert.deepEqual(await answersOf(moved, installation), answers)
      await goesOn(moved, installation)
      assert.equal(await moved.stop(), 0)
      from = dataDirectory
    }
    assert.deepEqual(contents[1], contents[0])
    assert.deepEqual(contents[2], contents[0])
  })

  /** The digests of the tables. */
  async function contentOf(archive: string) {
    const { ArchiveReader } = await import('../packages/database-archive/src/archive-reader.js')
    const reader = await ArchiveReader.open(join(folder, archive), PASSPHRASE)
    const { digests } = await reader.read(() => undefined)
    return [...digests.values()].sort((one, other) => (one.table < other.table ? -1 : 1))
  }

  for (const place of PLACES) {
    it(`into ${place} goes on after kill -9, and nothing else starts in between`, async function () {
      this.timeout(180_000)
      const first = await directory('first')
      const service = await Service.start({ dataDirectory: first })
      const client = await Client.of(service.url, service.apiKey)
      for (let n = 0; n < 6; n += 1) await createDid(client)
      await service.stop()
      const source = `sqlite:${join(first, 'agent.sqlite')}`
      const { rows } = await exported(first, source, 'first.age')
      const [dataDirectory, target] = [await directory('moved', first), await freshDatabase(place)]
      const watching = databaseOf(target)
      watching.admitUnfinishedImport()
      await watching.lifecycle.start()
      const imported = async () => {
        const [row] = await watching
          .query<{ n: number | string }>(
            sql`SELECT COALESCE(SUM("imported"), -1) AS n FROM unfinished_import`,
          )
          .catch(() => [])
        return Number(row?.n ?? -1)
      }
      for (const share of [0, 0.3, 0.6]) {
        const { child, closed } = begin('import', dataDirectory, target, 'first.age', {
          args: ['--batch', '1'],
        })
        while (child.exitCode === null && (await imported()) < share * rows) await turn()
        child.kill('SIGKILL')
        assert.equal((await closed).code, null, 'it was finished before it was killed')
        await assert.rejects(
          Service.start({ dataDirectory, environment: { DATABASE_URL: target } }),
          /agent\.yml:\d+:\d+ {2}database: the import of an archive into .* run `vidimus import`/,
        )
      }
      assert.match(await run('import', dataDirectory, target, 'first.age'), /begun earlier is finished/)
      assert.match(await run('import', dataDirectory, target, 'first.age'), /nothing was changed/)
      await watching.lifecycle.stop()
      await exported(dataDirectory, target, 'second.age')
      assert.deepEqual(await contentOf('second.age'), await contentOf('first.age'))
      const moved = await Service.start({ dataDirectory, environment: { DATABASE_URL: target } })
      await createDid(await Client.of(moved.url, service.apiKey))
      await moved.stop()
    })
  }

  it('takes the memory of few rows for 100 000', async function () {
    this.timeout(300_000)
    const first = await directory('first')
    await (await Service.start({ dataDirectory: first })).stop()
    const source = `sqlite:${join(first, 'agent.sqlite')}`
    const database = databaseOf(source)
    await database.lifecycle.start()
    await database.write((connection) =>
      connection.run(sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
        INSERT INTO audit_event (time, event, outcome, detail, occurrences)
        SELECT '2026-01-02T03:04:05.678Z', 'key-created', 'ok', printf('%0800d', i), 1 FROM n`),
    )
    await database.lifecycle.stop()
    // The rows are 80 MB, and twice that as strings of JavaScript and their lines.
    const little = ['--max-old-space-size=100']
    const target = `sqlite:${join(folder, 'target.sqlite')}`
    const { code, complained } = await begin('export', first, source, 'first.age', { node: little }).closed
    assert.equal(code, 0, complained)
    const imported = await begin('import', first, target, 'first.age', { node: little }).closed
    assert.equal(imported.code, 0, imported.complained)
    assert.match(imported.printed, /^Imported: 1000\d\d rows/)
  })

  it('needs the secret of the installation that was exported, and writes nothing without it', async () => {
    const first = await directory('first')
    await (await Service.start({ dataDirectory: first })).stop()
    await exported(first, `sqlite:${join(first, 'agent.sqlite')}`, 'first.age')
    const other = await directory('other')
    const target = await freshDatabase('SQLite')
    const missing = await begin('import', other, target, 'first.age').closed
    assert.equal(missing.code, 1)
    assert.match(missing.complained, /secret does not fit the archive: .* holds none/)
    await writeFile(join(other, 'kms-secret.key'), `${'5a'.repeat(32)}\n`, { mode: 0o600 })
    const wrong = await begin('import', other, target, 'first.age').closed
    assert.match(wrong.complained, /secret does not fit the archive: .* holds "/)
    assert.ok(!wrong.complained.includes('5a5a'))
    await copyFile(join(first, 'kms-secret.key'), join(other, 'kms-secret.key'))
    await run('import', other, target, 'first.age')
  })

  it('refuses to export a database that this version has not opened yet, and to ask without a terminal', async () => {
    const first = await directory('first')
    const unopened = await begin('export', first, await freshDatabase('SQLite'), 'first.age').closed
    assert.equal(unopened.code, 1)
    assert.match(unopened.complained, /does not have the tables of this version yet/)
    const child = spawn(process.execPath, [vidimus, 'import', '--file', join(folder, 'first.age')], {
      cwd: root,
      env: { PATH: process.env.PATH, VIDIMUS_DATA_DIR: first },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let complained = ''
    child.stderr.on('data', (text: Buffer) => (complained += text.toString()))
    const [code] = (await once(child, 'close')) as [number]
    assert.equal(code, 1)
    assert.match(complained, /no terminal to ask for the passphrase/)
  })
})

const databaseOf = (url: string) =>
  new Database({
    url,
    migrations: [accountMigrations, ledgerMigrations, storeMigrations],
    entities: [entities],
  })

/** What an agent with Veramo's own stores has left: a DID with its key. */
async function storeAsVeramo(url: string): Promise<void> {
  const database = new Database({ url, migrations: [veramoMigrations], entities: [Entities] })
  await database.lifecycle.start()
  const did = 'did:web:veramo.example'
  await database.write(async (connection) => {
    await connection.run(sql`INSERT INTO identifier (did, provider, alias, "saveDate", "updateDate", "controllerKeyId")
      VALUES (${did}, 'did:web', 'old', '2024-01-02 03:04:05.678', '2024-01-02 03:04:05.000', '02ab')`)
    await connection.run(sql`INSERT INTO "key" (kid, kms, type, "publicKeyHex", meta, "identifierDid")
      VALUES ('02ab', 'local', 'Secp256k1', '02ab', '{"algorithms":["ES256K"]}', ${did})`)
    await connection.run(sql`INSERT INTO "private-key" (alias, type, "privateKeyHex")
      VALUES ('02ab', 'Secp256k1', ${'07'.repeat(32)})`)
    await connection.run(sql`INSERT INTO service (id, type, "serviceEndpoint", description, "identifierDid")
      VALUES (${`${did}#a`}, 'LinkedDomains', 'https://veramo.example', NULL, ${did})`)
  })
  await database.lifecycle.stop()
}

async function fill(service: Service): Promise<Installation> {
  const [main, guest, readOnly] = await Promise.all([
    service.apiKeyOf('default'),
    service.apiKeyOf('guest'),
    service.apiKeyOf('default', { name: 'read only', scopes: ['key-read', 'did-list'] }),
  ])
  const client = await Client.of(service.url, main.apiKey)
  const stranger = client.as(guest.apiKey)
  const kids: string[] = []
  for (const type of ['Ed25519', 'Secp256k1', 'Secp256r1', 'X25519']) {
    const { kid } = (await client.ok('POST', '/key/create', { query: { type } })) as { kid: string }
    kids.push(kid)
  }
  const dids = [await createDid(client), await createDid(client, { network: 'mainnet' })]
  dids.push(await createDid(client, { verificationMethodType: 'JsonWebKey2020' }))
  for (const providerId of ['did:key', 'did:jwk']) {
    const created = (await client.ok('POST', '/did/create', { json: { providerId } })) as { did: string }
    dids.push(created.did)
  }
  const [did = ''] = dids
  const plain = await createList(client, { did })
  const token = await createList(client, { listType: 'TokenStatusList', body: { statusSize: 2 } })
  const suspended = await createList(client, { listType: 'StatusList2021', statusPurpose: 'suspension' })
  for (const indices of [[1], [2, 3], [70_000]]) await update(client, plain, indices)
  await update(client, token, [5], 'suspend', 'TokenStatusList')
  await update(client, suspended, [9], 'suspend', 'StatusList2021')
  await issueWithStatus(client, did, { statusListName: plain.statusListName })
  const encrypted = { did, statusListName: 'encrypted' }
  await client.ok('POST', '/credential-status/create/encrypted', {
    query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
    json: {
      ...encrypted,
      paymentConditions: [{ feePaymentAddress: FEE, feePaymentAmount: 2, feePaymentWindow: 10_000 }],
    },
  })
  await client.ok('POST', '/credential-status/update/encrypted', {
    query: { listType: 'BitstringStatusList', statusAction: 'revoke' },
    json: { ...encrypted, indices: [4] },
  })
  assert.equal((await check(stranger, encrypted, { index: 4 })).revoked, true)
  // Of what does not happen here: nothing is sent.
  const webhook = { url: 'https://receiver.example/', types: ['did.deactivated'] }
  await client.ok('POST', '/account/webhooks', { json: webhook })
  const apiKeys = { main: main.apiKey, guest: guest.apiKey, readOnly: readOnly.apiKey }
  return { apiKeys, dids, kids, plain, token, suspended, encrypted }
}

/** Everything that can be asked for without changing anything. */
async function answersOf(service: Service, installation: Installation): Promise<unknown> {
  const { apiKeys, dids, kids, plain, token, suspended, encrypted } = installation
  const client = await Client.of(service.url, apiKeys.main)
  const stranger = client.as(apiKeys.guest)
  const readOnly = client.as(apiKeys.readOnly)
  const answers: unknown[] = [
    ...(await Promise.all(kids.map((kid) => client.ok('GET', `/key/read/${kid}`)))),
    await readOnly.ok('GET', `/key/read/${kids[0]}`),
    (await readOnly.post('/key/create')).status,
    await client.ok('GET', '/did/list'),
    await client.ok('GET', '/credential-status/payments'),
    await stranger.ok('GET', '/credential-status/payments'),
    await client.ok('GET', '/account/events', { query: { limit: '1000' } }),
    await client.ok('GET', '/account/webhooks'),
    await search(client, plain),
    await search(client, token, 'revocation', 'TokenStatusList'),
    await search(client, suspended, 'suspension', 'StatusList2021'),
    await check(client, plain, { indices: [0, 1, 2, 3, 70_000] }),
    await check(client, token, { index: 5 }, 'suspension', 'TokenStatusList'),
    await check(client, suspended, { index: 9 }, 'suspension', 'StatusList2021'),
    await check(client, encrypted, { index: 4 }),
    await check(stranger, encrypted, { index: 4, makeFeePayment: false }),
  ]
  for (const did of dids) {
    const { body } = await readPublic(client, did)
    const { didDocument, didDocumentMetadata } = body as Record<string, unknown>
    answers.push(didDocument, didDocumentMetadata)
  }
  const history = await readPublic(client, `${plain.did}?resourceName=${plain.statusListName}`)
  answers.push(history.status, history.body, history.headers.get('etag'))
  return answers
}

/** Keys sign, lists change, indices and numbers go on. */
async function goesOn(service: Service, { apiKeys, dids, plain, token }: Installation): Promise<void> {
  const client = await Client.of(service.url, apiKeys.main)
  for (const did of dids) {
    const issued = await client.ok('POST', '/credential/issue', {
      json: { issuerDid: did, subjectDid: did, attributes: { degree: 'Master' } },
    })
    const { verified } = (await client.ok('POST', '/credential/verify', {
      json: { credential: issued },
    })) as { verified: boolean }
    assert.equal(verified, true, did)
  }
  const { credentialStatus } = await issueWithStatus(client, plain.did, {
    statusListName: plain.statusListName,
  })
  assert.match(String(credentialStatus.statusListIndex), /^\d+$/)
  await update(client, plain, [77])
  assert.equal((await check(client, plain, { index: 77 })).revoked, true)
  await update(client, token, [6], 'suspend', 'TokenStatusList')
  await createDid(client)
  const events = await service.audited({})
  assert.equal(new Set(events.map(({ sequence }) => sequence)).size, events.length)
}
