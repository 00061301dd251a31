import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { Database, sql } from '@vidimus/database'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import { Client } from './support/client.js'
import { Service } from './support/service.js'
import { createDid } from './shared/suite.js'

const root = resolve(import.meta.dirname, '..')
const vidimus = join(root, 'packages/cli/bin/vidimus.js')

describe('the rotation of the encryption secret', () => {
  let dataDirectory: string
  let template: string
  before(async () => {
    template = await mkdtemp(join(tmpdir(), 'vidimus-rotation-'))
    await (await Service.start({ dataDirectory: template })).stop()
  })
  after(() => rm(template, { recursive: true, force: true }))
  beforeEach(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'vidimus-rotation-'))
  })
  afterEach(() => rm(dataDirectory, { recursive: true, force: true }))

  /** As a first start has left it, with a secret of its own. */
  const installed = () => cp(template, dataDirectory, { recursive: true })

  const begin = (args: readonly string[], environment: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [vidimus, 'secret', ...args], {
      cwd: root,
      env: { PATH: process.env.PATH, VIDIMUS_DATA_DIR: dataDirectory, ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const output = { printed: '', complained: '' }
    child.stdout.on('data', (text: Buffer) => (output.printed += text.toString()))
    child.stderr.on('data', (text: Buffer) => (output.complained += text.toString()))
    const closed = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }))
    return { child, closed }
  }
  const run = (args: readonly string[], environment?: Record<string, string>, input = '') => {
    const { child, closed } = begin(args, environment)
    child.stdin.end(input)
    return closed
  }
  const secretFile = () => join(dataDirectory, 'kms-secret.key')
  const secrets = async () => (await readFile(secretFile(), 'utf8')).trim().split('\n')
  const idOf = (secret: string) => new PrivateKeyEnvelope({ secret }).keyId

  /** Runs statements on the database beside whoever uses it. */
  async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = new Database({
      url: null,
      dataDirectory,
      migrations: await allMigrations(),
      entities: [(await import('@vidimus/account-manager')).entities],
    })
    await database.lifecycle.start()
    try {
      return await work(database)
    } finally {
      await database.lifecycle.stop()
    }
  }
  const texts = async (database: Database) =>
    (
      await database.query<{ text: string }>(sql`SELECT "privateKeyHex" AS "text" FROM "private-key"
        UNION ALL SELECT "sealed_key" FROM "status_list_order"
        UNION ALL SELECT "sealed_key" FROM "status_list_key"
        UNION ALL SELECT "sealed" FROM "secret_check"
        UNION ALL SELECT "sealed" FROM "status_list_secret_check"`)
    ).map(({ text }) => text)
  const sealedWith = async (database: Database) =>
    new Set((await texts(database)).map((text) => text.split('.')[1] ?? ''))

  it('goes on under kill -9, again and again, while the service stores and signs', async function () {
    this.timeout(180_000)
    const service = await Service.start({ dataDirectory })
    const client = await Client.of(service.url, service.apiKey)
    const did = await createDid(client)
    const imported: string[] = []
    const importKey = async () => {
      const alias = `imported ${imported.length}`
      const { kid } = (await client.ok('POST', '/key/import', {
        json: { privateKeyHex: randomBytes(32).toString('hex'), alias },
      })) as { kid: string }
      imported.push(kid)
    }
    for (let n = 0; n < 120; n += 1) await importKey()
    const [old = ''] = await secrets()

    await withDatabase(async (database) => {
      let stop = false
      const load = (async () => {
        while (!stop) {
          await importKey()
          await signs(client, did)
        }
      })()
      let chosen: string | undefined
      // At the moment when the new secret is on the disk, and then further and further on.
      for (const done of [0, 1, 7, 30, 60]) {
        const { child, closed } = begin(['rotate', '--batch', '1'])
        const reached = async () => {
          const [current, ...previous] = await secrets()
          if (!current || previous.length === 0) return false
          chosen ??= current
          assert.equal(current, chosen)
          const resealed = (await texts(database)).filter((text) => text.split('.')[1] === idOf(current))
          return resealed.length >= done
        }
        while (child.exitCode === null && !(await reached())) await turn()
        child.kill('SIGKILL')
        await closed
      }
      assert.ok((await sealedWith(database)).has(idOf(old)), 'it was finished before it was killed')
      const { code, printed, complained } = await run(['rotate'])
      stop = true
      await load
      assert.equal(code, 0, complained)
      assert.match(printed, /begun earlier is finished: the secret is/)
      assert.deepEqual(await secrets(), [chosen])
      assert.deepEqual([...(await sealedWith(database))], [idOf(chosen ?? '')])
      await importKey()
      await signs(client, did)
      assert.deepEqual([...(await sealedWith(database))], [idOf(chosen ?? '')])
    })
    assert.ok(imported.length > 121, 'nothing was stored meanwhile')
    assert.deepEqual(
      (await readdir(dataDirectory)).filter((name) => name.startsWith('kms-secret')),
      ['kms-secret.key'],
    )
    assert.equal((await stat(secretFile())).mode & 0o777, 0o600)
    assert.equal(await service.stop(), 0)

    const again = await Service.start({ dataDirectory })
    const later = await Client.of(again.url, service.apiKey)
    await signs(later, did)
    for (const kid of imported) await later.ok('GET', `/key/read/${kid}`)
    await again.stop()
    await refusedToStart({ KMS_SECRET_KEY: old }, [idOf(old), 'KMS_SECRET_KEY'])
  })

  it('tells a second rotation that there is one, and does not disturb it', async () => {
    await installed()
    await withDatabase(async (database) => {
      const release = await database.lock('secret-rotation')
      const before = await secrets()
      const { code, complained } = await run(['rotate'])
      assert.equal(code, 1)
      assert.match(complained, /is being rotated by another process/)
      assert.deepEqual(await secrets(), before)
      await release?.()
    })
    const outcomes = await Promise.all([run(['rotate']), run(['rotate']), run(['rotate'])])
    const done = outcomes.filter(({ code }) => code === 0)
    assert.ok(done.length >= 1)
    const shown = done.map(({ printed }) => /the secret is (\S+) now/.exec(printed)?.[1])
    assert.equal(new Set(shown).size, done.length)
    assert.equal((await secrets()).length, 1)
  })

  it('prints for programs, shows no secret, and puts the old one aside where asked', async () => {
    await installed()
    const [old = ''] = await secrets()
    const given = '5a'.repeat(32)
    const { code, printed, complained } = await run(
      ['rotate', '--json', '--new-secret', '-', '--keep-old'],
      {},
      `${given}\n`,
    )
    assert.equal(code, 0, complained)
    const rotation = JSON.parse(printed) as { keyId: string; previous: string[]; kept: string[] }
    assert.deepEqual([rotation.keyId, rotation.previous], [idOf(given), [idOf(old)]])
    assert.deepEqual(await secrets(), [given])
    assert.equal((await readFile(rotation.kept[0] ?? '', 'utf8')).trim(), old)
    const status = await run(['status', '--json'])
    assert.deepEqual((JSON.parse(status.printed) as { keyIds: string[] }).keyIds, [idOf(given)])
    for (const output of [printed, complained, status.printed, (await run(['status'])).printed]) {
      assert.ok(!output.includes(given.slice(0, 12)) && !output.includes(old.slice(0, 12)))
    }
    const repeated = await run(['rotate', '--new-secret', '-'], {}, given)
    assert.equal(repeated.code, 2)
    assert.match(repeated.complained, /is the present one/)
    const malformed = await run(['rotate', '--new-secret', '-'], {}, 'hunter2')
    assert.equal(malformed.code, 2)
    assert.ok(!malformed.complained.includes('hunter2'))
    assert.equal((await run(['rotate', '--new-secret', join(dataDirectory, 'none')])).code, 2)
    assert.equal((await run(['rotate', '--batch', '0'])).code, 2)
  })

  it('leads through the rotation of a secret that comes from the environment', async () => {
    const [old, next] = ['4c'.repeat(32), '7d'.repeat(32)]
    const first = await Service.start({ dataDirectory, environment: { KMS_SECRET_KEY: old } })
    const did = await createDid(await Client.of(first.url, first.apiKey))
    const told = await run(['rotate'], { KMS_SECRET_KEY: old })
    assert.equal(told.code, 2)
    assert.match(told.complained, /KMS_SECRET_KEY_PREVIOUS.*restart.*run this again/)
    await first.stop()

    const both = { KMS_SECRET_KEY: next, KMS_SECRET_KEY_PREVIOUS: old }
    const service = await Service.start({ dataDirectory, environment: both })
    const client = await Client.of(service.url, first.apiKey)
    await signs(client, did)
    const { code, printed, complained } = await run(['rotate'], both)
    assert.equal(code, 0, complained)
    assert.match(printed, /Remove KMS_SECRET_KEY_PREVIOUS/)
    await signs(client, did)
    await createDid(client)
    await service.stop()
    await withDatabase(async (database) => assert.deepEqual([...(await sealedWith(database))], [idOf(next)]))
    assert.deepEqual(await readdir(dataDirectory).then((names) => names.includes('kms-secret.key')), false)
    const last = await Service.start({ dataDirectory, environment: { KMS_SECRET_KEY: next } })
    await signs(await Client.of(last.url, first.apiKey), did)
    await last.stop()
    await refusedToStart({ KMS_SECRET_KEY: old }, [idOf(next), idOf(old)])
  })

  it('does not start a database without its secret, and makes no other one', async () => {
    await installed()
    const [secret = ''] = await secrets()
    await rm(secretFile())
    await refusedToStart({}, [idOf(secret), secretFile(), 'none was made'])
    assert.ok(!(await readdir(dataDirectory)).includes('kms-secret.key'))
    const { code, complained } = await run(['rotate'])
    assert.equal(code, 2)
    assert.match(complained, /the encryption secret is missing/)
    await writeFile(secretFile(), secret, { mode: 0o600 })
    await (await Service.start({ dataDirectory })).stop()
  })

  it('does not start a database with the secret of another one', async () => {
    const other = await mkdtemp(join(tmpdir(), 'vidimus-rotation-other-'))
    try {
      await installed()
      await (await Service.start({ dataDirectory: other })).stop()
      const [secret = ''] = await secrets()
      await cp(join(other, 'kms-secret.key'), secretFile())
      const [wrong = ''] = await secrets()
      await refusedToStart({}, [idOf(secret), idOf(wrong), secretFile()])
      // A backup opens where its secret stands below the present one, and is rotated from there.
      await writeFile(secretFile(), `${wrong}\n${secret}\n`)
      await (await Service.start({ dataDirectory })).stop()
      assert.equal((await run(['rotate'])).code, 0)
      assert.deepEqual(await secrets(), [wrong])
      await (await Service.start({ dataDirectory })).stop()
    } finally {
      await rm(other, { recursive: true, force: true })
    }
  })

  /** One sentence at its place in agent.yml, before anything is served. */
  async function refusedToStart(environment: Record<string, string>, says: readonly string[]): Promise<void> {
    const child = spawn(process.execPath, [vidimus, 'start'], {
      cwd: root,
      env: { PATH: process.env.PATH, VIDIMUS_DATA_DIR: dataDirectory, PORT: '0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let complained = ''
    child.stdout.resume()
    child.stderr.on('data', (text: Buffer) => (complained += text.toString()))
    const [code] = (await once(child, 'close')) as [number]
    assert.equal(code, 2, complained)
    assert.match(complained, /^agent\.yml:\d+:\d+ {2}privateKeyStore: the encryption secret /m)
    assert.equal(complained.match(/^agent\.yml:/gm)?.length, 1)
    for (const part of says) assert.ok(complained.includes(part), `${complained}\nhas to say ${part}`)
  }
})

const allMigrations = async () => [
  (await import('@vidimus/account-manager')).migrations,
  (await import('@vidimus/ledger-local')).migrations,
  (await import('@vidimus/status-list-store')).migrations,
]

/** The key of the DID signs. */
async function signs(client: Client, did: string): Promise<void> {
  await client.ok('POST', '/credential/issue', {
    json: { issuerDid: did, subjectDid: did, attributes: { degree: 'Master' } },
  })
}
