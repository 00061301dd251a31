import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { loadSecret } from '../index.js'

describe('loadSecret', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-secret-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('takes the value where there is one and touches no file', async () => {
    assert.equal(await loadSecret({ value: 'AB'.repeat(32), directory: folder }), 'ab'.repeat(32))
    assert.deepEqual(await readdir(folder), [])
  })

  it('makes a secret for its owner alone, and finds it again', async () => {
    const file = join(folder, 'data', 'secret')
    const secret = await loadSecret({ value: null, file })
    assert.match(secret, /^[0-9a-f]{64}$/)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.equal((await stat(join(folder, 'data'))).mode & 0o777, 0o700)
    assert.equal(await loadSecret({ value: null, file }), secret)
    assert.deepEqual(await readdir(join(folder, 'data')), ['secret'])
  })

  it('keeps it under a name of its own in a directory', async () => {
    const secret = await loadSecret({ value: null, directory: folder })
    assert.equal((await readFile(join(folder, 'kms-secret.key'), 'utf8')).trim(), secret)
  })

  it('is the same for all that start at once', async () => {
    const found = await Promise.all(
      Array.from({ length: 20 }, () => loadSecret({ value: null, directory: folder })),
    )
    assert.equal(new Set(found).size, 1)
    assert.deepEqual(await readdir(folder), ['kms-secret.key'])
  })

  it('refuses a file that others may read, with the remedy', async () => {
    await loadSecret({ value: null, directory: folder })
    await chmod(join(folder, 'kms-secret.key'), 0o640)
    await assert.rejects(loadSecret({ value: null, directory: folder }), {
      code: 'invalid_configuration',
      message: /chmod 600/,
    })
  })

  it('names the place of a malformed secret, never the secret', async () => {
    const file = join(folder, 'secret')
    await writeFile(file, 'not-quite-a-secret', { mode: 0o600 })
    for (const source of [
      { value: null, file },
      { value: 'not-quite-a-secret', file },
      { value: '', file },
    ]) {
      await assert.rejects(loadSecret(source), (error: unknown) => {
        assert.ok(error instanceof Error && 'code' in error)
        assert.equal(error.code, 'invalid_configuration')
        assert.ok(!inspect(error).includes('not-quite-a-secret'))
        return true
      })
    }
    await assert.rejects(loadSecret({ value: null, file }), { message: new RegExp(file) })
  })

  it('needs a place where there is no value, and one alone', async () => {
    await assert.rejects(loadSecret({ value: null }), { code: 'invalid_configuration' })
    await assert.rejects(loadSecret({ value: null, file: join(folder, 'a'), directory: folder }), {
      code: 'invalid_configuration',
    })
  })
})
