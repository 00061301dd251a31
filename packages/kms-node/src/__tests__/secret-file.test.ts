import assert from 'node:assert/strict'
import { mkdtemp, open as openFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSecrets, PrivateKeyEnvelope } from '../index.js'

const [ONE, TWO] = ['1a'.repeat(32), '2b'.repeat(32)]

describe('replacing the secret of an envelope', () => {
  let folder: string
  let file: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-secret-file-'))
    file = join(folder, 'kms-secret.key')
  })
  afterEach(() => rm(folder, { recursive: true }))

  const open = async () =>
    new PrivateKeyEnvelope({ secrets: loadSecrets({ value: null, directory: folder }) })
  const started = async () => {
    const envelope = await open()
    await envelope.prepare()
    return envelope
  }
  const lines = async () => (await readFile(file, 'utf8')).trim().split('\n')

  it('has no secret and seals nothing until one is created', async () => {
    const envelope = await open()
    assert.deepEqual(envelope.keyIds, [])
    assert.throws(() => envelope.seal('x', []), { code: 'wrong_secret' })
    assert.throws(() => envelope.keyId, { code: 'wrong_secret' })
    assert.deepEqual(await readdir(folder), [])
    await envelope.prepare()
    assert.deepEqual(envelope.keyIds, [envelope.keyId])
    await envelope.prepare()
    assert.equal((await lines()).length, 1)
  })

  it('flushes the secret and its directory entry before using it', async () => {
    const envelope = await open()
    assert.deepEqual(await syncedDuring(folder, () => envelope.prepare()), ['file', 'folder'])
    assert.deepEqual(await syncedDuring(folder, () => envelope.replacement.begin()), ['file', 'folder'])
  })

  it('uses the new secret first and keeps the old one until the replacement is finished', async () => {
    const envelope = await started()
    const [before] = envelope.keyIds
    const sealed = envelope.seal('key', ['a'])
    const begun = await envelope.replacement.begin()
    assert.deepEqual(begun, { keyId: envelope.keyId, previous: [before], resumed: false })
    assert.notEqual(begun.keyId, before)
    assert.equal(envelope.open(sealed, ['a']), 'key')
    assert.equal(envelope.keyIdOf(envelope.seal('key', ['a'])), begun.keyId)
    assert.equal(envelope.keyIdOf(envelope.seal('key', ['a'], before)), before)
    assert.equal((await lines()).length, 2)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.deepEqual(await envelope.replacement.finish({ keepOld: false }), { kept: [] })
    assert.equal((await lines()).length, 1)
    assert.deepEqual(await readdir(folder), ['kms-secret.key'])
    const again = await open()
    assert.deepEqual(again.keyIds, [begun.keyId])
    assert.throws(() => again.open(sealed, ['a']), { code: 'wrong_secret' })
  })

  it('is noticed by a process that was already running', async () => {
    const running = await started()
    const rotating = await open()
    const { keyId } = await rotating.replacement.begin()
    assert.notEqual(running.keyId, keyId)
    assert.equal(running.open(rotating.seal('key', []), []), 'key')
    assert.equal(running.keyId, keyId)
    await rotating.replacement.finish({ keepOld: false })
    assert.ok(running.knows(keyId))
  })

  it('resumes a replacement that was begun', async () => {
    const envelope = await started()
    const begun = await envelope.replacement.begin()
    assert.deepEqual(await (await open()).replacement.begin(), { ...begun, resumed: true })
    assert.equal((await lines()).length, 2)
  })

  it('accepts a given secret, but no other until the first is finished', async () => {
    const envelope = await started()
    const { keyId } = await envelope.replacement.begin(ONE)
    assert.equal(keyId, new PrivateKeyEnvelope({ secret: ONE }).keyId)
    assert.equal((await lines())[0], ONE)
    const repeated = await envelope.replacement.begin(ONE.toUpperCase())
    assert.equal(repeated.resumed, true)
    await assert.rejects(envelope.replacement.begin(TWO), {
      code: 'invalid_configuration',
      message: /not finished|unfinished/,
    })
    await envelope.replacement.finish({ keepOld: false })
    await assert.rejects(envelope.replacement.begin(ONE), { message: /is the current one/ })
    await assert.rejects(envelope.replacement.begin('hunter2'), (error: Error) => {
      assert.match(error.message, /64 hex/)
      return !error.message.includes('hunter2')
    })
    assert.deepEqual(await lines(), [ONE])
  })

  it('keeps the old secret aside on request', async () => {
    const envelope = await started()
    const [old = ''] = await lines()
    const id = envelope.keyId
    await envelope.replacement.begin()
    const { kept } = await envelope.replacement.finish({ keepOld: true })
    assert.deepEqual(kept, [`${file}.${id}.old`])
    assert.equal((await readFile(kept[0] ?? '', 'utf8')).trim(), old)
    assert.equal((await stat(kept[0] ?? '')).mode & 0o777, 0o600)
    assert.equal((await lines()).length, 1)
    // Put back below the new one, it opens a backup.
    await writeFile(file, [...(await lines()), old].join('\n'))
    assert.ok((await open()).knows(id))
  })

  it('removes drafts of a killed process, and nothing else', async () => {
    const envelope = await started()
    const draft = `${file}.6f1c2d1e-7f0b-4c57-9d1e-0a8a8f1b2c3d`
    await writeFile(draft, ONE)
    await writeFile(`${file}.mine`, '')
    await envelope.replacement.begin()
    assert.deepEqual((await readdir(folder)).sort(), ['kms-secret.key', 'kms-secret.key.mine'])
  })

  it('does not lose its secret if the file of a running service is removed', async () => {
    const envelope = await started()
    const sealed = envelope.seal('key', [])
    await rm(file)
    assert.equal(envelope.knows('unknown_'), false)
    assert.equal(envelope.open(sealed, []), 'key')
    assert.equal(envelope.open(envelope.seal('key', []), []), 'key')
  })

  it('explains how operators replace secrets given as values', async () => {
    const given = new PrivateKeyEnvelope({ secrets: loadSecrets({ value: ONE }) })
    await assert.rejects(given.replacement.begin(), {
      code: 'invalid_configuration',
      message: /KMS_SECRET_KEY_PREVIOUS.*restart.*run this again.*remove/,
    })
    const both = new PrivateKeyEnvelope({ secrets: loadSecrets({ value: TWO, previous: ONE }) })
    const begun = await both.replacement.begin()
    assert.deepEqual(begun, { keyId: both.keyId, previous: [given.keyId], resumed: false })
    assert.equal(both.open(given.seal('key', []), []), 'key')
    const { kept, advice } = await both.replacement.finish({ keepOld: false })
    assert.deepEqual(kept, [])
    assert.match(advice ?? '', /Remove KMS_SECRET_KEY_PREVIOUS/)
    await assert.rejects(both.replacement.begin('3c'.repeat(32)), { code: 'invalid_configuration' })
  })
})

/** What is flushed to disk during an action, in order. */
async function syncedDuring(folder: string, work: () => Promise<unknown>): Promise<string[]> {
  const handle = await openFile(folder, 'r')
  const handles = Object.getPrototypeOf(handle) as typeof handle
  await handle.close()
  const synced: string[] = []
  const sync = Reflect.get(handles, 'sync')
  handles.sync = async function (this: typeof handle) {
    synced.push((await this.stat()).isDirectory() ? 'folder' : 'file')
    return sync.call(this)
  }
  try {
    await work()
  } finally {
    handles.sync = sync
  }
  return synced
}
