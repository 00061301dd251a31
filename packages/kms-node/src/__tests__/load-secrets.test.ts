import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { loadSecrets, type Secrets, type SecretSource } from '../index.js'

/** Without the right of root to write everywhere. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work()
  process.seteuid?.(65_534)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}

describe('loadSecrets', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-secret-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const load = (source: SecretSource) => Promise.resolve().then(() => loadSecrets(source))

  /** As the first start does. */
  const made = async (source: SecretSource): Promise<Secrets> => {
    const secrets = loadSecrets(source)
    await secrets.make()
    return secrets
  }
  const madeIn = async (directory: string) => (await made({ value: null, directory })).read()

  it('uses a given value and touches no file', async () => {
    const secrets = await made({ value: 'AB'.repeat(32), directory: folder })
    assert.deepEqual(secrets.read(), ['ab'.repeat(32)])
    assert.deepEqual(await readdir(folder), [])
  })

  it('creates no secret until asked to', async () => {
    const secrets = loadSecrets({ value: null, directory: join(folder, 'data') })
    assert.deepEqual(secrets.read(), [])
    assert.deepEqual(await readdir(folder), [])
  })

  it('creates a secret for its owner only, and finds it again', async () => {
    const file = join(folder, 'data', 'secret')
    const [secret = ''] = (await made({ value: null, file })).read()
    assert.match(secret, /^[0-9a-f]{64}$/)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.equal((await stat(join(folder, 'data'))).mode & 0o777, 0o700)
    assert.deepEqual((await made({ value: null, file })).read(), [secret])
    assert.deepEqual(await readdir(join(folder, 'data')), ['secret'])
  })

  it('stores it under a fixed name in a directory', async () => {
    const [secret] = await madeIn(folder)
    assert.equal((await readFile(join(folder, 'kms-secret.key'), 'utf8')).trim(), secret)
  })

  it('returns the same secret to all concurrent starts', async () => {
    const found = await Promise.all(Array.from({ length: 20 }, () => madeIn(folder)))
    assert.equal(new Set(found.flat()).size, 1)
    assert.deepEqual(await readdir(folder), ['kms-secret.key'])
  })

  it('refuses a file that others can read, and suggests a fix', async () => {
    await madeIn(folder)
    await chmod(join(folder, 'kms-secret.key'), 0o640)
    await assert.rejects(load({ value: null, directory: folder }), {
      code: 'invalid_configuration',
      message: /chmod 600/,
    })
  })

  it('names the location of a malformed secret, never the secret', async () => {
    const file = join(folder, 'secret')
    const malformed = 'not-quite-a-secret'
    await writeFile(file, malformed, { mode: 0o600 })
    for (const source of [
      { value: null, file },
      { value: malformed, file },
      { value: '', file },
      { value: 'ab'.repeat(32), previous: malformed },
    ]) {
      await assert.rejects(load(source), (error: unknown) => {
        assert.ok(error instanceof Error && 'code' in error)
        assert.equal(error.code, 'invalid_configuration')
        assert.ok(!inspect(error).includes(malformed))
        return true
      })
    }
    await assert.rejects(load({ value: null, file }), { message: new RegExp(file) })
    await writeFile(file, `${'ab'.repeat(32)}\n${malformed}\n`)
    await assert.rejects(load({ value: null, file }), { message: /line 2 of/ })
    await writeFile(file, '\n')
    await assert.rejects(load({ value: null, file }), { message: new RegExp(file) })
  })

  it('accepts surrounding white space, as common in secret files', async () => {
    for (const value of [`${'ab'.repeat(32)}\n`, ` ${'ab'.repeat(32)}\r\n`]) {
      assert.deepEqual(loadSecrets({ value, directory: folder }).read(), ['ab'.repeat(32)])
    }
    await assert.rejects(load({ value: ' \n', directory: folder }), { code: 'invalid_configuration' })
  })

  it('accepts earlier secrets in addition to a value, and in further lines of a file', async () => {
    const [one, two, three] = ['1a', '2b', '3c'].map((byte) => byte.repeat(32))
    const given = loadSecrets({ value: one!, previous: ` ${two}, ${three}\n${two}` })
    assert.deepEqual(given.read(), [one, two, three])
    assert.deepEqual(loadSecrets({ value: one!, previous: '' }).read(), [one])
    const file = join(folder, 'secret')
    await writeFile(file, `${one}\r\n\n${two!.toUpperCase()}\n`, { mode: 0o600 })
    assert.deepEqual(loadSecrets({ value: null, file }).read(), [one, two])
    await assert.rejects(load({ value: null, previous: two!, file }), {
      code: 'invalid_configuration',
      message: /requires a value/,
    })
  })

  it('shows no secret when inspected', async () => {
    const value = 'ab'.repeat(32)
    await writeFile(join(folder, 'kms-secret.key'), value, { mode: 0o600 })
    for (const source of [
      { value, previous: 'cd'.repeat(32) },
      { value: null, directory: folder },
    ]) {
      const secrets = loadSecrets(source)
      assert.doesNotMatch(
        inspect(secrets, { depth: 9, showHidden: true }) + JSON.stringify(secrets),
        /(ab|cd){8}/,
      )
    }
  })

  describe('reports problems with its file', () => {
    const refused = async (directory: string) => {
      let sentence = ''
      await assert.rejects(madeIn(directory), (error: unknown) => {
        assert.ok(error instanceof Error && 'code' in error && 'details' in error)
        assert.equal(error.code, 'invalid_configuration')
        const [problem] = error.details as { path: string; message: string }[]
        assert.equal(problem?.path, 'directory')
        sentence = problem.message
        return true
      })
      assert.doesNotMatch(sentence, /ENOTDIR|EISDIR|EACCES|ENOENT/)
      return sentence
    }

    it('file system that allows no new folders', async function () {
      if (process.platform !== 'linux') this.skip()
      assert.match(
        await refused('/proc/vidimus/deep'),
        /^the folder \/proc\/vidimus cannot be created: .*; choose a folder/,
      )
    })

    it('file in place of a folder', async () => {
      const file = join(folder, 'file')
      await writeFile(file, '')
      for (const directory of [file, join(file, 'a')]) {
        const sentence = await refused(directory)
        assert.ok(sentence.startsWith(`${file} is a file, not a folder; choose a folder`), sentence)
      }
    })

    it('folder in place of the file', async () => {
      await mkdir(join(folder, 'kms-secret.key'), { mode: 0o755 })
      assert.match(await refused(folder), /kms-secret\.key is a folder, not a file; move it away/)
    })

    it('missing permission', async () => {
      const closed = join(folder, 'closed')
      await chmod(folder, 0o755)
      await mkdir(closed, { mode: 0o555 })
      const [deeper, inside] = await asNobody(async () => [
        await refused(join(closed, 'a', 'b')),
        await refused(closed),
      ])
      assert.ok(deeper?.startsWith(`the folder ${closed}/a cannot be created: the current user`), deeper)
      assert.ok(
        inside?.startsWith(`the file ${closed}/kms-secret.key cannot be created: the current user`),
        inside,
      )
    })
  })

  it('requires exactly one location if there is no value', async () => {
    await assert.rejects(load({ value: null }), { code: 'invalid_configuration' })
    await assert.rejects(load({ value: null, file: join(folder, 'a'), directory: folder }), {
      code: 'invalid_configuration',
    })
  })
})
