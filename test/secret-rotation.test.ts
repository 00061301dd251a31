import { queueName } from '@vidimus/core-types'
import { sql } from '@vidimus/database'
import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from './support/client.js'
import { idOf, sealedWith, SecretCommands, signs } from './support/secret-commands.js'
import { Service } from './support/service.js'
import { createDid } from './behaviour/suite.js'

describe('rotation of the encryption secret', () => {
  let template: string
  before(async () => {
    template = await mkdtemp(join(tmpdir(), 'vidimus-rotation-'))
    await (await Service.start({ dataDirectory: template })).stop()
  })
  after(() => rm(template, { recursive: true, force: true }))
  let commands: SecretCommands
  beforeEach(async () => {
    commands = await SecretCommands.inFolder()
  })
  afterEach(() => commands.remove())

  /** As a first start has left it, with a secret of its own. */
  const installed = () => cp(template, commands.dataDirectory, { recursive: true })

  it('refuses a concurrent rotation without disturbing it', async () => {
    await installed()
    await commands.withDatabase(async (database) => {
      const release = await database.lock(queueName('secret-rotation'))
      const before = await commands.secrets()
      const { code, complained } = await commands.run(['rotate'])
      assert.equal(code, 1)
      assert.match(complained, /another process is already rotating/)
      assert.deepEqual(await commands.secrets(), before)
      await release?.()
    })
    const outcomes = await Promise.all([
      commands.run(['rotate']),
      commands.run(['rotate']),
      commands.run(['rotate']),
    ])
    const done = outcomes.filter(({ code }) => code === 0)
    assert.ok(done.length >= 1)
    const shown = done.map(({ printed }) => /the secret is (\S+) now/.exec(printed)?.[1])
    assert.equal(new Set(shown).size, done.length)
    assert.equal((await commands.secrets()).length, 1)
    await commands.withDatabase(async (database) => {
      const rows = await database.query<{ subject: string; detail: string }>(
        sql`SELECT subject, detail FROM audit_event WHERE event = 'secret-rotated'`,
      )
      assert.deepEqual(rows.map(({ subject }) => subject).sort(), [...shown].sort())
      for (const { detail } of rows) assert.match(detail, /^in place of [\w-]+$/)
    })
  })

  it('prints JSON, shows no secret, and keeps the old one aside on request', async () => {
    await installed()
    const [old = ''] = await commands.secrets()
    const given = '5a'.repeat(32)
    const { code, printed, complained } = await commands.run(
      ['rotate', '--json', '--new-secret', '-', '--keep-old'],
      {},
      `${given}\n`,
    )
    assert.equal(code, 0, complained)
    const rotation = JSON.parse(printed) as { keyId: string; previous: string[]; kept: string[] }
    assert.deepEqual([rotation.keyId, rotation.previous], [idOf(given), [idOf(old)]])
    assert.deepEqual(await commands.secrets(), [given])
    assert.equal((await readFile(rotation.kept[0] ?? '', 'utf8')).trim(), old)
    const status = await commands.run(['status', '--json'])
    assert.deepEqual((JSON.parse(status.printed) as { keyIds: string[] }).keyIds, [idOf(given)])
    for (const output of [printed, complained, status.printed, (await commands.run(['status'])).printed]) {
      assert.ok(!output.includes(given.slice(0, 12)) && !output.includes(old.slice(0, 12)))
    }
    const repeated = await commands.run(['rotate', '--new-secret', '-'], {}, given)
    assert.equal(repeated.code, 2)
    assert.match(repeated.complained, /is the current one/)
    const malformed = await commands.run(['rotate', '--new-secret', '-'], {}, 'hunter2')
    assert.equal(malformed.code, 2)
    assert.ok(!malformed.complained.includes('hunter2'))
    assert.equal(
      (await commands.run(['rotate', '--new-secret', join(commands.dataDirectory, 'none')])).code,
      2,
    )
    assert.equal((await commands.run(['rotate', '--batch', '0'])).code, 2)
  })

  it('guides through the rotation of a secret from the environment', async () => {
    const [old, next] = ['4c'.repeat(32), '7d'.repeat(32)]
    const first = await commands.start({ KMS_SECRET_KEY: old })
    const did = await createDid(await Client.of(first.url, first.apiKey))
    const told = await commands.run(['rotate'], { KMS_SECRET_KEY: old })
    assert.equal(told.code, 2)
    assert.match(told.complained, /KMS_SECRET_KEY_PREVIOUS.*restart.*run this again/)
    await first.stop()

    const both = { KMS_SECRET_KEY: next, KMS_SECRET_KEY_PREVIOUS: old }
    const service = await commands.start(both)
    const client = await Client.of(service.url, first.apiKey)
    await signs(client, did)
    const { code, printed, complained } = await commands.run(['rotate'], both)
    assert.equal(code, 0, complained)
    assert.match(printed, /Remove KMS_SECRET_KEY_PREVIOUS/)
    await signs(client, did)
    await createDid(client)
    await service.stop()
    await commands.withDatabase(async (database) =>
      assert.deepEqual([...(await sealedWith(database))], [idOf(next)]),
    )
    assert.deepEqual(
      await readdir(commands.dataDirectory).then((names) => names.includes('kms-secret.key')),
      false,
    )
    const last = await commands.start({ KMS_SECRET_KEY: next })
    await signs(await Client.of(last.url, first.apiKey), did)
    await last.stop()
    await commands.refusedToStart({ KMS_SECRET_KEY: old }, [idOf(next), idOf(old)])
  })

  it('starts no database without its secret, and creates no other one', async () => {
    await installed()
    const [secret = ''] = await commands.secrets()
    await rm(commands.secretFile)
    await commands.refusedToStart({}, [idOf(secret), commands.secretFile, 'none was created'])
    assert.ok(!(await readdir(commands.dataDirectory)).includes('kms-secret.key'))
    const { code, complained } = await commands.run(['rotate'])
    assert.equal(code, 2)
    assert.match(complained, /the encryption secret is missing/)
    await writeFile(commands.secretFile, secret, { mode: 0o600 })
    await (await commands.start()).stop()
  })

  it('starts no database with the secret of another one', async () => {
    const other = await mkdtemp(join(tmpdir(), 'vidimus-rotation-other-'))
    try {
      await installed()
      await (await Service.start({ dataDirectory: other })).stop()
      const [secret = ''] = await commands.secrets()
      await cp(join(other, 'kms-secret.key'), commands.secretFile)
      const [wrong = ''] = await commands.secrets()
      await commands.refusedToStart({}, [idOf(secret), idOf(wrong), commands.secretFile])
      // A backup can be decrypted if its secret is listed below the current one, and is re-encrypted from there.
      await writeFile(commands.secretFile, `${wrong}\n${secret}\n`)
      await (await commands.start()).stop()
      assert.equal((await commands.run(['rotate'])).code, 0)
      assert.deepEqual(await commands.secrets(), [wrong])
      await (await commands.start()).stop()
    } finally {
      await rm(other, { recursive: true, force: true })
    }
  })
})
